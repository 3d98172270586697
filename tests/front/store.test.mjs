// The store, read as a manual. Run by `test_store.py` (or by hand: `node --test tests/front/store.test.mjs`).
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { outputOf } from '../../static/chat/job-words.js';
import { fresh, heldCalls, isBusy, isLoaded, reduce } from '../../static/chat/store.js';

const user = (id, text) => ({ type: 'CUSTOM', name: 'message.user', value: { messageId: id, text, author: { id: 'u', name: 'U' }, attachments: [] } });
const started = (runId, cause = 'message') => ({ type: 'RUN_STARTED', runId, metadata: { cause } });
const finished = (runId, outcome = { type: 'success' }) => ({ type: 'RUN_FINISHED', runId, outcome });
const begin = (id, run = 'r1') => ({ type: 'TEXT_MESSAGE_START', messageId: id, metadata: { run } });
const content = (id, delta, offset = 0) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta, metadata: { offset } });
const end = (id, length) => ({ type: 'TEXT_MESSAGE_END', messageId: id, metadata: { length, demo: true } });
const complete = (id, length) => ({ type: 'CUSTOM', name: 'message.complete', value: { messageId: id, length } });
const checked = (id, verdict, confirmation = null, more = {}) => ({ type: 'CUSTOM', name: 'tool_call.checked', value: { toolCallId: id, verdict, confirmation, ...more } });
const status = (id, value, more = {}) => ({ type: 'CUSTOM', name: 'tool_call.status', value: { toolCallId: id, status: value, ...more } });
const asked = (id) => [{ type: 'TOOL_CALL_START', toolCallId: id, toolCallName: 'tool', parentMessageId: 'm' }, { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: '{}' }, { type: 'TOOL_CALL_END', toolCallId: id }];
const delta = (id, text, offset) => ({ type: 'delta', conversation: 'c', event: content(id, text, offset) });

/** The state after these events, numbered on from where `state` stands. */
function after(state, ...events) {
  return events.flat().reduce((one, event) => reduce(one, { type: 'event', conversation: 'c', seq: one.seq + 1, event }), state);
}
const play = (...events) => after(fresh('c'), ...events);
const reply = (state) => state.entries['m:m'];

test('a state is never changed, only followed by another', () => {
  const before = play(user('a', 'Hi'));
  const copy = structuredClone(before);
  after(before, started('r1'), begin('m'), content('m', 'Hello'), end('m', 5));
  assert.deepEqual(before, copy);
});

test('an event seen before is dropped', () => {
  const state = play(user('a', 'Hi'));
  const again = reduce(state, { type: 'event', seq: 1, event: user('b', 'again') });
  assert.deepEqual(again.order, ['m:a']);
});

test('an event that skips a number is not taken and asks for a new subscription', () => {
  const state = reduce(fresh('c'), { type: 'event', seq: 2, event: user('a', 'Hi') });
  assert.equal(state.stale, true);
  assert.equal(state.seq, 0);
  assert.equal(reduce(state, { type: 'subscribed', seq: 2 }).stale, false);
});

test('deltas show a message before it is finished', () => {
  const state = reduce(play(started('r1'), begin('m')), [delta('m', 'Hel', 0), delta('m', 'lo', 3)]);
  assert.equal(reply(state).text, 'Hello');
  assert.equal(reply(state).ended, false);
});

test('T46: of an overlapping delta only the new part is taken', () => {
  const state = reduce(play(started('r1'), begin('m')), [delta('m', 'Hello', 0), delta('m', 'lo wor', 3), delta('m', 'Hello', 0)]);
  assert.equal(reply(state).text, 'Hello wor');
});

test('offsets count code points, not UTF-16 units', () => {
  const state = reduce(play(started('r1'), begin('m')), [delta('m', '👟👟', 0), delta('m', '👟跑鞋', 1), delta('m', '!', 4)]);
  assert.equal(reply(state).text, '👟👟跑鞋!');
  assert.equal(reply(state).points, 5);
});

