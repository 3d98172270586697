/** Plain sentences about debates: where one stands, what was noted. */

import { gettext, interpolate, language, ngettext } from './i18n.js';

/** What is going on, of `stageOf`. */
export function stageWords({ what, persona }) {
  const name = persona?.name ?? '';
  const table = {
    thinks: gettext('%(name)s is thinking …'),
    speaks: gettext('%(name)s is speaking'),
    acts: gettext('%(name)s is looking something up …'),
    asks: gettext('%(name)s asks for your decision'),
    summarising: gettext('The summary is being written …'),
    paused: gettext('Paused'),
    failed: persona ? gettext('%(name)s could not speak') : gettext('The summary could not be written'),
    waits: gettext('It stands still'),
    done: gettext('Finished'),
    stopped: gettext('Stopped'),
  };
  return interpolate(table[what] ?? what, { name });
}

/** What was asked of it and is done between two turns. */
export const steerWords = (steer) => ({ pause: gettext('Pauses after this turn'), summarise: gettext('Summary after this turn') })[steer] ?? '';

/** "Round 2 of 3", or of the other mode "Round 2, at most 8". */
export function roundWords({ mode, rounds, most }, round) {
  if (mode === 'ai') return interpolate(gettext('Round %(round)s, at most %(most)s'), { round, most });
  return interpolate(gettext('Round %(round)s of %(rounds)s'), { round, rounds: Math.max(rounds, round) });
}

/** What somebody is there for, when nobody said it: by their place. */
export const roleWords = ({ role, side }) => role || (side === 'right' ? gettext('Looks for holes') : gettext('Makes the case'));

export const turnWords = (turn) => interpolate(gettext('Turn %(turn)s'), { turn });

/** Kind of an entry -> [heading, icon]. */
export function kindWords(kind) {
  const table = {
    fact: [gettext('Facts'), 'check'],
    assumption: [gettext('Assumptions'), 'info'],
    question: [gettext('Open questions'), 'question'],
    todo: [gettext('To do'), 'clipboard'],
  };
  return table[kind] ?? [gettext('Notes'), 'edit'];
}

/** One of that kind. */
export const oneOfKind = (kind) => ({ fact: gettext('Fact'), assumption: gettext('Assumption'), question: gettext('Open question'), todo: gettext('To do') })[kind] ?? gettext('Note');

/** What one version changed: "Muse struck N3 in turn 4". */
export function changeWords({ action, entry, turn }, name) {
  const table = {
    add: gettext('%(name)s noted N%(entry)s in turn %(turn)s'),
    change: gettext('%(name)s changed N%(entry)s in turn %(turn)s'),
    strike: gettext('%(name)s struck N%(entry)s in turn %(turn)s'),
  };
  return interpolate(table[action] ?? action, { name, entry, turn });
}

export const countWords = (count) => interpolate(ngettext('%(count)s entry', '%(count)s entries', count), { count });

export function confidenceWords({ level, percent }) {
  const table = { high: gettext('Confidence: high'), medium: gettext('Confidence: medium'), low: gettext('Confidence: low') };
  if (percent === null) return table[level];
  return interpolate(gettext('Confidence: %(percent)s'), { percent: (percent / 100).toLocaleString(language(), { style: 'percent' }) });
}
