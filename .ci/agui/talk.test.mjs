// The npm package @ag-ui/client, unchanged, against a running Sluice. AGUI_URL is the endpoint of an agent of the sample
// mall, AGUI_TOKEN a member's token; tests/agui/test_client.py sets both. Each test is a conversation of its own.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { HttpAgent, buildResumeArray } from "@ag-ui/client";

const PUT = 'call add_to_cart {"product_id": "nike-air-zoom-pegasus", "sku_id": "size_42", "quantity": 1}';

function agent(threadId) {
  const headers = { Authorization: `Bearer ${process.env.AGUI_TOKEN}` };
  return new HttpAgent({ url: process.env.AGUI_URL, threadId, headers });
}

// One run, and what a subscriber saw of it.
async function run(one, parameters = {}) {
  const seen = { error: undefined, pieces: 0, results: [] };
  const subscriber = {
    onRunErrorEvent: ({ event }) => void (seen.error = event),
    onTextMessageContentEvent: () => void (seen.pieces += 1),
    onToolCallResultEvent: ({ event }) => void seen.results.push(event.metadata.status),
  };
  try {
    await one.runAgent(parameters, subscriber);
  } catch (error) {
    if (!seen.error) throw error;
  }
  return seen;
}

function say(one, content) {
  one.addMessage({ id: randomUUID(), role: "user", content });
  return run(one);
}

const answerTo = (asked, payload) => ({
  interruptId: asked.id,
  status: "resolved",
  payload: { digest: asked.metadata.digest, ...payload },
});

const lastText = (one) => one.messages.filter((message) => message.role === "assistant").at(-1).content;

// A client with nothing open that sends what it likes, as a defective one would.
function careless(one) {
  const other = one.clone();
  other.pendingInterrupts = [];
  return other;
}

async function asked(text = PUT) {
  const one = agent();
  const seen = await say(one, text);
  assert.equal(seen.error, undefined);
  assert.ok(one.pendingInterrupts.length > 0, "nothing was asked");
  return one;
}

test("a conversation of several turns, its text in pieces", async () => {
  const one = agent();
  const first = await say(one, "count to 300");
  assert.equal(first.error, undefined);
  assert.ok(first.pieces > 1);
  assert.equal(lastText(one), Array.from({ length: 300 }, (_, nth) => nth + 1).join(" "));
  await say(one, "echo Grüße 你好 🌊");
  assert.equal(lastText(one), "Grüße 你好 🌊");
  assert.equal(one.messages.filter((message) => message.role === "user").length, 2);
});

test("an interrupt, approved", async () => {
  const one = await asked();
  const [question] = one.pendingInterrupts;
  assert.equal(question.reason, "tool_call");
  assert.deepEqual(question.responseSchema.required, ["approved", "digest"]);
  const payload = { approved: true, digest: question.metadata.digest };
  const resume = buildResumeArray(one.pendingInterrupts, { [question.id]: { status: "resolved", payload } });
  const seen = await run(one, { resume });
  assert.equal(seen.error, undefined);
  assert.deepEqual(seen.results, ["succeeded"]);
  assert.deepEqual(one.pendingInterrupts, []);
  assert.equal((await say(one, "echo on")).error, undefined);
  assert.equal(lastText(one), "on");
});

test("an interrupt, rejected", async () => {
  const one = await asked();
  const [question] = one.pendingInterrupts;
  const seen = await run(one, { resume: [answerTo(question, { approved: false, reason: "not now" })] });
  assert.equal(seen.error, undefined);
  assert.deepEqual(seen.results, ["denied"]);
  assert.deepEqual(one.pendingInterrupts, []);
});

test("an interrupt, given up", async () => {
  const one = await asked();
  const seen = await run(one, { resume: [{ interruptId: one.pendingInterrupts[0].id, status: "cancelled" }] });
  assert.deepEqual(seen.results, ["denied"]);
});

test("a partial resume is a RUN_ERROR and does nothing", async () => {
  const one = await asked(`${PUT}\n${PUT.replace('"quantity": 1', '"quantity": 2')}`);
  const [first, second] = one.pendingInterrupts;
  const partial = await run(careless(one), { resume: [answerTo(first, { approved: true })] });
  assert.equal(partial.error.code, "interrupt_open");
  const whole = await run(one, {
    resume: [answerTo(first, { approved: false }), answerTo(second, { approved: true })],
  });
  assert.deepEqual(whole.results.sort(), ["denied", "succeeded"]);
});

test("no resume at all is a RUN_ERROR that asks again", async () => {
  const one = await asked();
  const other = careless(one);
  const blocked = await say(other, "echo something else");
  assert.equal(blocked.error.code, "interrupt_open");
  assert.equal(blocked.error.metadata.interrupts[0].id, one.pendingInterrupts[0].id);
});

test("a stale resume, an unknown one and a wrong digest are RUN_ERRORs", async () => {
  const one = await asked();
  const [question] = one.pendingInterrupts;
  const other = one.clone();
  const unknown = await run(careless(one), {
    resume: [answerTo(question, { approved: true }), { interruptId: "nobody", status: "cancelled" }],
  });
  assert.equal(unknown.error.code, "unknown_interrupt");
  const wrong = await run(one.clone(), { resume: [answerTo(question, { approved: true, digest: "0".repeat(64) })] });
  assert.equal(wrong.error.code, "digest_mismatch");
  const resume = [answerTo(question, { approved: true })];
  assert.deepEqual((await run(one, { resume })).results, ["succeeded"]);
  assert.equal((await run(other, { resume })).error.code, "conflict");
});

test("a problem before the stream is an HTTP error", async () => {
  const one = agent();
  one.headers = { Authorization: "Bearer wrong" };
  await assert.rejects(say(one, "hello"), { status: 401 });
});