test('a delta after a hole is not shown and asks for a new subscription', () => {
  const state = reduce(play(started('r1'), begin('m')), [delta('m', 'Hel', 0), delta('m', 'world', 6)]);
  assert.equal(reply(state).text, 'Hel');
  assert.equal(state.stale, true);
});

test('a replayed text replaces what deltas showed', () => {
  const state = reduce(play(started('r1'), begin('m')), delta('m', 'Hel', 0));
  const whole = after(state, content('m', 'Hello'), end('m', 5));
  assert.equal(reply(whole).text, 'Hello');
});

test('message.complete of the right length takes its number', () => {
  const state = reduce(play(started('r1'), begin('m')), delta('m', 'Hello', 0));
  const whole = after(state, complete('m', 5), end('m', 5));
  assert.equal(whole.seq, 4);
  assert.equal(reply(whole).ended, true);
});

test('message.complete of another length leaves its number to be replayed', () => {
  const state = reduce(play(started('r1'), begin('m')), delta('m', 'Hel', 0));
  const missed = after(state, complete('m', 5));
  assert.equal(missed.stale, true);
  assert.equal(missed.seq, state.seq);
  assert.equal(reply(after(missed, content('m', 'Hello'))).text, 'Hello');
});

test('message.restarted clears the draft; deltas begin at 0 again', () => {
  const state = reduce(play(started('r1'), begin('m')), delta('m', 'Half a sen', 0));
  const again = after(state, { type: 'CUSTOM', name: 'message.restarted', value: { messageId: 'm' } });
  assert.equal(reply(again).text, '');
  assert.equal(reply(reduce(again, delta('m', 'New', 0))).text, 'New');
});

test('a message waits until its run starts', () => {
  const state = play(user('a', 'One'), started('r1'), user('b', 'Two'));
  assert.equal(state.entries['m:a'].waiting, false);
  assert.equal(state.entries['m:b'].waiting, true);
  const later = after(state, finished('r1'), started('r2'));
  assert.equal(later.entries['m:b'].waiting, false);
  assert.equal(later.moving, 'r2');
});

test('cancelling a queued run does not end the one that moves', () => {
  const state = play(user('a', 'One'), started('r1'), user('b', 'Two'), started('r2'), finished('r2', { type: 'cancelled' }));
  assert.equal(state.moving, 'r1');
  assert.equal(state.entries['m:b'].waiting, false);
});

test('a run that acts on a decision starts no waiting message', () => {
  const state = play(user('a', 'One'), started('r1'), finished('r1'), user('b', 'Two'), started('r2', 'decision'));
  assert.equal(state.entries['m:b'].waiting, true);
});

test('busy from the message to the end of its run', () => {
  assert.equal(isBusy(play(user('a', 'Hi'))), true);
  assert.equal(isBusy(play(user('a', 'Hi'), started('r1'), finished('r1'))), false);
});

test('a held call waits with its confirmation and ends with its result', () => {
  const state = play(started('r1'), begin('m'), end('m', 0), asked('k'), checked('k', 'held', { id: 'c1', digest: 'd' }));
  assert.deepEqual(heldCalls(state).map((call) => call.id), ['k']);
  const done = after(state, status('k', 'approved', { by: { id: 'u', name: 'U' } }), status('k', 'claimed'), { type: 'TOOL_CALL_RESULT', toolCallId: 'k', content: '{}', metadata: { status: 'succeeded', ui: [] } });
  assert.deepEqual(heldCalls(done), []);
  assert.equal(done.entries['c:k'].status, 'succeeded');
  assert.equal(done.entries['c:k'].decision.by.name, 'U');
});

