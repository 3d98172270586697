// Counting and revealing text. Run by `test_store.py`.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { interpolate, localised, money } from '../../static/chat/i18n.js';
import { timeLeft } from '../../static/chat/parts.js';
import { hides, points, reveal, skip } from '../../static/chat/text.js';

const marks = (text) => reveal(text).filter((piece) => piece.mark).map((piece) => piece.mark);

test('code points are counted as Python counts them', () => {
  assert.deepEqual(['', 'abc', '跑鞋', '👟', '👨‍👩‍👧', 'e\u0301', '\ud800x'].map(points), [0, 3, 2, 1, 5, 2, 2]);
});

test('skipping code points never splits one', () => {
  assert.deepEqual([skip('👟a', 1), skip('abc', 0), skip('ab', 5), skip('a👟b', 2)], ['a', 'abc', '', 'b']);
});

test('T04: direction overrides and zero-width characters are made visible', () => {
  assert.deepEqual(marks('a\u202Eb\u200Bc\u2066d\uFEFF'), ['RLO', 'ZWSP', 'LRI', 'BOM']);
});

test('T04: tag characters, fillers and odd spaces are made visible', () => {
  assert.deepEqual(marks('a\u{E0041}b\u3164c\u00A0d\u2800'), ['U+E0041', 'U+3164', 'NBSP', 'U+2800']);
});

test('T04: blank lines cannot push what follows out of sight', () => {
  assert.deepEqual(marks(`Hello${'\n'.repeat(40)}Approved`), ['↵ × 40']);
  assert.deepEqual(marks('a\n\nb'), []);
});

test('nothing but marks is added: ordinary text of any language is left alone', () => {
  for (const text of ['Plain text, 1 < 2 & "so".', '一双 Nike 跑鞋　500', 'العربية', '👟', 'tab\tand\nline']) {
    assert.equal(hides(text), false, text);
    assert.equal(reveal(text).map((piece) => piece.text).join(''), text);
  }
});

test('messages are filled by name, and only by names they were given', () => {
  assert.equal(interpolate('%(a)s of %(b)s, %(c)s', { a: 1, b: '%(a)s' }), '1 of %(a)s, %(c)s');
});

test('a text in both languages falls back to the one there is', () => {
  assert.deepEqual([localised({ en: 'Cart', 'zh-hans': '购物车' }), localised({ 'zh-hans': '购物车' }), localised(null)], ['Cart', '购物车', '']);
});

test('money shows cents only when there are some', () => {
  assert.deepEqual([money(399), money(489.5), money('12'), money('soon')], ['¥399', '¥489.50', '¥12', 'soon']);
});

test('the time to decide runs down within the hour; before that it is told until when', () => {
  const [now, hour] = [new Date(2026, 10, 20, 18, 0), 3600];
  const told = (seconds) => timeLeft(seconds, now).replace('\u202f', ' ');
  assert.deepEqual([59, 899, hour - 1].map(told), ['0:59 left', '14:59 left', '59:59 left']);
  assert.deepEqual([hour, 6 * hour].map(told), ['until 7:00 PM', 'until tomorrow 12:00 AM']);
  assert.equal(told(23.5 * hour), 'until tomorrow 5:30 PM');
  assert.match(told(72 * hour), /^until Mon, Nov 23, 6:00 PM$/);
});
