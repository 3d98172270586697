/** Pages that follow nothing themselves still hear when a reminder is due. */

import { Line } from '../chat/socket.js';
import { reminderNotes } from './notes.js';

const box = document.getElementById('reminder-notes');

if (box) {
  const notes = reminderNotes();
  const { protocol, host } = location;
  const line = new Line(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${box.dataset.socket}`, {
    heard: ({ type, kind, data }) => type === 'notice' && kind === 'reminder' && notes.heard(data),
    changed() {},
    opened: () => notes.opened(),
  });
  line.connect();
}