test('the user’s half of a two-person approval leaves the call held', () => {
  const state = play(started('r1'), asked('k'), checked('k', 'held', { id: 'c1' }), status('k', 'held', { needsReviewer: true }));
  assert.equal(state.entries['c:k'].status, 'held');
  assert.equal(state.entries['c:k'].decision.needsReviewer, true);
});

test('an interrupt brings a confirmation that was not told before', () => {
  const interrupt = { id: 'c1', toolCallId: 'k', expiresAt: '2026-01-01T00:00:00Z', metadata: { digest: 'd', risk: 'CONFIRM' } };
  const state = play(started('r1'), asked('k'), checked('k', 'held'), finished('r1', { type: 'interrupt', interrupts: [interrupt] }));
  assert.equal(state.entries['c:k'].confirmation.id, 'c1');
  assert.equal(state.entries['c:k'].confirmation.decideBy, '2026-01-01T00:00:00Z');
});

test('a call that asks for arguments keeps the form until it is answered', () => {
  const asking = play(started('r1'), asked('k'), checked('k', 'asking', null, { correction: { id: 'q1', schema: {} } }), finished('r1'));
  assert.deepEqual([asking.entries['c:k'].status, asking.entries['c:k'].correction.id, isBusy(asking)], ['asking', 'q1', false]);
  const held = after(asking, started('r2', 'correction'), checked('k', 'held', { id: 'c1' }, { flags: [{ name: 'corrected_by_person' }] }));
  const call = held.entries['c:k'];
  assert.deepEqual([call.status, call.correction, call.confirmation.id, call.checked.flags.length], ['held', null, 'c1', 1]);
  assert.deepEqual(heldCalls(held).map((one) => one.id), ['k']);
});

test('a second check replaces the first, and what was decided about the first', () => {
  const approved = play(asked('k'), checked('k', 'held', { id: 'c1', digest: 'd', preview: { price: 599 } }), status('k', 'approved', { by: { name: 'Bob' } }));
  assert.equal(approved.entries['c:k'].decision.status, 'approved');
  const again = after(approved, checked('k', 'held', { id: 'c1', digest: 'e', preview: { price: 649 }, previewBefore: { price: 599 } }));
  const call = again.entries['c:k'];
  assert.deepEqual([call.status, call.decision, call.confirmation.digest, call.confirmation.previewBefore], ['held', null, 'e', { price: 599 }]);
});

test('an edit is prepared again before it is asked about', () => {
  const held = play(asked('k'), checked('k', 'held', { id: 'c1', digest: 'd' }));
  const preparing = after(held, checked('k', 'proposed')).entries['c:k'];
  assert.deepEqual([preparing.status, preparing.confirmation], ['proposed', null]);
});

test('a corrected call that needs no yes goes on to its result', () => {
  const asking = play(asked('k'), checked('k', 'asking', null, { correction: { id: 'q1' } }));
  const done = after(asking, checked('k', 'cleared'), status('k', 'claimed'), { type: 'TOOL_CALL_RESULT', toolCallId: 'k', content: '{}', metadata: { status: 'succeeded', warnings: ['Look again.'] } });
  assert.deepEqual([done.entries['c:k'].status, done.entries['c:k'].result.warnings], ['succeeded', ['Look again.']]);
});

test('a question about arguments that was taken back is remembered as one', () => {
  const state = play(asked('k'), checked('k', 'asking', null, { correction: { id: 'q1' } }), status('k', 'withdrawn'));
  assert.deepEqual([state.entries['c:k'].status, state.entries['c:k'].correction.id], ['withdrawn', 'q1']);
});

test('an interrupt brings a form that was not told before, and never one for another state', () => {
  const interrupt = { id: 'q1', reason: 'input_required', toolCallId: 'k', expiresAt: '2026-01-01T00:00:00Z', responseSchema: { type: 'object' }, metadata: { arguments: { a: 1 }, errors: [] } };
  const ended = finished('r1', { type: 'interrupt', interrupts: [interrupt] });
  const { correction } = play(started('r1'), asked('k'), checked('k', 'asking'), ended).entries['c:k'];
  assert.deepEqual([correction.id, correction.answerBy, correction.schema, correction.arguments], ['q1', '2026-01-01T00:00:00Z', { type: 'object' }, { a: 1 }]);
  assert.equal(play(started('r1'), asked('k'), checked('k', 'cleared'), ended).entries['c:k'].correction, null);
});

