// The notepad, read as a manual. Run by `test_store.py`.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { blank, byKind, changeTo, notepadAt, patched } from '../../static/chat/notepad.js';

const change = (version, entry, action, text = '', more = {}) => ({ version, entry, action, kind: 'fact', text, by: 'cognito', turn: version, ...more });
const pad = (...changes) => ({ ...blank('d'), version: changes.length, changes });
const texts = (entries) => entries.map(({ n, text, struck }) => `${n} ${text}${struck ? ' (struck)' : ''}`);

test('a patch makes a new state and leaves the old one', () => {
  const before = { notepad: blank('d'), suggestions: ['a'] };
  const after = patched(before, [
    { op: 'add', path: '/notepad/entries/-', value: { n: 1 } },
    { op: 'replace', path: '/notepad/version', value: 1 },
    { op: 'add', path: '/notepad/changes/-', value: change(1, 1, 'add', 'x') },
  ]);
  assert.deepEqual([after.notepad.entries, after.notepad.version, after.notepad.changes.length, after.suggestions], [[{ n: 1 }], 1, 1, ['a']]);
  assert.deepEqual(before.notepad, blank('d'));
});

test('entries are inserted, replaced and removed where the patch says', () => {
  const list = (...operations) => patched({ list: ['a', 'b'] }, operations).list.join('');
  assert.equal(list({ op: 'add', path: '/list/1', value: 'x' }), 'axb');
  assert.equal(list({ op: 'replace', path: '/list/0', value: 'x' }), 'xb');
  assert.equal(list({ op: 'remove', path: '/list/0' }), 'b');
  assert.deepEqual(patched({ 'a/b~c': 1 }, [{ op: 'replace', path: '/a~1b~0c', value: 2 }]), { 'a/b~c': 2 });
});

test('an operation that does not fit is left out', () => {
  const misfits = [{ op: 'add', path: '/no/where', value: 1 }, { op: 'replace', path: '/list/9', value: 1 }, { op: 'add', path: '/list/x', value: 1 }, { op: 'dance', path: '/list' }, {}];
  assert.deepEqual(patched({ list: ['a'] }, misfits), { list: ['a'] });
  assert.deepEqual(patched({ list: [] }, undefined), { list: [] });
});

test('a patch does not reach the language’s own objects', () => {
  for (const path of ['/__proto__/evil', '/constructor/prototype/evil', '/list/__proto__/evil']) patched({ list: [] }, [{ op: 'add', path, value: 1 }]);
  assert.equal({}.evil, undefined);
  assert.equal(Object.getPrototypeOf(patched({}, [{ op: 'add', path: '/__proto__', value: { evil: 1 } }])), Object.prototype);
});

test('any earlier version can be seen: added, changed, struck', () => {
  const notepad = pad(change(1, 1, 'add', 'six'), change(2, 2, 'add', 'maybe', { kind: 'assumption' }), change(3, 1, 'change', 'seven', { by: 'muse' }), change(4, 2, 'strike'));
  assert.deepEqual(texts(notepadAt(notepad, 1)), ['1 six']);
  assert.deepEqual(texts(notepadAt(notepad, 3)), ['1 seven', '2 maybe']);
  assert.deepEqual(texts(notepadAt(notepad, 4)), ['1 seven', '2 maybe (struck)']);
  const [first] = notepadAt(notepad, 3);
  assert.deepEqual([first.by, first.before, first.last.by], ['cognito', 'six', 'muse']);
  assert.equal(changeTo(notepad, 4).action, 'strike');
  assert.equal(changeTo(notepad, 5), null);
});

test('a change of what was never noted changes nothing', () => {
  assert.deepEqual(notepadAt(pad(change(1, 7, 'strike'), change(2, 8, 'dance')), 2), []);
});

test('without its changes a notepad shows what stands', () => {
  const [entry] = notepadAt({ ...blank('d'), version: 3, entries: [{ n: 1, kind: 'fact', text: 'x', by: 'muse', turn: 2, struck: true }] }, 3);
  assert.deepEqual([entry.text, entry.struck, entry.last], ['x', true, null]);
});

test('entries stand under their kinds, unknown kinds last', () => {
  const entries = ['todo', 'weather', 'fact', 'todo'].map((kind, at) => ({ n: at + 1, kind }));
  assert.deepEqual(byKind(entries).map(([kind, some]) => [kind, some.map(({ n }) => n)]), [['fact', [3]], ['todo', [1, 4]], ['other', [2]]]);
});
