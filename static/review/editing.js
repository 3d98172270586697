/**
 * Change and approve on the page of a question: the same form as in the chat (`filling.js`), in the place of the table of
 * arguments. The decision's own form is sent, with what was filled in beside it; what the server refused comes back in it.
 */

import { h, pageData } from '../chat/dom.js';
import { Filling } from '../chat/filling.js';
import { gettext } from '../chat/i18n.js';

const place = document.getElementById('q-editing');
const opener = document.getElementById('q-edit');
const table = document.querySelector('.q-arguments');
let filling = null;

export const isOn = () => Boolean(filling);

/** Set up the button; `changed(on)` is told when the form comes and goes. */
export function setUp(form, changed) {
  if (!opener || !place) return;
  const data = pageData('q-form');
  opener.hidden = false;
  opener.addEventListener('click', () => (filling ? close(form, changed) : open(form, changed, data)));
  if (data.given) open(form, changed, data);
}

async function open(form, changed, { schema, templates, arguments: shown, given, errors }) {
  const kept = given ? { given, errors, isTyped: true } : undefined;
  filling = new Filling({ id: 'question', labelledBy: 'q-editing-title', schema, templates, given: shown, errors: [], kept, keep: () => {}, drawn: () => {} });
  const title = h('h3', { id: 'q-editing-title' }, gettext('Change what is to be done'));
  place.replaceChildren(title, h('div', { class: 'form-place' }, filling.general, filling.fields), h('div', {}, filling.modeButton));
  swap(form, true);
  changed(true);
  await filling.start();
  if (!errors?.length || !filling.focusError()) filling.focus();
}

function close(form, changed) {
  filling.destroy();
  filling = null;
  swap(form, false);
  changed(false);
  opener.focus();
}

function swap(form, isEditing) {
  place.hidden = !isEditing;
  table.hidden = isEditing;
  form.elements.arguments.disabled = !isEditing;
  opener.closest('.q-buttons')?.classList.toggle('is-changing', isEditing);
  opener.querySelector('span').textContent = isEditing ? gettext('Back') : gettext('Change the arguments');
  form.querySelector('[value=approve] span').textContent = isEditing ? gettext('Approve with these changes') : gettext('Approve');
}

/** Put what is filled in beside the decision; false, said beside the fields, when it cannot be sent. */
export function take(form) {
  const value = filling.read();
  if (value) form.elements.arguments.value = JSON.stringify(value);
  return Boolean(value);
}

/** Go there, or begin. */
export function press() {
  if (filling) filling.focus();
  else opener?.click();
}