test('an error can be retried until something else happens', () => {
  const state = play(user('a', 'Hi'), started('r1'), { type: 'RUN_ERROR', code: 'overloaded', message: '', metadata: { run: 'r1', retryable: true } });
  assert.equal(state.entries['e:r1'].retryable, true);
  assert.equal(state.moving, null);
  assert.equal(after(state, started('r2', 'retry')).entries['e:r1'].settled, true);
});

test('suggestions stand until the next message', () => {
  const state = play({ type: 'STATE_SNAPSHOT', snapshot: { suggestions: ['42', 7, '43'] } });
  assert.deepEqual(state.suggestions, ['42', '43']);
  assert.deepEqual(after(state, user('a', '42')).suggestions, []);
});

test('a sent message is shown once, whether its event or its ack comes first', () => {
  const sending = reduce(fresh('c'), { type: 'sending', key: 'k', text: 'Hi' });
  const event = { type: 'event', seq: 1, event: user('a', 'Hi') };
  const ack = { type: 'sent', key: 'k', message: 'a' };
  for (const order of [[event, ack], [ack, event]]) {
    const state = reduce(sending, order);
    assert.deepEqual([state.outbox, state.order], [[], ['m:a']]);
  }
});

test('a refused message stays, with the reason', () => {
  const state = reduce(fresh('c'), [{ type: 'sending', key: 'k', text: 'Hi' }, { type: 'unsent', key: 'k', code: 'rate_limited', detail: 'slow' }]);
  assert.deepEqual([state.outbox[0].state, state.outbox[0].error.code], ['failed', 'rate_limited']);
});

test('loaded when everything up to the subscription’s number is here', () => {
  const state = reduce(fresh('c'), { type: 'subscribed', seq: 1 });
  assert.equal(isLoaded(state), false);
  assert.equal(isLoaded(after(state, user('a', 'Hi'))), true);
});

test('entries that did not change keep their identity', () => {
  const state = play(user('a', 'Hi'), started('r1'), begin('m'));
  const next = reduce(state, delta('m', 'x', 0));
  assert.equal(next.entries['m:a'], state.entries['m:a']);
  assert.notEqual(next.entries['m:m'], state.entries['m:m']);
});

test('what is not known is passed over', () => {
  const state = play({ type: 'CUSTOM', name: 'weather.changed', value: {} }, { type: 'STEP_STARTED' });
  assert.equal(state.seq, 2);
  assert.deepEqual(reduce(state, { type: 'hello' }).order, []);
});

const retrying = (attempt, more = {}) => ({ type: 'CUSTOM', name: 'run.retrying', value: { run: 'r1', attempt, of: 3, code: 'overloaded', waitSeconds: 4, model: 'a', ...more }, timestamp: 1000 });
const switched = { type: 'CUSTOM', name: 'run.switched', value: { run: 'r1', model: 'b', was: 'a', code: 'quota_exhausted' } };

test('a wait between retries is known, also after a reload, until text comes', () => {
  const waiting = play(user('a', 'Hi'), started('r1'), begin('m'), retrying(1), retrying(2));
  assert.deepEqual([waiting.hold.kind, waiting.hold.attempt, waiting.hold.at], ['retrying', 2, 1000]);
  assert.equal(reduce(waiting, delta('m', 'H', 0)).hold, null);
  assert.equal(after(waiting, content('m', 'Hello'), end('m', 5)).hold, null);
  assert.equal(after(waiting, switched).hold.kind, 'switched');
});

