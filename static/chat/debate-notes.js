/**
 * What the personas do with the tools of a debate, as a quiet line in the turn instead of a card: "noted N3". A call that
 * was refused or failed keeps its card.
 */

import { h, icon } from './dom.js';
import { gettext, interpolate } from './i18n.js';
import { shown } from './parts.js';
import { oneOfKind } from './debate-words.js';

const NOTES = 'notepad_update';
const SETTLED = 'nothing_to_add';
const WAITS = new Set(['writing', 'checking', 'proposed', 'cleared', 'approved', 'claimed']);

export const isNoteCall = ({ name, said }) => Boolean(said) && (name === NOTES || name === SETTLED);

/** Whether the line stands for the call: it was carried out. Until then nothing shows. */
export const isNoted = (call) => isNoteCall(call) && call.status === 'succeeded';
export const isBeingNoted = (call) => isNoteCall(call) && WAITS.has(call.status);

/** `jump(kind, n, debate)` leads to the entry. */
export function noteLine(call, jump) {
  const given = call.checked?.arguments ?? {};
  if (call.name === SETTLED) return line('check', interpolate(gettext('%(name)s has nothing to add'), { name: call.said.persona?.name ?? '' }), given.reason);
  const n = given.entry ?? numberIn(call.result);
  const link = n ? h('a', { class: 'cite', href: `#note-${n}`, on: { click: (event) => { event.preventDefault(); jump('N', n, call.said.debate); } } }, `N${n}`) : null;
  return line('clipboard', ACTIONS[given.action]?.() ?? gettext('Noted down'), given.text, given.kind && oneOfKind(given.kind), link);
}

const ACTIONS = {
  add: () => gettext('Noted down'),
  change: () => gettext('Changed a note'),
  strike: () => gettext('Struck a note'),
};

const line = (picture, words, text, kind, link) =>
  h('p', { class: 'note-line' }, icon(picture), h('strong', {}, words), link, kind && h('span', { class: 'note-kind' }, kind), text && h('span', { class: 'note-text' }, shown(text)));

/** The number the new entry got, from what the tool told the model. */
function numberIn(result) {
  const told = result?.result ?? result?.content;
  try {
    const value = typeof told === 'string' ? JSON.parse(told) : told;
    return Number(String(value?.entry ?? '').replace(/^N/, '')) || null;
  } catch {
    return null;
  }
}
