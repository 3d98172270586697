// Every name of the wire that a person may meet has words. Run by `test_store.py`.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { flagMarks, flagWords, holdWords, isMend, outcomeSentence, reasonsOf, runErrorSentence, statusWords, untold, warningWords, writerWords } from '../../static/chat/words.js';

const MENDS = ['fence', 'prose', 'quotes', 'unquoted', 'commas', 'comments', 'literals', 'brackets', 'escapes', 'encoded'];
const COERCIONS = ['text_to_number', 'text_to_integer', 'text_to_boolean', 'number_to_integer', 'number_to_text', 'wrapped_in_list', 'parsed_json_text'];
const OTHERS = ['default', 'empty', 'truncated', 'too_large', 'written_as_text', 'after_untrusted', 'corrected_by_person', 'nobody_can_approve', 'edited', 'granted', 'preview_changed', 'strict_null'];

test('every flag has a sentence of its own', () => {
  const told = [...MENDS, ...OTHERS].map((name) => flagWords({ name, detail: 'x' }));
  const coerced = COERCIONS.map((detail) => flagWords({ name: 'coerced', detail }));
  assert.equal(new Set([...told, ...coerced]).size, MENDS.length + OTHERS.length + COERCIONS.length);
  for (const words of told) assert.match(words, /\.$|: x$/);
  assert.match(flagWords({ name: 'coerced', detail: 'something_new' }), /form the tool takes/);
});

test('a mend in several places says in how many', () => {
  assert.equal(flagWords({ name: 'commas', detail: 3 }), 'Commas were put right. (3 places)');
  assert.equal(flagWords({ name: 'commas' }), 'Commas were put right.');
});

test('a default says what was taken', () => {
  assert.match(flagWords({ name: 'default', detail: 'calm' }), /calm/);
  assert.match(flagWords({ name: 'default', after: 7 }), /7/);
});

test('a rule speaks for itself', () => {
  assert.equal(flagWords({ name: 'rule:title', detail: 'Say more.' }), 'Say more.');
});

test('reasons are in the language of who reads them', (t) => {
  const checked = { reasons: ['Why.'], reasonsIn: [{ en: 'Why.', 'zh-hans': '原因。' }] };
  assert.deepEqual(reasonsOf(checked), ['Why.']);
  globalThis.document = { documentElement: { lang: 'zh-hans' } };
  t.after(() => delete globalThis.document);
  assert.deepEqual(reasonsOf(checked), ['原因。']);
  assert.deepEqual(reasonsOf({ reasons: ['Why.'] }), ['Why.'], 'as an earlier server told it');
  assert.deepEqual(reasonsOf(undefined), []);
});

test('what changed the arguments is told from what was only noted', () => {
  assert.deepEqual([...MENDS, ...OTHERS].filter((name) => isMend({ name })), MENDS);
  assert.ok(isMend({ name: 'coerced' }));
  assert.ok(!isMend({ name: 'toString' }));
});

test('a card is marked by what a person should know at a glance', () => {
  const marks = (...flags) => flagMarks(flags).map(([words]) => words);
  assert.deepEqual(marks({ name: 'default' }, { name: 'after_untrusted' }), []);
  assert.deepEqual(marks({ name: 'commas' }, { name: 'coerced' }), ['Mended']);
  assert.deepEqual(marks({ name: 'brackets', contested: true }, { name: 'written_as_text' }), ['Mended, but could be read otherwise', 'Written as text']);
  assert.deepEqual(marks({ name: 'corrected_by_person' }), ['Corrected by hand']);
  assert.deepEqual(marks({ name: 'edited', detail: 'Bob' }, { name: 'granted' }), ['Changed before approval', 'Allowed beforehand']);
});

test('a question about arguments ends in other words than one about a decision', () => {
  assert.notEqual(outcomeSentence('withdrawn', true), outcomeSentence('withdrawn'));
  assert.notEqual(outcomeSentence('expired', true), outcomeSentence('expired'));
  assert.equal(outcomeSentence('denied', true), outcomeSentence('denied'));
  assert.equal(statusWords('asking')[0], 'Waiting for your correction');
});

test('a call that is being prepared says for what', () => {
  assert.deepEqual(statusWords('proposed'), ['Preparing …', '', 'spin']);
  assert.match(outcomeSentence('proposed'), /what exactly would be done/);
});

test('what a reason says is not said again by a flag', () => {
  const flags = [{ name: 'written_as_text' }, { name: 'commas' }];
  assert.deepEqual(untold(flags, ['The agent wrote it into its text.']), [{ name: 'commas' }]);
  assert.deepEqual(untold(flags, []), flags);
});

test('what stands there already is told calmly', () => {
  assert.deepEqual(statusWords('failed', 'duplicate'), ['Already there', '', 'info']);
  assert.equal(statusWords('failed', 'out_of_stock')[0], 'Failed');
  assert.equal(statusWords('succeeded', 'duplicate')[0], 'Done');
});

test('a warning under a message names the tool; one that is not known speaks for itself', () => {
  assert.match(warningWords({ code: 'written_call', name: 'drop', message: '' }), /“drop”/);
  assert.equal(warningWords({ code: 'new', message: 'Look.' }), 'Look.');
});

test('while a person waits they read why, and what comes next', () => {
  const wait = { kind: 'retrying', code: 'overloaded', attempt: 2, of: 3, model: 'a' };
  assert.equal(holdWords(wait, 4), 'The model is busy. Trying again in 4 s (2 of 3)');
  assert.equal(holdWords(wait, 0), 'The model is busy. Trying again now (2 of 3)');
  assert.equal(holdWords({ kind: 'switched', model: 'b', was: 'a', code: 'quota_exhausted' }, 0), 'b answers instead of a: quota used up.');
  const codes = ['rate_limited', 'overloaded', 'timeout', 'network', 'malformed'].map((code) => holdWords({ ...wait, code }, 1));
  assert.equal(new Set(codes).size, codes.length);
});

test('G1: a reply names the model that wrote it, and whose place it took', () => {
  const fallback = { model: 'b', was: 'a', code: 'quota_exhausted' };
  assert.equal(writerWords({ model: 'b-2026' }), 'b-2026');
  assert.equal(writerWords({ model: 'b-2026', fallback }), 'b-2026 (fallback) · a: quota used up');
  assert.equal(writerWords({ model: 'demo', demo: true, fallback }), 'b (fallback) · a: quota used up');
});

test('G5: why there is no answer is said by the server where the code alone does not tell', () => {
  assert.equal(runErrorSentence('bad_request', 'None of the models sees pictures.'), 'None of the models sees pictures.');
  assert.equal(runErrorSentence('overloaded', 'their words'), runErrorSentence('overloaded'));
  assert.match(runErrorSentence('empty_reply', ''), /nothing/);
});