test('a wait for the next minute is known until the next reply begins to come', () => {
  const waiting = play(user('a', 'Hi'), started('r1'), { type: 'CUSTOM', name: 'run.waiting', value: { run: 'r1', code: 'budget', waitSeconds: 40 }, timestamp: 1000 });
  assert.deepEqual([waiting.hold.kind, waiting.hold.waitSeconds, waiting.hold.at], ['waiting', 40, 1000]);
  assert.equal(after(waiting, begin('m'), content('m', 'Hello'), end('m', 5)).hold, null);
});

test('no wait outlives its run', () => {
  const waiting = play(user('a', 'Hi'), started('r1'), begin('m'), retrying(1));
  assert.equal(after(waiting, { type: 'RUN_ERROR', code: 'overloaded', message: '', metadata: { run: 'r1', retryable: true } }).hold, null);
  assert.equal(after(waiting, finished('r1', { type: 'cancelled' })).hold, null);
});

test('thoughts belong to the reply they came before', () => {
  const thoughts = { type: 'REASONING_MESSAGE_CONTENT', messageId: 'm.thoughts', delta: 'Hm.' };
  const state = play(started('r1'), begin('m'), thoughts, content('m', 'Four.'), end('m', 5));
  assert.deepEqual([reply(state).thoughts, reply(state).text], ['Hm.', 'Four.']);
});

test('what was seen of a failed answer stays', () => {
  const broken = { ...end('m', 3), metadata: { length: 3, finish: 'error' } };
  const state = play(started('r1'), begin('m'), content('m', 'Hel'), broken, { type: 'RUN_ERROR', code: 'network', message: '', metadata: { run: 'r1', retryable: true } });
  assert.deepEqual([reply(state).text, reply(state).ended, state.entries['e:r1'].retryable], ['Hel', true, true]);
});

const job = (id, content) => ({ type: 'ACTIVITY_SNAPSHOT', messageId: id, activityType: 'job', content, replace: true });
const working = { status: 'working', percent: 40, words: 'Reading', output: 'one' };

const news = (id, patch) => ({ type: 'ACTIVITY_DELTA', messageId: id, activityType: 'job', patch });

test('what is new of a job is added to its picture, until the next whole one', () => {
  const said = [{ op: 'replace', path: '/percent', value: 60 }, { op: 'add', path: '/said/-', value: 'two' }];
  const state = play(asked('x'), checked('x', 'cleared'), job('x', { ...working, said: [] }), news('x', said), news('y', said));
  const { status, job: shown } = state.entries['c:x'];
  assert.deepEqual([status, shown.percent, outputOf(shown)], ['working', 60, 'one\ntwo']);
  const whole = after(state, job('x', { ...working, output: 'one\ntwo', said: [] }));
  assert.equal(outputOf(whole.entries['c:x'].job), 'one\ntwo');
  assert.equal(outputOf({ output: 'of an older version' }), 'of an older version');
});

test('a job shows its newest picture, live as after a reload, and ends in its outcome', () => {
  const begun = [asked('x'), checked('x', 'cleared'), job('x', { ...working, status: 'queued' }), job('x', working)];
  const state = play(...begun);
  assert.deepEqual([state.entries['c:x'].status, state.entries['c:x'].job], ['working', working]);
  assert.equal(isBusy(state), false);
  const over = after(state, job('x', { ...working, status: 'failed' }), { type: 'TOOL_CALL_RESULT', toolCallId: 'x', content: '', metadata: { status: 'failed', error: { code: 'cancelled' } } });
  assert.deepEqual([over.entries['c:x'].status, over.entries['c:x'].job.output], ['failed', 'one']);
});

test('an activity of another kind, or of a call that is not here, changes nothing', () => {
  const state = play(asked('x'), { ...job('x', working), activityType: 'other' }, job('y', working));
  assert.equal(state.entries['c:x'].job, null);
});
