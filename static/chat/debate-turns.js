/** What the transcript draws besides of entries of a debate: their side, what they cite, how sure a summary is. */

import { linkCitations } from './debate-citations.js';
import { confidenceOf } from './debate.js';
import { stepLabel } from './debate-speakers.js';
import { confidenceWords } from './debate-words.js';
import { h } from './dom.js';

const SHORT = 30;

/** What was said in a debate stands on its speaker's side, and can be found by its turn. */
export function inDebate(element, { said, stepsInto }, heading) {
  const side = stepsInto ? 'is-step' : said.stage === 'summary' ? 'is-summary' : `is-${said.persona?.side ?? 'left'} hue-${said.persona?.hue ?? 'slate'}`;
  element.classList.add('in-debate', ...side.split(' '));
  element.classList.toggle('begins', heading !== '');
  if (said) Object.assign(element.dataset, { debate: said.debate, turn: said.turn });
}

/** A person's words between two turns. */
export function stepIn(element, { author }, page) {
  element.hidden = false;
  element.replaceChildren(stepLabel(author?.id === page.me.id ? '' : author?.name));
}

/** What is drawn besides of something said in a debate: what it cites; and of a summary, how sure it is. */
export function ofDebate(words, sure, { said, text }, page) {
  const { debate } = said;
  linkCitations(words, { find: (kind, n) => page.debate.has(kind, n, debate), jump: (kind, n) => page.debate.jump(kind, n, debate) });
  const confidence = said.stage === 'summary' ? confidenceOf(text) : null;
  if (confidence) words.querySelectorAll(':scope > p').forEach((one) => (one.hidden = one.textContent.length < SHORT && confidenceOf(one.textContent) !== null));
  sure.hidden = !confidence;
  if (confidence) sure.replaceChildren(h('span', { class: `confidence-level is-${confidence.level}`, 'aria-hidden': 'true' }, h('i'), h('i'), h('i')), confidenceWords(confidence));
}
