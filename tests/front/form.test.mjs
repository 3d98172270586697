// From a tool's schema to a form and back, read as a manual. Run by `test_store.py`.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hasFields, planOf } from '../../static/chat/fields.js';
import { GIVEN, filledFrom, filledFromTemplate, valueFrom } from '../../static/chat/filled.js';
import { pathOf, placesOf, sorted } from '../../static/chat/places.js';
import { readStrictly } from '../../static/chat/strict.js';

const object = (properties, more = {}) => ({ type: 'object', properties, ...more });
const ORDER = object(
  {
    title: { type: 'string', title: 'Title', maxLength: 60 },
    count: { type: 'integer', minimum: 1 },
    gift: { type: 'boolean' },
    size: { enum: ['S', 'M', 42] },
    items: { type: 'array', items: object({ sku: { type: 'string' }, price: { type: 'number' } }, { required: ['sku'] }) },
    extra: { type: 'object', additionalProperties: { type: 'string' } },
  },
  { required: ['title', 'count'] },
);
const plan = (schema, given, templates) => planOf(schema, given, templates);
const kinds = (node) => Object.fromEntries(node.children.map((child) => [child.name, child.kind]));
const child = (node, name) => node.children.find((one) => one.name === name);
/** Out of the form what went into it. */
const through = (schema, given) => {
  const made = plan(schema, given);
  return valueFrom(made, filledFrom(made, given), given).value;
};
/** The value after a person changed fields, by what stands in them. */
const edited = (schema, given, change) => {
  const made = plan(schema, given);
  const filled = filledFrom(made, given);
  change(filled);
  return valueFrom(made, filled, given);
};

test('each kind of schema gets its kind of field', () => {
  assert.deepEqual(kinds(plan(ORDER, {})), { title: 'text', count: 'number', gift: 'choice', size: 'choice', items: 'list', extra: 'json' });
  assert.equal(child(plan(ORDER, {}), 'title').title, 'Title');
  assert.equal(child(plan(ORDER, {}), 'count').title, 'count');
});

test('what fields cannot show is written as JSON, alone or as a whole', () => {
  const either = { anyOf: [object({ a: {} }), { type: 'array', items: {} }] };
  assert.deepEqual(kinds(plan(object({ either, any: {}, pair: { type: 'array', prefixItems: [{}] } }), {})), { either: 'json', any: 'json', pair: 'json' });
  assert.equal(hasFields(plan({ type: 'object' }, {})), false);
  assert.equal(hasFields(plan(ORDER, {})), true);
});

test('references, nullable types and titled constants are looked through', () => {
  const schema = {
    ...object({ at: { $ref: '#/$defs/place' }, note: { type: ['string', 'null'] }, kind: { oneOf: [{ const: 'a', title: 'First' }, { const: 'b' }] }, maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }),
    $defs: { place: object({ city: { type: 'string' } }) },
  };
  const made = plan(schema, {});
  assert.deepEqual(kinds(made), { at: 'group', note: 'text', kind: 'choice', maybe: 'number' });
  assert.equal(child(made, 'kind').options[0].title, 'First');
  assert.equal(child(made, 'maybe').nullable, true);
});

test('a schema that refers to itself ends', () => {
  const schema = { ...object({ tree: { $ref: '#/$defs/tree' } }), $defs: { tree: object({ leaf: { type: 'string' }, more: { $ref: '#/$defs/tree' } }), loop: { $ref: '#/$defs/loop' } } };
  assert.equal(child(plan(schema, {}), 'tree').kind, 'group');
  assert.equal(child(plan({ ...schema, properties: { a: { $ref: '#/$defs/loop' } } }, {}), 'a').kind, 'json');
});

test('T19: a schema whose references branch does not make a form without end', () => {
  const wide = (next) => object(Object.fromEntries([...'abcdefghij'].map((name) => [name, { $ref: `#/$defs/${next}` }])));
  const schema = { ...wide(1), $defs: Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((at) => [at, at < 8 ? wide(at + 1) : { type: 'string' }])) };
  const begun = performance.now();
  assert.equal(plan(schema, {}).children.length, 10);
  assert.ok(performance.now() - begun < 500);
});

