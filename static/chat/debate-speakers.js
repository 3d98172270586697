/** Who speaks: avatars, the line over a turn, the rule between two rounds. Names and avatars go in as text. */

import { personasOf } from './debate.js';
import { roleWords, turnWords } from './debate-words.js';
import { h, icon } from './dom.js';
import { gettext, interpolate } from './i18n.js';

const LETTERS = 2;

/** One emoji or two letters on the persona's colour; decoration, so always beside the name. */
export function avatar(persona, extra = '') {
  return h('span', { class: `avatar hue-${persona.hue} is-${persona.side} ${extra}`.trim(), 'aria-hidden': 'true' }, faceOf(persona));
}

function faceOf({ avatar: given, name }) {
  const [first] = new Intl.Segmenter().segment(String(given || name || '?').trim());
  const isLetters = /^[\p{L}\p{N}]/u.test(first?.segment ?? '');
  return isLetters ? [...String(given || first.segment)].slice(0, LETTERS).join('') : (first?.segment ?? '?');
}

/** Where an entry begins a turn or a round: {key, parts()}; `before` is what was said last in the same debate. */
export function turnHeading(said, before, debate) {
  const same = before?.debate === said.debate;
  const newRound = !same || before.round !== said.round || before.stage !== said.stage;
  const newTurn = newRound || before.turn !== said.turn || before.persona?.slug !== said.persona?.slug;
  if (!newTurn) return { key: '', parts: () => [] };
  const rule = newRound ? roundRule(said) : null;
  const by = said.stage === 'summary' ? summaryBy(debate) : speaker(said);
  return { key: `${said.debate} ${said.stage} ${said.round} ${said.turn}`, parts: () => [rule, by].filter(Boolean) };
}

function roundRule({ stage, round }) {
  const words = stage === 'summary' ? gettext('Final answer') : interpolate(gettext('Round %(round)s'), { round });
  return h('h2', { class: 'round-rule' }, h('span', {}, words));
}

function speaker({ persona, turn }) {
  if (!persona) return null;
  return h(
    'header',
    { class: 'speaker' },
    avatar(persona),
    h('div', { class: 'speaker-words' }, h('h3', {}, persona.name), h('span', {}, `${roleWords(persona)} · ${turnWords(turn)}`)),
  );
}

function summaryBy(debate) {
  const personas = debate?.personas ?? [];
  const names = { one: personas[0]?.name ?? '', two: personas[1]?.name ?? '' };
  return h(
    'header',
    { class: 'speaker is-summary' },
    h('span', { class: 'avatars' }, personas.map((one) => avatar(one))),
    h('div', { class: 'speaker-words' }, h('h3', {}, gettext('What came of it')), h('span', {}, interpolate(gettext('Joins what %(one)s and %(two)s said'), names))),
  );
}

/** Who would debate, before anything is asked. */
export function faceoff(personas) {
  const one = (persona) => h('div', { class: `faceoff-one hue-${persona.hue} is-${persona.side}` }, avatar(persona), h('span', {}, h('strong', {}, persona.name), h('small', {}, roleWords(persona))));
  const [first, second] = personasOf(personas).map(one);
  return h('div', { class: 'faceoff' }, first, h('span', { class: 'faceoff-against' }, gettext('against')), second);
}

/** On a card that asks for a decision: which of the two wants it. */
export function askedBy(said) {
  if (!said?.persona) return null;
  const words = interpolate(gettext('%(name)s asks, in turn %(turn)s'), { name: said.persona.name, turn: said.turn });
  return h('p', { class: `asked-by hue-${said.persona.hue}` }, avatar(said.persona, 'is-small'), h('span', {}, words));
}

/** Said by a person while the two debate. */
export const stepLabel = (name) =>
  h('span', { class: 'step-label' }, icon('user'), name ? interpolate(gettext('%(name)s stepped in'), { name }) : gettext('You stepped in'));
