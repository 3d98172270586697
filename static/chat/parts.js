/** Small pieces that several cards are made of. Everything a model or tool wrote goes in as text. */

import { h, icon } from './dom.js';
import { gettext, interpolate, language, ngettext } from './i18n.js';
import { points, reveal } from './text.js';
import { flagWords, isMend, riskWords, statusWords } from './words.js';

/** Text with its hidden characters made visible (T04). */
export const shown = (text) =>
  reveal(String(text)).map((piece) =>
    piece.mark
      ? h('span', { class: 'hidden-mark', title: gettext('A character that does not show') }, piece.mark)
      : piece.text,
  );

export function riskChip(risk) {
  const [words, tone, picture, meaning] = riskWords(risk);
  return risk ? h('span', { class: `chip is-risk ${tone && `is-${tone}`}`, title: meaning }, icon(picture), words) : null;
}

export function statusChip(status, error) {
  const [words, tone, picture] = statusWords(status, error);
  const mark = picture === 'spin' ? h('i', { class: 'spin', 'aria-hidden': 'true' }) : icon(picture);
  return h('span', { class: `chip ${tone && `is-${tone}`}` }, mark, words);
}

const LONG = 240;

const isFlat = (given) =>
  given && typeof given === 'object' && !Array.isArray(given) && Object.values(given).every((one) => one === null || typeof one !== 'object');

/** One value as a person should see it: long ones scroll in a box of their own, so that buttons stay in sight. */
export function value(given) {
  if (isFlat(given)) return h('dl', { class: 'nested' }, Object.entries(given).map(([name, one]) => [h('dt', {}, shown(name)), h('dd', {}, value(one))]));
  const text = asText(given, 2);
  const long = text.length > LONG || text.split('\n').length > 6;
  if (!long) return h('div', { class: 'value' }, typeof given === 'string' && !text ? h('em', {}, gettext('(empty)')) : shown(text));
  const count = points(text);
  return [
    h('div', { class: 'value is-long', tabindex: '0', role: 'group', 'aria-label': gettext('Long value, scrolls') }, shown(text)),
    h('small', { class: 'value-size' }, interpolate(ngettext('%(count)s character', '%(count)s characters', count), { count: count.toLocaleString(language()) })),
  ];
}

/** `changed`: names of arguments that are not as the agent proposed them. */
export function argumentsTable(given, changed = []) {
  const rows = Object.entries(given ?? {});
  if (!rows.length) return h('p', { class: 'gate-said' }, gettext('No arguments.'));
  return h(
    'table',
    { class: 'arguments', 'aria-label': gettext('Arguments') },
    h('tbody', {}, rows.map(([name, one]) => h('tr', changed.includes(name) ? { class: 'is-changed', title: gettext('Changed') } : {}, h('th', { scope: 'row' }, shown(name)), h('td', {}, value(one))))),
  );
}

/** Pretty JSON in a box of its own. */
export const json = (given) => h('pre', { class: 'json', tabindex: '0' }, shown(typeof given === 'string' ? given : JSON.stringify(given, null, 2)));

/** Faults of arguments, each beside its path. */
export function faults(errors) {
  return h(
    'ul',
    { class: 'faults' },
    errors.map((error) =>
      h(
        'li',
        {},
        h('code', {}, shown(error.path || '/')),
        h('span', {}, shown(error.message ?? error.keyword ?? '')),
        error.given !== undefined && error.given !== null && h('small', {}, gettext('Given:'), ' ', shown(asText(error.given))),
        error.fix && h('small', {}, shown(error.fix)),
      ),
    ),
  );
}

/** What was done to the model's arguments before they were checked, each with what stood there before and after. */
export function mends(flags) {
  return h('ul', { class: 'faults is-mends' }, flags.map((flag) => h('li', { class: flag.contested ? 'is-contested' : null }, mend(flag))));
}

