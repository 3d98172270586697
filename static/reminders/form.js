/** The form of a reminder: quick choices, and what it means while it is being filled in. The server says what that is. */

import { quick, shownIn } from './clock.js';

const PAUSE = 250;
const form = document.querySelector('.reminder-form');
const TIMES = ['kind', 'date', 'time', 'weekday', 'zone', 'act'];

function wanted() {
  const given = new FormData(form);
  return new URLSearchParams(TIMES.flatMap((name) => (given.get(name) ? [[name, given.get(name)]] : [])));
}

let timer = 0;
let latest = 0;

function previewSoon() {
  clearTimeout(timer);
  timer = setTimeout(preview, PAUSE);
}

async function preview() {
  const number = (latest += 1);
  const answer = await fetch(`${form.dataset.preview}?${wanted()}`).catch(() => null);
  if (!answer?.ok || number !== latest) return;
  const now = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('preview');
  if (now) document.getElementById('preview').replaceWith(now);
}

const choiceOf = ({ dataset: { minutes, days, weekday, time } }) => ({ minutes: number(minutes), days: number(days), weekday: number(weekday), time });
const number = (text) => (text === undefined ? undefined : Number(text));
const meaning = (button) => quick(choiceOf(button), form.elements.zone.value, new Date());

function drawQuick() {
  for (const button of form.querySelectorAll('[data-quick] button')) {
    const means = meaning(button);
    button.hidden = !means;
    button.setAttribute('aria-pressed', String(means?.date === form.elements.date.value && means?.time === form.elements.time.value));
  }
  const here = shownIn(form.elements.zone.value, new Date());
  if (here) form.elements.date.min = here.date;
}

form?.querySelector('[data-quick]').addEventListener('click', ({ target }) => {
  const means = target.closest('button') && meaning(target.closest('button'));
  if (!means) return;
  form.elements.date.value = means.date;
  form.elements.time.value = means.time;
  drawQuick();
  preview();
});

form?.addEventListener('input', ({ target }) => {
  if (!TIMES.includes(target.name)) return;
  previewSoon();
  drawQuick();
});

if (form) {
  form.querySelector('[data-quick]').hidden = false;
  form.querySelector('.reminder-preview').hidden = false;
  form.querySelector('[aria-invalid]')?.focus();
  drawQuick();
  preview();
}
