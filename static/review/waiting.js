/**
 * What every reviewers' page has: the number that waits, kept true. A notice over the line says that something moved;
 * a look every few seconds, while the page is visible, finds what no notice told. Others hear of it by `waiting.on`.
 */

import { Line } from '../chat/socket.js';

const EVERY = 5000;
const nav = document.querySelector('.review-nav');
const heard = new Set();
let last = '';
let looking = false;

/** `listener({waiting, unknown, state})` is called when something may have changed. */
export const on = (listener) => heard.add(listener);

async function look() {
  if (document.hidden || looking) return;
  looking = true;
  const answer = await fetch(nav.dataset.state, { headers: { Accept: 'application/json' } }).catch(() => null);
  looking = false;
  if (!answer?.ok) return;
  const now = await answer.json();
  count(now.waiting);
  if (last && last !== now.state) for (const listener of heard) listener(now);
  last = now.state;
}

function count(number) {
  for (const badge of document.querySelectorAll('[data-waiting]')) {
    badge.hidden = !number;
    badge.querySelector('[data-number]').textContent = String(number);
  }
}

function listen() {
  const { protocol, host } = location;
  const line = new Line(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${nav.dataset.socket}`, {
    heard: ({ type, kind }) => type === 'notice' && /^(review|confirmation)/.test(kind) && look(),
    changed: () => {},
    opened: () => {},
  });
  line.connect();
}

if (nav) {
  look();
  listen();
  setInterval(look, EVERY);
  document.addEventListener('visibilitychange', look);
}