function mend(flag) {
  return [
    flag.path && h('code', {}, shown(flag.path)),
    h('span', {}, shown(flagWords(flag))),
    (flag.before !== undefined || flag.after !== undefined) && flag.name !== 'default' && change(flag),
    flag.contested && h('small', { class: 'contested' }, icon('question'), gettext('This could have been meant otherwise: please look.')),
  ];
}

/** Mends tell pieces of text, coercions values: there "3" and 3 differ. */
function change({ name, before, after }) {
  const told = (given) => shown(name === 'coerced' && given !== undefined ? JSON.stringify(given) : asText(given ?? ''));
  return fromTo(told(before), told(after));
}

/** What stood somewhere, and what stands there now. */
export const fromTo = (before, after) =>
  h(
    'div',
    { class: 'change' },
    h('span', { class: 'visually-hidden' }, gettext('Before:')), h('code', { class: 'is-before' }, before),
    h('span', { 'aria-hidden': 'true' }, '→'),
    h('span', { class: 'visually-hidden' }, gettext('After:')), h('code', {}, after),
  );

/** Flags under headings a person understands: [[heading, flags], …]. */
export function noted(flags) {
  const groups = [
    [gettext('Mended before checking'), flags.filter(isMend)],
    [gettext('Filled in'), flags.filter(({ name }) => name === 'default')],
    [gettext('Noted'), flags.filter((flag) => !isMend(flag) && flag.name !== 'default')],
  ];
  return groups.filter(([, some]) => some.length);
}

/** What stands beside a field that is wrong; `below` names the part of it that is meant. */
export function besideErrors(errors, { withGiven = false } = {}) {
  const allowed = ({ keyword, expected }) => keyword === 'enum' && Array.isArray(expected) && interpolate(gettext('Allowed: %(values)s'), { values: expected.map((one) => asText(one)).join(', ') });
  return errors.map((error) =>
    h(
      'p',
      { class: 'field-error' },
      error.below && h('code', {}, shown(error.below), ' '),
      h('span', {}, shown(error.message ?? error.keyword ?? '')),
      withGiven && error.given !== undefined && error.given !== null && h('small', {}, gettext('Given:'), ' ', shown(asText(error.given))),
      allowed(error) && h('small', {}, shown(allowed(error))),
      error.fix && h('small', {}, shown(error.fix)),
    ),
  );
}

const asText = (given, indent) => (typeof given === 'string' ? given : JSON.stringify(given ?? null, null, indent));

/** When something happened, for people. */
export function moment(at) {
  const date = typeof at === 'number' ? new Date(at) : new Date(String(at));
  if (Number.isNaN(date.getTime())) return '';
  const today = date.toDateString() === new Date().toDateString();
  const form = today ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' };
  return new Intl.DateTimeFormat(language(), form).format(date);
}

/** "1.2 s". */
export function duration(ms) {
  const seconds = (Number(ms) / 1000).toLocaleString(language(), { maximumFractionDigits: ms < 10000 ? 1 : 0 });
  return ms < 1000
    ? interpolate(gettext('%(ms)s ms'), { ms: Math.round(ms) })
    : interpolate(gettext('%(seconds)s s'), { seconds });
}

const HOUR = 3600;

/** How long there is to decide: within the hour a clock that runs, else until when: "until tomorrow 17:30". */
export function timeLeft(seconds, now = new Date()) {
  if (seconds < HOUR) return interpolate(gettext('%(clock)s left'), { clock: clockOf(seconds) });
  const end = new Date(now.getTime() + seconds * 1000);
  const time = new Intl.DateTimeFormat(language(), { timeStyle: 'short' }).format(end);
  const days = Math.round((midnight(end) - midnight(now)) / (24 * HOUR * 1000));
  if (days === 0) return interpolate(gettext('until %(time)s'), { time });
  if (days === 1) return interpolate(gettext('until tomorrow %(time)s'), { time });
  const day = new Intl.DateTimeFormat(language(), { weekday: 'short', day: 'numeric', month: 'short' }).format(end);
  return interpolate(gettext('until %(day)s, %(time)s'), { day, time });
}

const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
const clockOf = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
