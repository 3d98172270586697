/** One field of a form: label, control, description and a place for errors. */

import { h } from './dom.js';
import { GIVEN } from './filled.js';
import { gettext, interpolate } from './i18n.js';
import { shown } from './parts.js';
import { hides } from './text.js';

const EXAMPLES = /\b(Good|Bad): /;

/** `{container, input, messages, help, show(text)}`; `edited(text)` is told what a person made of it. */
export function drawField({ node, id, number, template, edited }) {
  const input = controlOf(node, { id, class: 'input', 'aria-describedby': `${id}-about ${id}-errors`, 'aria-required': String(node.required), autocomplete: 'off' });
  const messages = h('div', { class: 'form-errors', id: `${id}-errors` });
  const help = drawHelp(node, `${id}-about`);
  const hidden = h('p', { class: 'form-about' });
  const show = (text) => {
    if (input.tagName === 'SELECT') offerGiven(input, text);
    if (input.value !== text) input.value = text;
    reveal(hidden, node, text);
  };
  input.addEventListener('input', () => {
    reveal(hidden, node, input.value);
    edited(input.value);
  });
  const title = number ? interpolate(gettext('Item %(number)s'), { number }) : node.title;
  const label = h('label', { for: id }, h('span', {}, title), !node.required && [' ', h('small', {}, gettext('optional'))]);
  const container = h('div', { class: 'form-field' }, h('div', { class: 'form-label' }, label, template), input, hidden, messages, help);
  return { container, input, messages, help, show };
}

function controlOf(node, attributes) {
  if (node.kind === 'choice') return h('select', attributes, h('option', { value: '' }, node.required ? gettext('Choose …') : gettext('(left out)')), node.options.map((option, at) => h('option', { value: String(at) }, wordsOf(option))));
  if (node.kind === 'json') return h('textarea', { ...attributes, class: 'input is-code', rows: '4', spellcheck: 'false', dir: 'ltr' });
  if (node.kind === 'text' && node.long) return h('textarea', { ...attributes, rows: '3' });
  return h('input', { ...attributes, type: 'text', inputmode: node.kind === 'number' ? 'decimal' : null });
}

function wordsOf({ value, title }) {
  if (title) return title;
  if (value === true) return gettext('Yes');
  if (value === false) return gettext('No');
  return typeof value === 'string' ? value || gettext('(empty)') : JSON.stringify(value);
}

/** What was given though it is no option stands among them until something else is chosen. */
function offerGiven(select, text) {
  if (!text.startsWith(GIVEN) || [...select.options].some((option) => option.value === text)) return;
  const value = JSON.parse(text.slice(GIVEN.length));
  select.append(h('option', { value: text }, interpolate(gettext('%(value)s (not allowed)'), { value: wordsOf({ value }) })));
}

/** What belongs into a field. What was written for models, with good and bad examples, opens when somebody wants it. */
export function drawHelp(node, id = null) {
  const usual = (node.otherwise ?? null) !== null && !node.required ? interpolate(gettext('If left out: %(value)s'), { value: wordsOf({ value: node.otherwise }) }) : '';
  const form = node.kind === 'json' ? gettext('Written as JSON.') : '';
  const isLong = EXAMPLES.test(node.about);
  const words = [!isLong && node.about, form, usual].filter(Boolean).join(' ');
  const more = isLong && h('details', {}, h('summary', {}, gettext('What belongs here')), h('p', {}, node.about));
  return h('div', { class: 'form-about', id, hidden: !words && !more }, words && h('p', {}, words), more);
}

/** A person agrees to what they see: characters that do not show are shown (T04). */
function reveal(element, node, text) {
  const hidden = node.kind !== 'choice' && hides(text);
  element.hidden = !hidden;
  element.replaceChildren(...(hidden ? [gettext('With its hidden characters:'), ' ', ...shown(text).flat()] : []));
}
