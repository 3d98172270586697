/** What differs between two values, and the plain sentence about it. Pure; runs in node too. */

import { gettext, interpolate, ngettext } from './i18n.js';

const MOST_SAID = 3;
const LONGEST_SAID = 60;

/** The places where two values differ: [{path, before, after}]; what one of them lacks is undefined there. */
export function changesOf(before, after, path = []) {
  if (isNested(before) && isNested(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = Array.isArray(before) ? [...Array(Math.max(before.length, after.length)).keys()] : [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changesOf(own(before, name), own(after, name), [...path, name]));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

/** A path as something a set can hold. */
export const keyOf = (path) => JSON.stringify(path);

/** What a name in a tool's JSON is called for people; names that are not known are only made readable. */
export function nameOf(name) {
  const table = {
    price: gettext('Price'), unit_price: gettext('Unit price'), total: gettext('Total'), subtotal: gettext('Subtotal'), quantity: gettext('Quantity'),
    discount: gettext('Discount'), shipping: gettext('Shipping'), currency: gettext('Currency'), address: gettext('Address'), recipient: gettext('Recipient'),
    phone: gettext('Phone'), lines: gettext('Lines'), items: gettext('Items'), name: gettext('Name'), label: gettext('Variant'), in_stock: gettext('In stock'),
    product_id: gettext('Product number'), sku_id: gettext('Variant number'), price_changes: gettext('Price changes'),
  };
  if (Object.hasOwn(table, name)) return table[name];
  const words = String(name).replace(/_+/g, ' ').trim();
  return words ? words[0].toUpperCase() + words.slice(1) : String(name);
}

/** A path as a person reads it: "Lines 2, Price". */
export function placeOf(path) {
  const words = [];
  for (const step of path) {
    if (typeof step === 'number' && words.length) words.push(`${words.pop()} ${step + 1}`);
    else words.push(typeof step === 'number' ? String(step + 1) : nameOf(step));
  }
  return words.join(', ');
}

/** One value on a line. */
export function told(value) {
  if (value === undefined) return gettext('nothing');
  if (value === true) return gettext('Yes');
  if (value === false) return gettext('No');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Why somebody is asked again. `byMe`: whoever reads it is who approved. */
export function changeSentence(before, after, byMe) {
  const changes = changesOf(before, after);
  const simple = changes.filter((one) => !isNested(one.before) && !isNested(one.after));
  const said = (simple.length ? simple : changes).slice(0, MOST_SAID);
  const rest = changes.length - said.length;
  const list = said.map((one) => interpolate(gettext('%(what)s: %(before)s → %(after)s'), { what: nameOf(one.path.at(-1) ?? gettext('Value')), before: brief(one.before), after: brief(one.after) })).join('; ');
  const what = rest ? `${list} ${interpolate(ngettext('(and %(count)s more)', '(and %(count)s more)', rest), { count: rest })}` : list;
  const words = byMe ? gettext('This changed since you approved: %(what)s. Please decide again.') : gettext('This changed since it was approved: %(what)s. It has to be decided again.');
  return interpolate(words, { what });
}

const isNested = (value) => typeof value === 'object' && value !== null;
const own = (value, name) => (Object.hasOwn(value, name) ? value[name] : undefined);

function brief(value) {
  const text = told(value);
  return [...text].length > LONGEST_SAID ? `${[...text].slice(0, LONGEST_SAID).join('')}…` : text;
}
