/** The page before the first word: who one talks to, and ways to begin. */

import { faceoff } from './debate-speakers.js';
import { h, icon } from './dom.js';
import { gettext, interpolate } from './i18n.js';
import { mark } from './transcript.js';

/** `choose` is null in a conversation that has its agent already. */
export function drawEmpty({ agents, agent, choose, say }) {
  if (!agents.length) {
    return h('div', { class: 'empty' }, mark(), h('h2', {}, gettext('No agent is here yet')), h('p', {}, gettext('An administrator has to set one up before you can talk to it.')));
  }
  const title = agent.debate ? gettext('Two minds, one answer') : interpolate(gettext('What can %(agent)s do for you?'), { agent: agent.name });
  const words = agent.debate
    ? gettext('Ask a question. The two debate it in turns, keep a notepad together, and end with one answer that says what is open.')
    : gettext('It looks things up by itself. Before it does anything that has consequences, it asks you.');
  return h(
    'div',
    { class: 'empty' },
    mark(),
    h('h2', {}, title),
    h('p', {}, words),
    agent.debate && faceoff(agent.debate.personas),
    agent.isDemo && h('p', { class: 'chip' }, icon('info'), gettext('Demo model – scripted')),
    choose && agents.length > 1 && picker(agents, agent, choose),
    openers(agent, say),
  );
}

function picker(agents, agent, choose) {
  const option = (one) =>
    h('label', {}, h('input', { type: 'radio', name: 'agent', value: one.slug, checked: one.slug === agent.slug, on: { change: () => choose(one) } }), h('strong', {}, one.name), h('small', {}, one.isDemo ? gettext('Demo model – scripted') : ''));
  return h('fieldset', { class: 'agents' }, h('legend', { class: 'visually-hidden' }, gettext('Agent')), agents.map(option));
}

function openers({ suggestions }, say) {
  if (!suggestions?.length) return null;
  const opener = (text) => h('button', { type: 'button', on: { click: () => say(text) } }, h('span', {}, text), icon('send'));
  return h('div', { class: 'openers', role: 'group', 'aria-label': gettext('Ways to begin') }, suggestions.slice(0, 6).map(opener));
}

export const drawSkeleton = () =>
  h('div', { class: 'skeleton', role: 'status', 'aria-label': gettext('Loading the conversation') }, ['is-mine', '', 'is-short', 'is-mine', '', '', 'is-short'].map((kind) => h('i', { class: kind })));
