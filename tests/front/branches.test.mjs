// Which messages are shown, and which versions of one there are. Run by `test_store.py`.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { treeOf } from '../../static/chat/branches.js';
import { fresh, reduce } from '../../static/chat/store.js';

const custom = (name, value) => ({ type: 'CUSTOM', name, value });
const user = (id, parent, more = {}) => custom('message.user', { messageId: id, text: id, author: { id: 'u', name: 'U' }, attachments: [], ...(parent === undefined ? {} : { parent }), ...more });
const started = (runId, cause = 'message', more = {}) => ({ type: 'RUN_STARTED', runId, metadata: { cause, ...more } });
const finished = (runId, outcome = { type: 'success' }) => ({ type: 'RUN_FINISHED', runId, outcome });
const broken = (run) => ({ type: 'RUN_ERROR', code: 'network', message: '', metadata: { run, retryable: true } });
const reply = (id, parent, run = 'r1', text = id) => [
  { type: 'TEXT_MESSAGE_START', messageId: id, metadata: { run, ...(parent === undefined ? {} : { parent }) } },
  ...(text ? [{ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta: text, metadata: { offset: 0 } }] : []),
  { type: 'TEXT_MESSAGE_END', messageId: id, metadata: {} },
];
const turn = (said, answer, parent, run) => [user(said, parent), started(run), reply(answer, said, run), finished(run)].flat();

const after = (state, ...events) => events.flat(Infinity).reduce((one, event) => reduce(one, { type: 'event', conversation: 'c', seq: one.seq + 1, event }), state);
const play = (...events) => after(fresh('c'), ...events);
const shown = (state) => treeOf(state).shown.join(' ');

test('one branch is shown in the order in which it was said', () => {
  assert.equal(shown(play(turn('a', 'b', null, 'r1'), turn('c', 'd', 'b', 'r2'))), 'm:a m:b m:c m:d');
});

test('a log from before there were branches reads as one', () => {
  const state = play(user('a'), started('r1'), user('w'), reply('b'), finished('r1'), started('r2'), reply('x', undefined, 'r2'), finished('r2'));
  assert.equal(shown(state), 'm:a m:b m:w m:x');
});

test('an edited message hides what followed the old one, and both are versions', () => {
  const state = play(turn('a', 'b', null, 'r1'), turn('c', 'd', 'b', 'r2'), turn('e', 'f', 'b', 'r3'));
  assert.equal(shown(state), 'm:a m:b m:e m:f');
  assert.deepEqual(treeOf(state).versions('e'), ['c', 'e']);
  assert.deepEqual(treeOf(state).versions('a'), ['a']);
});

test('going to another version shows its branch; a reload shows the same', () => {
  const events = [turn('a', 'b', null, 'r1'), turn('c', 'd', null, 'r2'), custom('conversation.branch', { head: 'b' })];
  assert.equal(shown(play(events)), 'm:a m:b');
  assert.equal(shown(play(events, custom('conversation.branch', { head: 'd' }))), 'm:c m:d');
});

test('what waits stands last until it has its place', () => {
  const waits = play(user('a', null), started('r1'), user('w', null, { queued: true }), reply('b', 'a'));
  assert.equal(shown(waits), 'm:a m:b m:w');
  assert.deepEqual(treeOf(waits).versions('a'), ['a']);
  assert.equal(shown(after(waits, finished('r1'), started('r2'), custom('message.placed', { messageId: 'w', parent: 'b' }))), 'm:a m:b m:w');
});

test('a retry stands beside the reply that failed; one that said nothing is no version', () => {
  const failed = play(user('a', null), started('r1'), reply('b', 'a', 'r1', ''), broken('r1'));
  assert.equal(shown(failed), 'm:a m:b e:r1');
  const again = after(failed, custom('conversation.branch', { head: 'a' }), started('r2', 'retry'), reply('c', 'a', 'r2'), finished('r2'));
  assert.equal(shown(again), 'm:a m:c');
  assert.deepEqual(treeOf(again).versions('c'), ['c']);
});

test('half an answer that broke off is a version one can go back to', () => {
  const again = play(user('a', null), started('r1'), reply('b', 'a'), broken('r1'), custom('conversation.branch', { head: 'a' }), started('r2', 'retry'), reply('c', 'a', 'r2'), finished('r2'));
  assert.deepEqual(treeOf(again).versions('c'), ['b', 'c']);
});

test('a retry says what was carried out already', () => {
  const state = play(user('a', null), started('r1', 'retry', { done: ['k1', 'k2'] }));
  const noted = treeOf(state).shown.map((key) => state.entries[key]).find(({ kind }) => kind === 'note');
  assert.deepEqual([noted.code, noted.count], ['retried', 2]);
});

test('calls stand below their message, in its branch alone', () => {
  const call = { type: 'TOOL_CALL_START', toolCallId: 'k', toolCallName: 'tool', parentMessageId: 'b' };
  const state = play(turn('a', 'b', null, 'r1'), call, turn('c', 'd', null, 'r2'));
  assert.equal(shown(state), 'm:c m:d');
  assert.equal(shown(after(state, custom('conversation.branch', { head: 'b' }))), 'm:a m:b c:k');
});

test('a summary stands after the messages it is told in place of', () => {
  const state = play(turn('a', 'b', null, 'r1'), turn('c', 'd', 'b', 'r2'), custom('conversation.summarised', { messageId: 'b', messages: 2, text: 'x' }));
  assert.equal(shown(state), 'm:a m:b s:b m:c m:d');
});
