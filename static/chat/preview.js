/**
 * What a held call would do, as a tool showed it: lists and tables made from its JSON, never markup. When it shows
 * something else than when it was approved, both stand side by side with what differs marked.
 */

import { changeSentence, changesOf, keyOf, nameOf, placeOf, told } from './changes.js';
import { h, icon } from './dom.js';
import { gettext, isChinese } from './i18n.js';
import { fromTo, json, shown, value } from './parts.js';

const DEEPEST = 5;
const MOST_COLUMNS = 4;
const CHINESE = '_zh';
const SUMS = new Set(['total', 'grand_total', 'sum', 'amount_due']);

/** The part of a question that shows what would be done. */
export function drawPreview({ preview, previewBefore }) {
  if (preview === null || preview === undefined) return null;
  const isAgain = previewBefore !== null && previewBefore !== undefined;
  return h(
    'section',
    { class: 'preview', 'aria-label': gettext('What it would do') },
    h('h3', {}, gettext('What it would do')),
    isAgain ? sideBySide(previewBefore, preview) : h('div', { class: 'preview-box' }, summary(preview)),
    h('details', { class: 'preview-exact' }, h('summary', {}, gettext('Exactly as the tool said it')), json(preview)),
  );
}

/** Why a person is asked a second time; null when they are not. */
export function drawAgain({ preview, previewBefore, by }) {
  if (previewBefore === null || previewBefore === undefined) return null;
  return h('p', { class: 'preview-again', role: 'status' }, icon('alert'), h('span', {}, shown(changeSentence(previewBefore, preview, by === 'user'))));
}

function sideBySide(before, now) {
  const changed = new Set(changesOf(before, now).map((one) => keyOf(one.path)));
  const half = (words, given, kind) => h('div', { class: `preview-box ${kind}` }, h('h4', {}, words), summary(given, changed));
  return h('div', { class: 'preview-pair' }, half(gettext('When it was approved'), before, 'is-before'), half(gettext('Now'), now, 'is-now'));
}

/** Any JSON as something to read; `changed` holds the paths to mark. */
export function summary(given, changed = new Set(), path = []) {
  if (typeof given === 'string') return value(given);
  if (typeof given !== 'object' || given === null) return scalar(given);
  if (path.length > DEEPEST) return json(given);
  return Array.isArray(given) ? listOf(given, changed, path) : groupOf(given, changed, path);
}

const scalar = (given) => h('span', { class: 'value' }, given === null ? '–' : shown(told(given)));

function groupOf(given, changed, path) {
  const entries = entriesOf(given);
  if (!entries.length) return h('em', {}, gettext('(nothing)'));
  const rows = entries.map(([name, one, at]) => {
    const isNested = typeof one === 'object' && one !== null && Object.keys(one).length > 0;
    const kind = [isNested && 'is-nested', SUMS.has(name) && 'is-sum', typeof one === 'number' && 'is-number'].filter(Boolean).join(' ');
    return h('div', { class: kind || null }, h('dt', {}, shown(nameOf(name))), h('dd', markOf(changed, [...path, at]), summary(one, changed, [...path, at])));
  });
  return h('dl', { class: 'preview-group' }, rows);
}

/** [name, value, where it stands]; of a text in two languages (`name`, `name_zh`) the reader's. The whole stands below. */
function entriesOf(given) {
  const isTwin = (name) => name.endsWith(CHINESE) && typeof given[name] === 'string' && typeof given[name.slice(0, -CHINESE.length)] === 'string';
  const place = (name) => (isChinese() && Object.hasOwn(given, name + CHINESE) && isTwin(name + CHINESE) ? name + CHINESE : name);
  return Object.keys(given).filter((name) => !isTwin(name)).map((name) => [name, given[place(name)], place(name)]);
}

function listOf(given, changed, path) {
  if (!given.length) return h('em', {}, gettext('(none)'));
  const columns = columnsOf(given);
  if (columns) return tableOf(given, columns, changed, path);
  return h('ol', { class: 'preview-list' }, given.map((one, at) => h('li', markOf(changed, [...path, at]), summary(one, changed, [...path, at]))));
}

/** The columns of a list of like, flat and narrow objects; null when it is none. */
function columnsOf(given) {
  const isFlat = (one) => typeof one === 'object' && one !== null && !Array.isArray(one) && Object.values(one).every((part) => typeof part !== 'object' || part === null);
  if (!given.every(isFlat)) return null;
  const names = [...new Set(given.flatMap(Object.keys))];
  return names.length && names.length <= MOST_COLUMNS ? names : null;
}

function tableOf(given, columns, changed, path) {
  const cell = (one, at, name) => h('td', { ...markOf(changed, [...path, at, name]), ...(typeof one[name] === 'number' ? { 'data-number': '' } : {}) }, Object.hasOwn(one, name) ? summary(one[name]) : '');
  return h(
    'div',
    { class: 'preview-scroll', tabindex: '0', role: 'group', 'aria-label': nameOf(path.at(-1) ?? gettext('List')) },
    h(
      'table',
      { class: 'preview-table' },
      h('thead', {}, h('tr', {}, columns.map((name) => h('th', { scope: 'col' }, shown(nameOf(name)))))),
      h('tbody', {}, given.map((one, at) => h('tr', markOf(changed, [...path, at]), columns.map((name) => cell(one, at, name))))),
    ),
  );
}

/** Said to the eye by colour and a bar, to the ear by its description. */
const markOf = (changed, path) => (changed.has(keyOf(path)) ? { class: 'is-changed', title: gettext('Changed') } : {});

/** What somebody changed, each place with what stood there before and what stands there now. */
export function changeList(before, after) {
  return h('ul', { class: 'faults is-mends' }, changesOf(before, after).map((one) => h('li', {}, h('code', {}, shown(placeOf(one.path))), fromTo(shown(told(one.before)), shown(told(one.after))))));
}
