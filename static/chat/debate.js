/**
 * Debates as their events tell them: who debates what, how far it is, who has the word. Pure; runs in node too.
 * The store keeps `state.debates` (by id, in the order they began) and gives every entry said in one a `said`.
 */

import { blank } from './notepad.js';

const HUES = ['teal', 'violet', 'amber', 'blue', 'green', 'rose', 'indigo', 'slate'];
const SIDES = ['left', 'right'];
const USUAL = { left: 'teal', right: 'violet' };
const OPEN = new Set(['active', 'paused']);
const WORKING = new Set(['writing', 'checking', 'proposed', 'cleared', 'approved', 'claimed']);
const ASKING = new Set(['held', 'asking']);

/** The events of a debate, for the store: they change `state`. */
export const DEBATE_EVENTS = {
  'debate.started': (state, value) => {
    const debate = { ...begun(value), question: value.question ?? state.head };
    state.debates = { ...state.debates, [debate.id]: debate };
    state.notepad = state.notepads[debate.id] ?? blank(debate.id);
    state.notepads = { ...state.notepads, [debate.id]: state.notepad };
  },
  'debate.changed': (state, { debate, ...more }) => {
    update(state, debate, more);
    state.notepad = state.notepads[debate] ?? state.notepad;
  },
  'debate.ended': (state, { debate, status }) => update(state, debate, { status, steer: '' }),
};

function update(state, id, { status, round, steer }) {
  const old = state.debates[id];
  if (!old) return;
  const changed = { status: status ?? old.status, round: round ?? old.round, steer: steer ?? old.steer };
  state.debates = { ...state.debates, [id]: { ...old, ...changed } };
}

function begun(value) {
  const shown = { ...value.settings, ...value };
  return {
    id: value.debate,
    personas: personasOf(shown.personas ?? []),
    mode: shown.mode ?? 'fixed',
    rounds: shown.rounds ?? 0,
    most: shown.most_rounds ?? shown.mostRounds ?? shown.rounds ?? 0,
    budget: shown.budget ?? '',
    status: value.status ?? 'active',
    round: value.round ?? 1,
    steer: '',
  };
}

/** Personas with what tells them apart: a side, and a hue that is not the other's. */
export function personasOf(list) {
  const personas = [];
  list.slice(0, 2).forEach((given, at) => {
    const side = SIDES[at];
    const wished = HUES.includes(given.colour) ? given.colour : USUAL[side];
    const taken = personas.map(({ hue }) => hue);
    const hue = taken.includes(wished) ? [...Object.values(USUAL), ...HUES].find((one) => !taken.includes(one)) : wished;
    personas.push({ ...given, name: given.name || given.slug, side, hue });
  });
  return personas;
}

/** What a message was in a debate, from its first event; null for one that was in none. */
export function saidOf(state, { debate, speaker, turn, round, stage } = {}) {
  const known = state.debates[debate];
  if (!debate) return null;
  const persona = known?.personas.find(({ slug }) => slug === speaker) ?? null;
  const said = { debate, turn: turn ?? 0, round: round ?? 0, stage: stage ?? 'turn' };
  return { ...said, persona: persona ?? (speaker && said.stage !== 'summary' ? { slug: speaker, name: speaker, side: 'left', hue: 'slate' } : null) };
}

/** Whether somebody who says something now steps into the debate. */
export const isOpen = (debate) => OPEN.has(debate?.status);

/** The debate that a person looks at: the last one whose question is shown. `shown`: keys, as `treeOf` gives them. */
export function debateShown(state, shown) {
  const there = new Set(shown);
  return Object.values(state.debates).findLast(({ question }) => there.has(`m:${question}`)) ?? null;
}

/** Where a debate stands: {what, persona}; `what` is a key of `debate-words.js`, `persona` null while it is summed up. */
export function stageOf(state, debate, shown) {
  const entries = shown.map((key) => state.entries[key]).filter((entry) => entry?.said?.debate === debate.id);
  const last = entries.findLast(({ kind }) => kind === 'reply');
  const persona = last ? last.said.persona : (debate.personas[0] ?? null);
  const stage = (what) => ({ what, persona });
  if (debate.status === 'done' || debate.status === 'stopped') return stage(debate.status);
  if (entries.some(({ kind, status }) => kind === 'call' && ASKING.has(status))) return stage('asks');
  if (state.moving === null) return stage(resting(debate, entries));
  if (last?.said.stage === 'summary') return stage('summarising');
  if (entries.some(({ kind, status }) => kind === 'call' && WORKING.has(status))) return stage('acts');
  return stage(last && !last.ended && last.points ? 'speaks' : 'thinks');
}

function resting(debate, entries) {
  if (debate.status === 'paused') return 'paused';
  return entries.some(({ kind, settled }) => kind === 'error' && !settled) ? 'failed' : 'waits';
}

/** The round that goes on: the newest anybody spoke in. */
export function roundOf(state, debate, shown) {
  const rounds = shown.map((key) => state.entries[key]?.said).filter((said) => said?.debate === debate.id && said.stage === 'turn').map(({ round }) => round);
  return Math.max(1, rounds.at(-1) ?? debate.round ?? 1);
}

const CITATION = /\[((?:[NT]\d{1,4})(?:\s*[,;，、]\s*[NT]\d{1,4})*)\]/g;

/** Text in pieces: `{text}`, or `{kind: 'N' | 'T', n}` for what it cites; `[N1, T2]` cites two. */
export function cited(text) {
  const pieces = [];
  let from = 0;
  for (const found of text.matchAll(CITATION)) {
    if (found.index > from) pieces.push({ text: text.slice(from, found.index) });
    for (const one of found[1].split(/\s*[,;，、]\s*/)) pieces.push({ kind: one[0], n: Number(one.slice(1)) });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

const SURE = '(?:confidence|置信度|信心|把握)';
const LEVEL = '(high|medium|moderate|low|高|中|低|\\d{1,3}(?=\\s*[%％]))';
// A heading or the beginning of a line, or said as a sentence: "Confidence is low".
const CONFIDENCE = new RegExp(`(?:^[\\s#*>_-]*${SURE}[^\\p{L}\\p{N}]{0,12}|${SURE}(?:\\s*(?:level|程度))?[\\s*]*(?:[:：]|is|为|是)[\\s*]{0,4})${LEVEL}`, 'imu');
const LEVELS = { high: 'high', 高: 'high', medium: 'medium', moderate: 'medium', 中: 'medium', low: 'low', 低: 'low' };

/** How sure a summary says it is: {level, percent}; null when it does not say. */
export function confidenceOf(text) {
  const said = CONFIDENCE.exec(text)?.[1]?.toLowerCase();
  if (!said) return null;
  if (LEVELS[said]) return { level: LEVELS[said], percent: null };
  const percent = Math.min(100, Number(said));
  return { level: percent >= 70 ? 'high' : percent >= 40 ? 'medium' : 'low', percent };
}
