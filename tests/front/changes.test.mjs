// What changed between two previews, and how a person is told. Run by `test_store.py`.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { changeSentence, changesOf, keyOf, nameOf, placeOf } from '../../static/chat/changes.js';

const CART = { lines: [{ name: 'Pegasus', quantity: 1, price: 599 }], total: 599, address: 'Lane 7' };
const DEARER = { lines: [{ name: 'Pegasus', quantity: 1, price: 649 }], total: 649, address: 'Lane 7' };
const paths = (before, after) => changesOf(before, after).map(({ path }) => keyOf(path));

test('what is the same is no change, in whatever order its names stand', () => {
  assert.deepEqual(changesOf(CART, structuredClone(CART)), []);
  assert.deepEqual(changesOf({ a: 1, b: { c: [2] } }, { b: { c: [2] }, a: 1 }), []);
});

test('a change is told where it is', () => {
  assert.deepEqual(changesOf(CART, DEARER), [
    { path: ['lines', 0, 'price'], before: 599, after: 649 },
    { path: ['total'], before: 599, after: 649 },
  ]);
});

test('what came and what went are changes as well', () => {
  assert.deepEqual(paths({ lines: [1] }, { lines: [1, 2] }), ['["lines",1]']);
  assert.deepEqual(paths({ a: 1, b: 2 }, { a: 1 }), ['["b"]']);
  assert.deepEqual(paths({ a: null }, {}), ['["a"]']);
});

test('a value of another kind is one change, not many', () => {
  assert.deepEqual(paths({ a: [1, 2] }, { a: { 0: 1 } }), ['["a"]']);
  assert.deepEqual(paths({ a: '3' }, { a: 3 }), ['["a"]']);
});

test('names that objects inherit are not taken for values', () => {
  assert.deepEqual(changesOf({}, { toString: 1 }), [{ path: ['toString'], before: undefined, after: 1 }]);
  assert.equal(nameOf('constructor'), 'Constructor');
});

test('the sentence says what changed, from what to what, and what to do', () => {
  assert.equal(changeSentence({ price: 599 }, { price: 649 }, true), 'This changed since you approved: Price: 599 → 649. Please decide again.');
  assert.match(changeSentence(CART, DEARER, true), /Price: 599 → 649; Total: 599 → 649\. Please/);
  assert.match(changeSentence({ price: 1 }, { price: 2 }, false), /since it was approved.*decided again/);
});

test('many changes are counted, long values shortened', () => {
  const many = (value) => ({ a: value, b: value, c: value, d: value, e: value });
  assert.match(changeSentence(many(1), many(2), true), /\(and 2 more\)/);
  assert.ok(changeSentence({ a: 'x'.repeat(500) }, { a: 'y' }, true).length < 200);
});

test('simple values are told before whole lines that came or went', () => {
  const told = changeSentence({ total: 1, notes: [] }, { total: 2, notes: [{ text: 'new' }] }, true);
  assert.match(told, /Total: 1 → 2 \(and 1 more\)/);
});

test('names and places are made readable', () => {
  assert.equal(nameOf('unit_price'), 'Unit price');
  assert.equal(nameOf('cart_id'), 'Cart id');
  assert.equal(nameOf('_'), '_');
  assert.equal(placeOf(['lines', 1, 'price']), 'Lines 2, Price');
});
