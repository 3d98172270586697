/** A reminder that came, as a card of the transcript, and the small lines about reminders. */

import { h, icon } from './dom.js';
import { gettext, interpolate, language, ngettext } from './i18n.js';
import { shown } from './parts.js';
import { snooze } from '../reminders/notes.js';

const FRESH_FOR = 3_600_000;
const NOTED = 60;

/** `page`: {root, me}. It can be put off within the hour. */
export function reminderView(page) {
  const content = h('section', { class: 'reminder-card', 'aria-label': gettext('Reminder') });
  const update = (entry) => content.replaceChildren(...partsOf(entry, page));
  return { content, update };
}

function partsOf(entry, page) {
  const { content, due, late, missed, owner } = entry;
  return [
    h(
      'header',
      {},
      icon('bell'),
      h('strong', {}, gettext('Reminder')),
      h('time', { datetime: due }, timeOf(due)),
      late && h('span', { class: 'chip is-warn' }, icon('clock'), gettext('Late')),
    ),
    h('p', { class: 'reminder-card-what', dir: 'auto' }, shown(content)),
    late && h('p', { class: 'reminder-card-late' }, interpolate(gettext('It was due on %(when)s and comes late.'), { when: dueWords(entry) })),
    missed > 0 && h('p', { class: 'reminder-card-late' }, interpolate(ngettext('%(count)s earlier time went by meanwhile.', '%(count)s earlier times went by meanwhile.', missed), { count: missed })),
    h('footer', {}, ...laterOf(entry, page), h('span', { class: 'reminder-card-by' }, byWords(owner, page), ' · ', h('a', { href: `${page.root}reminders/` }, gettext('All reminders')))),
  ].filter(Boolean);
}

/** "24 Nov 2026, 09:00", with the zone where it was meant in another than the browser's. */
function dueWords({ due, local, zone }) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const when = timeOf(due, { dateStyle: 'medium', timeStyle: 'short' });
  const there = new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle: 'h23' }).format(new Date(due));
  return zone && zone !== here && !local.endsWith(there) ? `${when} (${local.slice(11)} ${zone.replaceAll('_', ' ')})` : when;
}

function timeOf(due, shape) {
  const at = new Date(due);
  const usual = at.toDateString() === new Date().toDateString() ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' };
  return new Intl.DateTimeFormat(language(), { hourCycle: 'h23', ...(shape ?? usual) }).format(at);
}

const byWords = (owner, page) => (owner?.id === page.me.id ? gettext('Set by you') : interpolate(gettext('Set by %(who)s'), { who: owner?.name ?? '' }));

function laterOf(entry, page) {
  if (!(Date.now() - entry.at < FRESH_FOR)) return [];
  const said = h('span', { class: 'reminder-card-said', role: 'status', hidden: true });
  const buttons = [
    [10, gettext('Snooze 10 min')],
    [60, gettext('Snooze 1 h')],
  ].map(([minutes, words]) => h('button', { type: 'button', class: 'button is-small', on: { click: () => putOff(entry, page, minutes, buttons, said) } }, words));
  return [...buttons, said];
}

async function putOff(entry, page, minutes, buttons, said) {
  for (const one of buttons) one.disabled = true;
  const { due, problem } = await snooze(page.root, entry.reminder, minutes);
  said.hidden = false;
  said.classList.toggle('is-bad', !due);
  said.textContent = due ? interpolate(gettext('It comes again at %(time)s.'), { time: timeOf(due) }) : problem;
  for (const one of buttons) Object.assign(one, { disabled: false, hidden: Boolean(due) });
}

/** Over a message that a reminder sent in somebody's name. */
export function askedByReminder(element, { author }, page) {
  const words = author?.id === page.me.id ? gettext('Your reminder asks') : interpolate(gettext('A reminder of %(who)s asks'), { who: author?.name ?? '' });
  element.hidden = false;
  element.replaceChildren(icon('bell'), ' ', words);
}

/** The small lines: somebody changed a reminder here, or one could not come. */
export const REMINDER_NOTES = {
  'reminder.changed': ({ told }) => interpolate(changedWords(told.did), { who: told.by?.name ?? '', what: short(told.content), when: told.next ? timeOf(told.next, { dateStyle: 'medium', timeStyle: 'short' }) : '' }),
  'reminder.skipped': ({ told }) => `${interpolate(gettext('The reminder “%(what)s” of %(when)s was not delivered.'), { what: short(told.content), when: timeOf(told.due) })} ${whyWords(told.why)}`,
};

function changedWords(did) {
  const table = {
    set: gettext('%(who)s set a reminder, first on %(when)s: “%(what)s”'),
    changed: gettext('%(who)s changed the reminder “%(what)s”'),
    paused: gettext('%(who)s paused the reminder “%(what)s”'),
    resumed: gettext('%(who)s resumed the reminder “%(what)s”; next on %(when)s'),
    deleted: gettext('%(who)s deleted the reminder “%(what)s”'),
  };
  return table[did] ?? gettext('%(who)s changed the reminder “%(what)s”');
}

function whyWords(why) {
  const table = {
    parked: gettext('A question from the last time still waits for an answer.'),
    busy: gettext('The agent was still working on the last one.'),
    gone: gettext('Whoever set it may not do this here any more, or the agent is switched off.'),
    broken: gettext('Something kept failing on our side.'),
  };
  return table[why] ?? '';
}

const short = (text) => {
  const points = [...text.replace(/\s+/g, ' ')];
  return points.length > NOTED ? `${points.slice(0, NOTED - 1).join('')}…` : points.join('');
};