test('what is valid comes out as it went in', () => {
  for (const given of [
    { title: 'T', count: 2 },
    { title: '', count: 0, gift: false, size: 42, items: [], extra: {} },
    { title: 'T', count: 1.5, items: [{ sku: 'a', price: 0.1 }, { sku: '' }], extra: { a: 'b' } },
  ]) assert.deepEqual(through(ORDER, given), given);
});

test('what is wrong comes out unchanged too: nothing is put right behind a person’s back', () => {
  const given = { title: 'T', count: '10 apples', gift: 'yes', size: 'XXL', extra: 'text' };
  assert.deepEqual(through(ORDER, given), given);
});

test('an empty field is left out; one that was given empty stays', () => {
  assert.deepEqual(edited(ORDER, { title: 'T', count: 1 }, (filled) => { filled.f0 = ''; filled.f1 = ' '; }).value, {});
  assert.deepEqual(through(ORDER, { title: '' }), { title: '' });
});

test('a number is sent as a number, and what is none as the text it is', () => {
  const typed = (text) => edited(ORDER, {}, (filled) => { filled.f1 = text; }).value.count;
  assert.deepEqual(['42', ' -1.5 ', '1e3'].map(typed), [42, -1.5, 1000]);
  assert.deepEqual(['1,5', '٣', '0x10', '007', '3 kg'].map(typed), ['1,5', '٣', '0x10', '007', '3 kg']);
});

test('a number that would change on the way is not sent', () => {
  assert.deepEqual(edited(ORDER, {}, (filled) => { filled.f1 = '9007199254740993'; }).faults, [{ pointer: '#/f1', code: 'inexact' }]);
});

test('a choice that is none of the options stands there as what was given', () => {
  assert.equal(filledFrom(plan(ORDER, { size: 'XXL' }), { size: 'XXL' }).f3, `${GIVEN}"XXL"`);
  assert.equal(edited(ORDER, { size: 'XXL' }, (filled) => { filled.f3 = '2'; }).value.size, 42);
});

test('null is the empty field where it may stand', () => {
  const schema = object({ note: { type: ['string', 'null'] }, must: { type: ['integer', 'null'] } }, { required: ['must'] });
  assert.deepEqual(through(schema, { note: null, must: null }), { note: null, must: null });
  assert.deepEqual(through(schema, {}), { must: null });
});

test('names the schema does not know are shown if they may be there, else left out', () => {
  const given = { title: 'T', count: 1, colour: 'red', '': 1, 'a/b': 2 };
  assert.deepEqual(through(ORDER, given), given);
  assert.deepEqual(through({ ...ORDER, additionalProperties: false }, given), { title: 'T', count: 1 });
});

test('T07: a name like __proto__ is a name, not a prototype', () => {
  const given = JSON.parse('{"title": "T", "count": 1, "__proto__": {"admin": true}}');
  const value = through(ORDER, given);
  assert.equal(JSON.stringify(value), JSON.stringify(given));
  assert.equal(value.admin, undefined);
});

test('T69: names never become names in the form', () => {
  assert.deepEqual(Object.keys(filledFrom(plan(object({ '<img src=x>': {} }), {}), {})), ['f0']);
});

test('items keep their places, also empty ones', () => {
  const list = object({ tags: { type: 'array', items: { type: 'string' } }, counts: { type: 'array', items: { type: 'integer' } } });
  assert.deepEqual(edited(list, {}, (filled) => { filled.f0 = ['a', '']; filled.f1 = ['', '2']; }).value, { tags: ['a', ''], counts: [null, 2] });
  assert.deepEqual(through(list, {}), {});
  assert.deepEqual(through(list, { tags: [] }), { tags: [] });
});

test('a list whose items hold more than the schema knows is written as JSON', () => {
  const given = { items: [{ sku: 'a', colour: 'red' }] };
  assert.equal(child(plan(ORDER, given), 'items').kind, 'json');
  assert.deepEqual(through(ORDER, given), given);
});

