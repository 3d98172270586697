/**
 * Between JSON values and what stands in a form's fields, by a plan of `fields.js`. Pure; runs in node too.
 *
 * In the form every field is text, and an object's names are `f0`, `f1`, …: whatever a model invented as a name never
 * becomes part of a page. What a person left empty is left out; a number is sent as a number.
 */

import { isNode } from './fields.js';
import { readStrictly } from './strict.js';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** A choice that holds what was given though it is none of the options. */
export const GIVEN = 'given:';

/** What the form's fields show for a value. */
export function filledFrom(node, value) {
  if (node.kind === 'group') return Object.fromEntries(node.children.map((child, at) => [`f${at}`, filledFrom(child, isNode(value) ? own(value, child.name) : undefined)]));
  if (node.kind === 'list') return Array.isArray(value) ? value.map((one) => filledFrom(node.item, one)) : [];
  return textFrom(node, value);
}

function textFrom(node, value) {
  if (value === undefined || (value === null && node.nullable)) return '';
  if (node.kind === 'choice') return choiceFrom(node, value);
  if (node.kind === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function choiceFrom({ options }, value) {
  const text = JSON.stringify(value);
  const at = options.findIndex((option) => JSON.stringify(option.value) === text);
  return at >= 0 ? String(at) : GIVEN + text;
}

/**
 * The value a form stands for, and what cannot be sent: `{value, faults: [{pointer, code}]}`. `given` tells an empty
 * field that was given empty from one nobody filled in.
 */
export function valueFrom(node, filled, given) {
  const faults = [];
  const value = read(node, filled, given, '#', faults);
  return { value: value === undefined ? {} : value, faults };
}

function read(node, filled, given, pointer, faults) {
  if (node.kind === 'group') return readGroup(node, filled, given, pointer, faults);
  if (node.kind === 'list') return readList(node, filled, given, pointer, faults);
  if (filled === '' || (node.kind !== 'text' && !filled.trim())) return emptyOf(node, given);
  if (node.kind === 'choice') return filled.startsWith(GIVEN) ? JSON.parse(filled.slice(GIVEN.length)) : node.options[Number(filled)].value;
  if (node.kind === 'number') return readNumber(filled.trim(), pointer, faults);
  return node.kind === 'json' ? readJson(filled, pointer, faults) : filled;
}

function emptyOf(node, given) {
  if (node.nullable && (node.required || given === null)) return null;
  const counts = given === '' || (node.inList && node.required);
  return node.kind === 'text' && counts ? '' : undefined;
}

function readGroup(node, filled, given, pointer, faults) {
  const value = {};
  node.children.forEach((child, at) => {
    const found = read(child, filled[`f${at}`], isNode(given) ? own(given, child.name) : undefined, `${pointer}/f${at}`, faults);
    if (found !== undefined) Object.defineProperty(value, child.name, { value: found, enumerable: true, configurable: true, writable: true });
  });
  return Object.keys(value).length || node.required || isNode(given) ? value : undefined;
}

/** An item that stands there counts, even empty: the others keep their places. */
function readList(node, filled, given, pointer, faults) {
  if (!filled.length && !node.required && !Array.isArray(given)) return undefined;
  return filled.map((one, at) => read(node.item, one, undefined, `${pointer}/${at}`, faults) ?? null);
}

/** What is no number stays text: the server says what is wrong with it. */
function readNumber(text, pointer, faults) {
  if (!NUMBER.test(text)) return text;
  const number = Number(text);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  if (!isExact) faults.push({ pointer, code: 'inexact' });
  return number;
}

function readJson(text, pointer, faults) {
  const { value, code } = readStrictly(text);
  if (code) faults.push({ pointer, code });
  return value;
}

/** What a template puts into a field; undefined when it cannot stand there. */
export function filledFromTemplate(node, text) {
  if (node.kind === 'text') return text;
  const { value, code } = readStrictly(text);
  const fits = { group: isNode(value), list: Array.isArray(value) }[node.kind] ?? true;
  if (node.kind === 'json') return code ? text : textFrom(node, value);
  return code || !fits ? undefined : filledFrom(node, value);
}

const own = (record, name) => (Object.hasOwn(record, name) ? record[name] : undefined);
