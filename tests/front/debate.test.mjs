// Debates in the store, read as a manual. Run by `test_store.py`.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { treeOf } from '../../static/chat/branches.js';
import { cited, confidenceOf, debateShown, personasOf, roundOf, stageOf } from '../../static/chat/debate.js';
import { optionsOf } from '../../static/chat/debate-settings.js';
import { roundWords } from '../../static/chat/debate-words.js';
import { fresh, isBusy, reduce } from '../../static/chat/store.js';

const PERSONAS = [{ slug: 'cognito', name: 'Cognito', colour: 'teal' }, { slug: 'muse', name: 'Muse', colour: 'violet' }];
const custom = (name, value) => ({ type: 'CUSTOM', name, value });
const user = (id, more = {}) => custom('message.user', { messageId: id, text: id, author: { id: 'u', name: 'U' }, attachments: [], parent: more.parent ?? null, ...more });
const started = (runId = 'r1', cause = 'message') => ({ type: 'RUN_STARTED', runId, metadata: { cause } });
const begun = (more = {}) => [custom('debate.started', { debate: 'd', question: 'q', personas: PERSONAS, mode: 'fixed', rounds: 3, most_rounds: 8, budget: '', ...more }), { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/notepad', value: { debate: 'd', version: 0, entries: [], changes: [] } }] }];
const place = (turn) => ({ debate: 'd', speaker: turn ? PERSONAS[(turn - 1) % 2].slug : '', turn, round: Math.ceil(turn / 2), stage: turn ? 'turn' : 'summary' });
const begin = (id, turn, parent) => ({ type: 'TEXT_MESSAGE_START', messageId: id, metadata: { run: 'r1', parent, ...place(turn) } });
const words = (id, text = id) => [{ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta: text, metadata: { offset: 0 } }, { type: 'TEXT_MESSAGE_END', messageId: id, metadata: {} }];
const changed = (status, steer = '') => custom('debate.changed', { debate: 'd', status, round: 1, steer });
const ended = (status) => custom('debate.ended', { debate: 'd', status });
const finished = (type = 'success') => ({ type: 'RUN_FINISHED', runId: 'r1', outcome: { type } });
const call = (name) => [{ type: 'TOOL_CALL_START', toolCallId: 'k', toolCallName: name, parentMessageId: 'm1' }, { type: 'TOOL_CALL_END', toolCallId: 'k' }];

const after = (state, ...events) => events.flat(Infinity).reduce((one, event) => reduce(one, { type: 'event', seq: one.seq + 1, event }), state);
const play = (...events) => after(fresh('c'), user('q'), started(), begun(), ...events);
const shownOf = (state) => treeOf(state).shown;
const stage = (state) => stageOf(state, debateShown(state, shownOf(state)), shownOf(state));
const said = (state, id) => state.entries[`m:${id}`].said;

test('a debate begins with its question and is shown with it', () => {
  const state = play();
  assert.equal(debateShown(state, shownOf(state)).id, 'd');
  assert.equal(debateShown(fresh('c'), []), null);
  assert.deepEqual(debateShown(state, shownOf(state)).personas.map(({ side, hue }) => [side, hue]), [['left', 'teal'], ['right', 'violet']]);
});

test('every message knows who said it, in which turn and round', () => {
  const state = play(begin('m1', 1, 'q'), words('m1'), begin('m2', 2, 'm1'), words('m2'), begin('m3', 3, 'm2'));
  assert.deepEqual([said(state, 'm2').persona.name, said(state, 'm2').turn, said(state, 'm2').round], ['Muse', 2, 1]);
  assert.equal(roundOf(state, state.debates.d, shownOf(state)), 2);
});

test('a call knows which persona makes it, and so does an error', () => {
  const state = play(begin('m1', 1, 'q'), words('m1'), call('get_price'), { type: 'RUN_ERROR', code: 'network', metadata: { run: 'r1', retryable: true } });
  assert.deepEqual([state.entries['c:k'].said.persona.slug, state.entries['e:r1'].said.turn], ['cognito', 1]);
});

test('two personas of one colour are told apart all the same', () => {
  const hues = (...colours) => personasOf(colours.map((colour, at) => ({ slug: `p${at}`, colour }))).map(({ hue }) => hue);
  assert.deepEqual(hues('rose', 'rose'), ['rose', 'teal']);
  assert.deepEqual(hues('teal', 'teal'), ['teal', 'violet']);
  assert.deepEqual(hues(undefined, 'evil" onclick='), ['teal', 'violet']);
});

test('where it stands, from the first thought to the end', () => {
  const writing = reduce(play(begin('m1', 1, 'q')), { type: 'delta', event: { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'I', metadata: { offset: 0 } } });
  const spoken = play(begin('m1', 1, 'q'), words('m1'));
  const what = (state) => stage(state).what;
  assert.equal(what(play()), 'thinks');
  assert.deepEqual([stage(play(begin('m1', 1, 'q'))).what, stage(writing).what, stage(writing).persona.slug], ['thinks', 'speaks', 'cognito']);
  assert.equal(what(after(spoken, call('get_price'))), 'acts');
  assert.equal(what(after(spoken, changed('paused'), finished())), 'paused');
  assert.equal(what(after(spoken, begin('s', 0, 'm1'))), 'summarising');
  assert.equal(what(after(spoken, begin('s', 0, 'm1'), words('s'), ended('done'), finished())), 'done');
  assert.equal(what(after(spoken, ended('stopped'), finished('cancelled'))), 'stopped');
  assert.equal(what(after(spoken, begin('m2', 2, 'm1'), { type: 'RUN_ERROR', code: 'network', metadata: { run: 'r1', retryable: true } })), 'failed');
  assert.equal(what(after(spoken, ended('stopped'), finished('cancelled'), changed('active'), started('r2', 'debate'))), 'thinks');
});

test('who steps in waits for the next turn, and starts no run', () => {
  const state = play(begin('m1', 1, 'q'), words('m1'), user('s', { debate: 'd', parent: null, queued: true }));
  assert.deepEqual([state.entries['m:s'].stepsInto, state.entries['m:s'].waiting, state.waiting], ['d', true, []]);
  const placed = after(state, custom('message.placed', { messageId: 's', parent: 'm1' }), finished());
  assert.deepEqual([placed.entries['m:s'].waiting, isBusy(placed)], [false, false]);
});

test('suggestions and notepad share one state: neither takes the other away', () => {
  const note = { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/notepad/changes/-', value: { version: 1 } }] };
  const state = play(note, { type: 'STATE_SNAPSHOT', snapshot: { suggestions: ['a', 7] } });
  assert.deepEqual([state.notepads.d.changes.length, state.suggestions], [1, ['a']]);
  assert.deepEqual(after(state, { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/suggestions', value: ['b'] }] }).suggestions, ['b']);
});

test('each debate keeps its own notepad', () => {
  const note = (text) => ({ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/notepad/changes/-', value: { version: 1, text } }] });
  const one = play(note('one'), begin('s', 0, 'q'), words('s'), ended('done'), finished());
  const two = after(one, user('q2', { parent: 's' }), started('r2'), custom('debate.started', { debate: 'e', question: 'q2', personas: PERSONAS }), note('two'));
  assert.deepEqual([two.notepads.d.changes[0].text, two.notepads.e.changes[0].text], ['one', 'two']);
  assert.equal(debateShown(two, shownOf(two)).id, 'e');
});

test('rounds are counted, or bounded', () => {
  assert.equal(roundWords({ mode: 'fixed', rounds: 3, most: 8 }, 2), 'Round 2 of 3');
  assert.equal(roundWords({ mode: 'ai', rounds: 3, most: 8 }, 2), 'Round 2, at most 8');
});

test('citations are found, one or several in a bracket', () => {
  assert.deepEqual(cited('See [N3] and [T2, N11].'), [{ text: 'See ' }, { kind: 'N', n: 3 }, { text: ' and ' }, { kind: 'T', n: 2 }, { kind: 'N', n: 11 }, { text: '.' }]);
  assert.deepEqual(cited('[N] [X3] N3 [N3'), [{ text: '[N] [X3] N3 [N3' }]);
});

test('a summary’s confidence is read in words or in percent, in both languages', () => {
  const level = (text) => confidenceOf(text)?.level;
  assert.deepEqual(['**Confidence:** high', 'Confidence is low.', '### Confidence\n\n**Medium.** Why', '### 把握\n\n**中等。** 因为', '置信度：高'].map(level), ['high', 'low', 'medium', 'medium', 'high']);
  assert.deepEqual([confidenceOf('Confidence: 72 %'), confidenceOf('把握约为 30%')?.level], [{ level: 'high', percent: 72 }, undefined]);
  assert.equal(confidenceOf('They spoke with confidence. High time!')?.level, undefined);
});

test('the next question carries only what differs from the usual', () => {
  const card = { mode: 'fixed', rounds: 3, mostRounds: 8, presets: ['premium'], personas: [{ slug: 'cognito', models: ['a', 'b'] }, { slug: 'muse', models: [] }] };
  assert.deepEqual(optionsOf({}, card), {});
  assert.deepEqual(optionsOf({ mode: 'ai', rounds: { ai: 5, fixed: 4 }, budget: 'premium', models: { cognito: 'b', muse: 'x' } }, card), { mode: 'ai', rounds: 5, budget: 'premium', models: { cognito: 'b' } });
  assert.deepEqual(optionsOf({ budget: 'gone', rounds: { fixed: 3 }, models: { cognito: '' } }, card), {});
});
