/**
 * A note on every open page when a reminder is due, until it is put away in one of them. A notice over the line is a hint:
 * whenever the line opens, what came meanwhile is asked for. What was put away is kept in this browser, so that all its tabs know.
 */

import { cookie } from '../chat/api.js';
import { language } from '../chat/i18n.js';
import { tell } from './notify.js';
import { keptFor } from './putaway.js';

const narrow = globalThis.matchMedia?.('(max-width: 560px)');
const SAID_FOR = 3500;

/** For pages that show no notes. */
const SILENT = { heard() {}, opened() {}, seen() {} };

/** `isSeen(reminder)`: whether what fired stands before the person's eyes without a note. */
export function reminderNotes({ isSeen = () => false } = {}) {
  const box = document.getElementById('reminder-notes');
  return box ? new Notes(box, isSeen) : SILENT;
}

class Notes {
  constructor(box, isSeen) {
    Object.assign(this, { box, isSeen });
    this.root = box.dataset.root;
    this.kept = keptFor(this.root, box.dataset.me);
    this.notes = new Map();
    this.kept.onChange(() => this.drop((one) => this.kept.isAway(one.occurrence)));
  }

  /** One fired: from a notice, or found to have fired meanwhile. */
  heard(fired, { isNews = true } = {}) {
    const { occurrence } = fired ?? {};
    if (!occurrence || this.notes.has(occurrence) || this.kept.isAway(occurrence)) return;
    if (!isNews && this.kept.isSeen(occurrence)) return;
    if (isNews) tell(fired, this.urlOf(fired));
    document.dispatchEvent(new CustomEvent('reminder', { detail: fired }));
    if (this.isSeen(fired)) return this.kept.see(occurrence);
    const element = this.draw(fired);
    this.notes.set(fired.occurrence, { ...fired, element });
    this.arrange();
  }

  /** The line is there (again). */
  async opened() {
    const query = new URLSearchParams(this.kept.since ? { since: this.kept.since } : {});
    const answer = await fetch(`${this.root}reminders/fired.json?${query}`, { headers: { Accept: 'application/json' } }).catch(() => null);
    if (!answer?.ok) return;
    const { now, fired } = await answer.json();
    this.kept.begin(now);
    for (const one of fired) this.heard(one, { isNews: false });
  }

  /** The person looks at a conversation: what came there is before their eyes. */
  seen(conversation) {
    for (const one of this.notes.values()) if (one.conversation === conversation) this.kept.see(one.occurrence);
    this.drop((one) => one.conversation === conversation);
  }

  drop(isOut) {
    for (const [key, one] of this.notes) {
      if (!isOut(one) || one.isAnswered) continue;
      one.element.remove();
      this.notes.delete(key);
    }
    this.arrange();
  }

  /** The newest are shown; of the others, how many there are. Several can be put away at once. */
  arrange() {
    const notes = [...this.notes.values()].reverse();
    const most = narrow?.matches ? 1 : 3;
    notes.forEach(({ element }, at) => (element.hidden = at >= most));
    this.box.querySelector('.is-more')?.remove();
    if (notes.length < 2) return;
    const more = piece('reminder-note-more');
    more.querySelector('a').hidden = notes.length <= most;
    more.querySelector('b').textContent = String(notes.length - most);
    more.querySelector('button').addEventListener('click', () => this.allAway());
    this.box.append(more);
  }

  urlOf = ({ conversation }) => `${this.root}c/${conversation}/`;

  draw(fired) {
    const note = piece('reminder-note');
    const find = (name) => note.querySelector(`[data-${name}]`);
    const due = new Date(fired.due);
    showTime(find('due'), due, isToday(due) ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' });
    showTime(find('due-full'), due, { dateStyle: 'medium', timeStyle: 'short' });
    for (const part of note.querySelectorAll('[data-if]')) part.hidden = part.dataset.if !== (fired.action ?? 'tell');
    find('late').hidden = !fired.late;
    find('content').textContent = fired.content;
    find('open').href = this.urlOf(fired);
    find('open').addEventListener('click', () => this.kept.putAway(fired.occurrence));
    find('away').addEventListener('click', () => this.away(fired));
    for (const later of note.querySelectorAll('[data-snooze]')) later.addEventListener('click', () => this.snooze(fired, note, later.dataset.snooze));
    this.box.prepend(note);
    return note;
  }

  away({ occurrence }) {
    this.kept.putAway(occurrence);
    this.drop((one) => one.occurrence === occurrence);
  }

  allAway() {
    for (const { occurrence } of this.notes.values()) this.kept.putAway(occurrence);
    this.drop(() => true);
  }

  async snooze(fired, note, minutes) {
    const buttons = note.querySelectorAll('[data-snooze]');
    for (const one of buttons) one.disabled = true;
    const { due, problem } = await snooze(this.root, fired.reminder, minutes);
    const said = note.querySelector('[data-said]');
    said.hidden = false;
    said.classList.toggle('is-bad', !due);
    for (const one of buttons) Object.assign(one, { disabled: false, hidden: Boolean(due) });
    if (!due) return void (said.textContent = problem);
    const again = piece('reminder-note-again');
    showTime(again.querySelector('time'), new Date(due), { timeStyle: 'short' });
    said.replaceChildren(again);
    this.notes.get(fired.occurrence).isAnswered = true;
    this.kept.putAway(fired.occurrence);
    setTimeout(() => {
      this.notes.get(fired.occurrence).isAnswered = false;
      this.away(fired);
    }, SAID_FOR);
  }
}

/** Have it come again; `{due}`, or `{problem}` in words. */
export async function snooze(root, reminder, minutes) {
  const headers = { 'X-CSRFToken': cookie('csrftoken'), Accept: 'application/json' };
  const answer = await fetch(`${root}reminders/${reminder}/snooze/`, { method: 'POST', headers, body: new URLSearchParams({ minutes }) }).catch(() => null);
  const told = await answer?.json().catch(() => null);
  return answer?.ok ? { due: told.due } : { problem: told?.detail ?? `HTTP ${answer?.status ?? 0}` };
}

/** The element that a template of the page holds. */
const piece = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);

function showTime(element, at, shape) {
  element.dateTime = at.toISOString();
  element.textContent = new Intl.DateTimeFormat(language(), { hourCycle: 'h23', ...shape }).format(at);
}

const isToday = (at) => at.toDateString() === new Date().toDateString();
