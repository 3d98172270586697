/**
 * The list of reminders, kept true: buttons act without leaving the page, and what fires or was changed elsewhere shows by
 * itself. Everything works without this, one page after the other.
 */

import { language } from '../chat/i18n.js';
import { isOn, isThere, switchOff, switchOn } from './notify.js';
import './zone.js';

const TICK = 20_000;
const SOON = 24 * 60;
const live = document.getElementById('reminders-live');

async function load(url) {
  const answer = await fetch(url).catch(() => null);
  const now = answer?.ok && new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('reminders-live');
  if (!now) return false;
  replace(now);
  return true;
}

/** What was open stays open, and the focus where it was. */
function replace(now) {
  const open = [...live.querySelectorAll('.reminder-more[open]')].map(({ id }) => id);
  const focused = live.contains(document.activeElement) ? document.activeElement.closest('.reminder')?.id : '';
  live.replaceChildren(...now.childNodes);
  for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  if (focused) document.getElementById(focused)?.querySelector('.reminder-do :is(button, a)')?.focus();
  tellTimes();
}

/** Nobody is in the middle of something. */
const isIdle = () => !document.hidden && !live.querySelector('.reminder-delete[open]');
const refresh = () => isIdle() && load(location.href);

live.addEventListener('submit', async (event) => {
  const form = event.target.closest('form[data-quiet]');
  if (!form) return;
  event.preventDefault();
  // Not where it leads without a script: this page stays the one it is, narrowed, or that of the past.
  const done = await fetch(form.action, { method: 'POST', body: new FormData(form), redirect: 'manual' }).catch(() => null);
  if (done?.type !== 'opaqueredirect') form.submit();
  else if (!(await load(location.href))) location.reload();
});

/** "in 12 min", beside times of the next day. */
function tellTimes() {
  const words = new Intl.RelativeTimeFormat(language(), { style: 'short' });
  for (const element of live.querySelectorAll('[data-due]')) {
    const minutes = Math.round((Date.parse(element.dataset.due) - Date.now()) / 60_000);
    if (minutes < 0 || minutes > SOON) element.textContent = '';
    else element.textContent = minutes < 60 ? words.format(minutes, 'minute') : words.format(Math.round(minutes / 60), 'hour');
  }
}

function drawNotify(offer) {
  const is = !isThere() ? '' : isOn() ? 'is-on' : Notification.permission === 'denied' ? 'denied' : 'ask';
  offer.hidden = !is;
  for (const name of ['ask', 'is-on', 'denied']) for (const part of offer.querySelectorAll(`[data-notify-${name}]`)) part.hidden = name !== is;
}

const offer = document.querySelector('[data-notify-offer]');
if (offer) {
  offer.querySelector('[data-notify-on]').addEventListener('click', async () => {
    await switchOn();
    drawNotify(offer);
  });
  offer.querySelector('[data-notify-off]').addEventListener('click', () => {
    switchOff();
    drawNotify(offer);
  });
  drawNotify(offer);
}

document.addEventListener('reminder', refresh);
document.addEventListener('visibilitychange', refresh);
setInterval(tellTimes, TICK);
tellTimes();
