/**
 * The page of one question. It follows what happens to the call: while nothing is typed it shows that by itself, else
 * it says so. Keys lead to the buttons; they press none without asking.
 */

import { runClocks } from './clock.js';
import * as editing from './editing.js';
import { onKeys } from './keys.js';
import { on } from './waiting.js';

const shown = document.querySelector('.question');
const changed = document.getElementById('q-changed');
const form = document.getElementById('decide');
const sure = document.getElementById('sure');
const button = (decision) => form?.querySelector(`[value=${decision}]`);
const proofs = () => [...(form?.querySelectorAll('[name=password], [name=code]') ?? [])];
const MOVING = 1500;
/** The question's own address: a refused answer is shown under the one it was sent to. */
const here = location.pathname.replace(/decide\/$/, '');
const narrow = matchMedia('(max-width: 1000px)');

/** Somebody has begun to answer: the page must not change under their hands. */
const isTouched = () => Boolean(form) && ([...form.querySelectorAll('textarea, input:not([type=hidden])')].some((field) => field.value) || sure?.open || editing.isOn());

async function look() {
  if (document.hidden) return;
  const answer = await fetch(here).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const now = page.querySelector('.question')?.dataset.shows;
  if (!now || now === shown.dataset.shows) return;
  if (isTouched()) changed.hidden = false;
  else location.replace(here);
}

/** On a narrow screen the panel lies over what is to be read, so only its buttons show until one is pressed. */
const panel = form?.closest('.q-decide');
const fold = (on) => panel?.classList.toggle('is-folded', on);

function approve() {
  if (!form) return;
  fold(false);
  if (editing.isOn()) return button('approve').focus();
  const empty = proofs().length && proofs().every((field) => !field.value);
  if (empty) proofs()[0].focus();
  else sure.showModal();
}

function reject() {
  const why = form?.querySelector('[name=reason]');
  if (!why) return;
  fold(false);
  if (why.value.trim()) button('reject').focus();
  else why.focus();
}

if (form) {
  fold(narrow.matches && !isTouched() && !panel.querySelector('[role=alert]'));
  form.addEventListener('submit', (event) => {
    if (panel.classList.contains('is-folded')) {
      event.preventDefault();
      if (event.submitter.value === 'approve') approve();
      else reject();
      return;
    }
    if (event.submitter?.value === 'reject' && !form.reason.value.trim()) {
      event.preventDefault();
      form.reason.setAttribute('aria-invalid', 'true');
      form.reason.focus();
      return;
    }
    if (event.submitter?.value === 'approve' && editing.isOn() && !editing.take(form)) {
      event.preventDefault();
      return;
    }
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
    form.setAttribute('aria-busy', 'true');
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || !event.target.matches('input')) return;
    event.preventDefault();
    button('approve').focus();
  });
  sure.addEventListener('close', () => {
    if (sure.returnValue === 'yes') form.requestSubmit(button('approve'));
    sure.returnValue = '';
  });
  editing.setUp(form, () => fold(narrow.matches));
  addEventListener('pageshow', () => delete form.dataset.sent);
  document.querySelector('.q-main').addEventListener('click', () => narrow.matches && !isTouched() && fold(true));
  narrow.addEventListener('change', () => fold(narrow.matches && !isTouched()));
  if (location.hash === '#approve') approve();
  if (location.hash === '#reject') reject();
}
changed.querySelector('a').addEventListener('click', (event) => {
  event.preventDefault();
  location.replace(here);
});
document.querySelector('[aria-invalid=true]')?.focus();

const go = (selector) => {
  const link = document.querySelector(selector);
  if (link) location.assign(link.href);
};
onKeys({ a: approve, r: reject, e: editing.press, n: () => go('[data-next]'), u: () => go('[data-back]') });
on(look);
if (/^\w+-(approved|claimed|proposed|cleared)-/.test(shown.dataset.shows)) setInterval(look, MOVING);
runClocks();
