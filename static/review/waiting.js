/**
 * What every reviewers' page and the console have: the number that waits, kept true. A notice over the line says that something moved;
 * a look every few seconds, while the page is visible, finds what no notice told. Others hear of it by `waiting.on`.
 */

import { Line } from '../chat/socket.js';
import { reminderNotes } from '../reminders/notes.js';
import { ask } from './badge.js';

const EVERY = 5000;
const nav = document.querySelector('[data-state][data-socket]');
const heard = new Set();
let last = '';
let looking = false;

/** `listener({waiting, unknown, state})` is called when something may have changed. */
export const on = (listener) => heard.add(listener);

async function look() {
  if (document.hidden || looking) return;
  looking = true;
  const now = await ask(nav.dataset.state);
  looking = false;
  if (!now) return;
  if (last && last !== now.state) for (const listener of heard) listener(now);
  last = now.state;
}

function listen() {
  const { protocol, host } = location;
  const reminders = reminderNotes();
  const line = new Line(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${nav.dataset.socket}`, {
    heard: ({ type, kind, data }) => {
      if (type === 'notice' && /^(review|confirmation)/.test(kind)) look();
      if (type === 'notice' && kind === 'reminder') reminders.heard(data);
    },
    changed: () => {},
    opened: () => reminders.opened(),
  });
  line.connect();
}

if (nav) {
  look();
  listen();
  setInterval(look, EVERY);
  document.addEventListener('visibilitychange', look);
}