test('JSON in a field is read strictly', () => {
  const typed = (text) => edited(ORDER, {}, (filled) => { filled.f5 = text; });
  assert.deepEqual(typed('{"a": "b"}').value, { extra: { a: 'b' } });
  assert.deepEqual(typed('{"a": }').faults, [{ pointer: '#/f5', code: 'not_json' }]);
  assert.deepEqual(typed('{"a": 1, "a": 2}').faults, [{ pointer: '#/f5', code: 'twice' }]);
});

test('T17: a name that stands twice, also in disguise, and a number too large are noticed', () => {
  assert.equal(readStrictly('{"a": 1, "\\u0061": 2}').code, 'twice');
  assert.equal(readStrictly('{"x": [{"a": 1}, {"a": 2}], "a": "\\"a\\": 1"}').code, undefined);
  assert.equal(readStrictly('[12345678901234567890]').code, 'inexact');
  assert.equal(readStrictly('["12345678901234567890", 1.5, 1e2]').code, undefined);
});

test('a template fills the field it is for, if it can stand there', () => {
  const templates = { title: 'Dear …', items: '[{"sku": "x"}]', count: 'many' };
  const made = plan(ORDER, {}, templates);
  assert.equal(filledFromTemplate(child(made, 'title'), templates.title), 'Dear …');
  assert.deepEqual(filledFromTemplate(child(made, 'items'), templates.items), [{ f0: 'x', f1: '' }]);
  assert.equal(filledFromTemplate(child(made, 'count'), templates.count), undefined);
  assert.equal(filledFromTemplate(child(made, 'items'), '{}'), undefined);
  assert.equal(child(made, 'title').long, true);
});

test('paths are written as the server writes them', () => {
  assert.equal(pathOf([]), '$');
  assert.equal(pathOf(['items', 0, 'a.b', '👟'.repeat(70)]), `$.items[0].a.b.${'👟'.repeat(60)}`);
});

test('an error goes to its field, else to what is around it, else to the whole', () => {
  const given = { items: [{ sku: 'a' }, { sku: 'b' }] };
  const made = plan(ORDER, given);
  const places = placesOf(made, filledFrom(made, given));
  const errors = ['$.items[1].sku', '$.items[1].colour', '$.items[7]', '$.count', '$.extra.a', '$.unknown', '$', ''].map((path) => ({ path }));
  const { beside, general } = sorted(errors, places);
  assert.deepEqual([...beside].map(([pointer, some]) => [pointer, some.map((one) => one.path)]), [
    ['#/f4/1/f0', ['$.items[1].sku']],
    ['#/f4/1', ['$.items[1].colour']],
    ['#/f4', ['$.items[7]']],
    ['#/f1', ['$.count']],
    ['#/f5', ['$.extra.a']],
  ]);
  assert.deepEqual(general.map((one) => one.path), ['$.unknown', '$', '']);
  assert.deepEqual(general.map((one) => one.below), ['unknown', '', '']);
  assert.deepEqual([beside.get('#/f4/1')[0].below, beside.get('#/f4/1/f0')[0].below, beside.get('#/f4')[0].below], ['colour', '', '[7]']);
});

test('a name that begins like another’s is another', () => {
  const schema = object({ item: { type: 'string' }, items: { type: 'string' }, 'a.b': { type: 'string' }, a: object({ b: { type: 'string' } }) });
  const places = placesOf(plan(schema, {}), filledFrom(plan(schema, {}), {}));
  assert.deepEqual([...sorted([{ path: '$.items' }], places).beside.keys()], ['#/f1']);
});

test('a field knows a right value to write one’s own by', () => {
  const schema = object({ product: { type: 'string' }, count: { type: 'integer', default: 2 }, note: { type: 'string', examples: ['red'] } }, { examples: [{ product: 'nike-air', note: 'blue' }] });
  const examples = plan(schema, {}).children.map(({ example }) => example);
  assert.deepEqual(examples, ['nike-air', 2, 'red']);
  assert.equal(child(plan(ORDER, {}), 'title').example, undefined);
});
