// What the page owes a debate: the stop button, Retry, and the notepad's Markdown. Run by `test_anchors.py`.
// The page's own modules run here with as much of a document as they touch.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nameModules } from './paper.mjs';

const found = new Map();
const element = () => ({
  handlers: {}, style: {}, dataset: {}, children: [], hidden: true, value: '', textContent: '',
  classList: { add() {}, remove() {}, toggle() {} },
  addEventListener(name, handler) { this.handlers[name] = handler; },
  querySelector(selector) { return this.children[selector] ?? (this.children[selector] = element()); },
  querySelectorAll: () => [],
  setAttribute() {}, append() {}, replaceChildren() {}, focus() {},
});
globalThis.window = globalThis;
globalThis.addEventListener = () => {};
globalThis.Node = { TEXT_NODE: 3 };
globalThis.document = {
  activeElement: null, documentElement: { lang: 'en' }, body: element(),
  querySelector: () => element(),
  getElementById: (id) => found.get(id) ?? found.set(id, element()).get(id),
  createElement: element, createElementNS: element, addEventListener() {},
};

nameModules();
const { fresh, reduce } = await import('../../static/chat/store.js');
const { Composer } = await import('../../static/chat/composer.js');
const { drawMarkdown } = await import('../../static/chat/markdown.js');

const after = (state, ...events) => events.reduce((one, event) => reduce(one, { type: 'event', conversation: 'c', seq: one.seq + 1, event }), state);
const started = { type: 'RUN_STARTED', runId: 'r1', metadata: { cause: 'message' } };
const ended = { type: 'RUN_FINISHED', runId: 'r1', outcome: { type: 'success' } };
const failed = { type: 'RUN_ERROR', code: 'overloaded', message: 'Try again.', metadata: { run: 'r1', retryable: true } };

function composer(page = {}) {
  const form = element();
  return new Composer(form, { send() {}, typed() {}, stop() {}, ...page });
}

test('stop: the button shows while a run moves, and at no other time', () => {
  const made = composer();
  const shows = (state) => {
    made.moving(state.moving !== null);
    return !made.stopButton.hidden;
  };
  const moving = after(fresh('c'), started);
  assert.deepEqual([fresh('c'), moving, after(moving, ended), after(moving, failed)].map(shows), [false, true, false, false]);
});

test('stop: a click asks the server to stop, once', () => {
  let asked = 0;
  composer({ stop: () => (asked += 1) }).stopButton.handlers.click();
  assert.equal(asked, 1);
});

test('retry: a run that failed for good offers it, and a new run takes the offer back', () => {
  const error = (state) => state.entries['e:r1'];
  const state = after(fresh('c'), started, failed);
  assert.equal(error(state).retryable && !error(state).settled, true);
  assert.equal(error(after(state, { ...started, runId: 'r2' })).settled, true);
});

test('notepad: Markdown is drawn as lists and emphasis, and never as markup of its own', () => {
  const nodes = [];
  drawMarkdown({ append: (...more) => nodes.push(...more) }, '### Facts\n\n- [N1] **Tea** has ~~no~~ caffeine\n- <img src=x onerror=alert(1)>', true);
  const html = nodes.map((node) => node.html).join('');
  for (const wanted of ['<h3>Facts</h3>', '<ul>', '<strong>Tea</strong>', '<s>no</s>']) assert.ok(html.includes(wanted), html);
  assert.ok(!html.includes('<img'), html);
});
