/**
 * Draws a conversation's state. Every entry has a view that is kept and told when its entry changed (entries keep their
 * identity in the store), so a frame costs what it changed and nothing that stands moves.
 */

import { treeOf } from './branches.js';
import { Branching, summaryNote } from './branching.js';
import { CallCard, isQuiet } from './cards.js';
import { isBeingNoted, isNoted, noteLine } from './debate-notes.js';
import { turnHeading } from './debate-speakers.js';
import { inDebate, ofDebate, stepIn } from './debate-turns.js';
import { button, copyFrom, h, iconButton, icon } from './dom.js';
import { PEOPLE_NOTES, saidBy, withMentions } from './group-said.js';
import { Holding } from './holding.js';
import { gettext, interpolate, ngettext } from './i18n.js';
import { drawMarkdown } from './markdown.js';
import { shown } from './parts.js';
import { Pictures } from './pictures.js';
import { askedByReminder, REMINDER_NOTES, reminderView } from './reminder.js';
import { isBusy } from './store.js';
import { refusalSentence, runErrorSentence, warningWords, writerWords } from './words.js';

const LONG_DRAFT = 20000;
const SLOW_DRAW = 200;
const MOVING = new Set(['writing', 'checking', 'cleared', 'approved', 'claimed']);

export class Transcript {
  /** `page`: {me, kept, agentName(), say, tell, lookAt, decide, submitInput, retry, resend, discard, redraw}. */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.list = h('ol', { class: 'entries' });
    this.holding = new Holding();
    this.flow = flowing(this.holding);
    root.replaceChildren(this.list, this.flow);
    this.views = new Map();
  }

  clear() {
    for (const view of this.views.values()) view.close?.();
    this.views.clear();
    this.list.replaceChildren();
  }

  /** The connection came or went. */
  lineChanged() {
    for (const view of this.views.values()) view.lineChanged?.();
  }

  draw(state) {
    const tree = treeOf(state);
    const entries = [...tree.shown.map((key) => state.entries[key]), ...state.outbox.map(asEntry)].filter(isShown);
    this.forget(new Set(entries.map((entry) => entry.key)));
    let before = null;
    let spoken = null;
    entries.forEach((entry, at) => {
      const view = this.viewOf(entry);
      const heading = entry.said ? turnHeading(entry.said, spoken, state.debates[entry.said.debate]) : this.headingOf(entry, before);
      if (view.entry !== entry || view.heading !== heading.key || entry.waiting) this.update(view, entry, heading, state);
      view.branching?.show(entry, state, tree, view.bubble);
      if (this.list.children[at] !== view.element) this.list.insertBefore(view.element, this.list.children[at] ?? null);
      before = entry;
      spoken = entry.said ?? spoken;
    });
    this.drawFlow(state, entries);
  }

  forget(keep) {
    for (const [key, view] of this.views) {
      if (keep.has(key)) continue;
      view.close?.();
      view.element.remove();
      this.views.delete(key);
    }
  }

  viewOf(entry) {
    let view = this.views.get(entry.key);
    if (!view) {
      view = { element: h('li', { class: `entry is-${entry.kind === 'sending' ? 'user' : entry.kind}` }), by: h('div', {}), ...VIEWS[entry.kind](this.page) };
      view.element.append(view.by, view.content);
      this.views.set(entry.key, view);
    }
    return view;
  }

  /** What stands over an entry: who speaks, when somebody else did before. */
  headingOf(entry, before) {
    const speaks = isAgents(entry) && !isAgents(before);
    return speaks ? { key: 'agent', parts: () => [byline(this.page.agentName())] } : { key: '', parts: () => [] };
  }

  update(view, entry, heading, state) {
    if (view.heading !== heading.key) view.by.replaceChildren(...heading.parts());
    if (entry.said || entry.stepsInto) inDebate(view.element, entry, heading.key);
    view.update(entry, state, view.element);
    Object.assign(view, { entry, heading: heading.key });
  }

  /** Something is on its way and nothing shows it yet. */
  drawFlow(state, entries) {
    const showing = entries.some((entry) => (entry.kind === 'reply' && !entry.ended && entry.points > 0) || (entry.kind === 'call' && MOVING.has(entry.status)));
    this.flow.hidden = !isBusy(state) || showing;
    this.flow.classList.toggle('is-right', entries.at(-1)?.said?.persona?.side === 'right');
    this.holding.show(this.flow.hidden ? null : state.hold);
  }
}

const isAgents = (entry) => entry?.kind === 'reply' || entry?.kind === 'call';
const asEntry = (one) => ({ ...one, kind: 'sending', key: `o:${one.key}`, sent: one.key });

function isShown(entry) {
  if (entry.kind === 'reply') return entry.points > 0 || Boolean(entry.thoughts) || Boolean(entry.said && !entry.ended);
  return entry.kind !== 'call' || !(isQuiet(entry) || isBeingNoted(entry));
}

function flowing({ said, read }) {
  const dots = h('span', { class: 'flow-waves', 'aria-hidden': 'true' }, h('i'), h('i'), h('i'));
  return h('div', { class: 'flow', hidden: true }, dots, h('span', { class: 'visually-hidden' }, gettext('The agent is working')), said, read);
}

export const mark = () => icon('mark', 'mark');
const byline = (name) => h('div', { class: 'reply-by' }, mark(), h('span', {}, name));

const VIEWS = {
  user: userView,
  sending: sendingView,
  reply: replyView,
  call: callView,
  error: errorView,
  note: noteView,
  reminder: reminderView,
};

function userView(page) {
  const bubble = h('div', { class: 'bubble' });
  const by = h('div', { class: 'bubble-by' });
  const state = h('div', { class: 'bubble-state' });
  const pictures = new Pictures();
  const steps = h('div', { class: 'step-by', hidden: true });
  const update = (entry, { moving }) => {
    if (entry.stepsInto) stepIn(steps, entry, page);
    bubble.replaceChildren(...withMentions(entry, page));
    bubble.hidden = !entry.text;
    reply.hidden = !entry.replyTo;
    reply.replaceChildren(icon('reply'), interpolate(gettext('Reply to %(name)s'), { name: page.agentName() }));
    pictures.show(entry.attachments);
    const isTheirs = saidBy(by, label, entry, page);
    by.hidden = !isTheirs || Boolean(entry.stepsInto);
    content.classList.toggle('is-theirs', isTheirs && !entry.stepsInto);
    if (entry.reminder) askedByReminder(by, entry, page);
    state.hidden = !(entry.waiting && moving);
    state.replaceChildren(icon('clock'), entry.stepsInto ? gettext('Both hear it before the next turn') : gettext('Queued: answered after the current reply'));
  };
  const branching = new Branching(page);
  const label = h('span', { class: 'visually-hidden' }, gettext('You said:'));
  const reply = h('div', { class: 'bubble-reply', hidden: true });
  const content = h('div', { class: 'said' }, label, by, steps, reply, pictures.element, bubble, branching.bar, state);
  return { content, update, branching, bubble };
}

function sendingView(page) {
  const bubble = h('div', { class: 'bubble' });
  const state = h('div', { class: 'bubble-state', role: 'status' });
  const pictures = new Pictures();
  const update = (entry, _, element) => {
    bubble.textContent = entry.text;
    bubble.hidden = !entry.text;
    pictures.show(entry.attachments);
    element.classList.toggle('is-sending', entry.state !== 'failed');
    state.classList.toggle('is-bad', entry.state === 'failed');
    if (entry.state !== 'failed') {
      state.replaceChildren(page.isOnline() ? '' : gettext('Will be sent when the connection is back'));
      return;
    }
    state.replaceChildren(
      h('span', {}, `${gettext('Not sent.')} ${refusalSentence(entry.error)}`),
      button(gettext('Try again'), { press: () => page.resend(entry.sent) }),
      button(gettext('Take back'), { press: () => page.discard(entry.sent) }),
    );
  };
  return { content: h('div', { class: 'said' }, pictures.element, bubble, state), update };
}

function replyView(page) {
  const words = h('div', { class: 'md', dir: 'auto' });
  const foot = h('div', { class: 'reply-foot' });
  const warnings = h('div', {});
  const thoughts = h('details', { class: 'thoughts', hidden: true }, h('summary', {}, gettext('Thoughts')), h('div', { dir: 'auto' }));
  const branching = new Branching(page);
  const sure = h('p', { class: 'confidence', hidden: true });
  const content = h('article', {}, thoughts, sure, words, warnings, h('div', { class: 'reply-end' }, foot, branching.bar));
  let drawnAt = 0;
  let drawn = '';
  const update = (entry, _, element) => {
    element.classList.toggle('is-draft', !entry.ended);
    content.hidden = Boolean(entry.said) && !entry.points && !entry.thoughts;
    const soon = entry.points > LONG_DRAFT && performance.now() - drawnAt < SLOW_DRAW;
    if (soon && !entry.ended) return page.redraw();
    if (drawn !== entry.text || entry.ended) drawMarkdown(words, entry.text, entry.ended);
    if (entry.said) ofDebate(words, sure, entry, page);
    drawn = entry.text;
    drawnAt = performance.now();
    warnings.replaceChildren(...(entry.meta.warnings ?? []).map((one) => h('p', { class: 'warning' }, icon('alert'), h('span', {}, shown(warningWords(one))))));
    foot.replaceChildren(...(entry.ended && entry.points ? footOf(entry, page) : []));
    thoughts.hidden = !entry.thoughts;
    thoughts.lastChild.textContent = entry.thoughts ?? '';
  };
  return { content, update, branching };
}

function footOf(entry, page) {
  const copy = iconButton(gettext('Copy answer'), 'copy', () => copyFrom(copy, entry.text, ''));
  const { model, demo, finish, fallback } = entry.meta;
  return [
    copy,
    iconButton(gettext('Reply to this'), 'reply', () => page.group.reply(entry), 'is-reply'),
    demo && h('span', { class: 'chip', title: gettext('A built-in script plays the model: no language model was asked.') }, gettext('Demo model – scripted')),
    (model || fallback) && (fallback || !demo) && h('span', {}, writerWords(entry.meta)),
    finish === 'length' && h('span', { class: 'chip is-warn' }, gettext('Cut off at the model’s limit')),
    finish === 'error' && h('span', { class: 'chip is-warn' }, gettext('Interrupted')),
  ].filter(Boolean);
}

function callView(page) {
  const card = new CallCard(page);
  const note = h('div', { hidden: true });
  const update = (entry) => {
    card.element.hidden = isNoted(entry);
    note.hidden = !isNoted(entry);
    if (isNoted(entry)) note.replaceChildren(noteLine(entry, (...where) => page.debate.jump(...where)));
    else card.update(entry);
  };
  return { content: h('div', {}, card.element, note), update, lineChanged: () => card.lineChanged(), close: () => card.close() };
}

function errorView(page) {
  const content = h('div', { class: 'trouble' });
  const update = ({ code, message, retryable, settled, run, said }, state) => {
    const sentence = runErrorSentence(code, message);
    const again = retryable && !settled && !(state.askers[run] && state.askers[run] !== page.me.id);
    content.replaceChildren(
      icon('alert'),
      h('div', {}, h('p', {}, shown(sentence)), again && said && h('p', {}, gettext('Retry repeats this turn with exactly what it was given.'))),
      ...(again ? [button(gettext('Retry'), { class: 'is-small', icon: 'retry', press: (event) => retry(event.currentTarget, run) })] : []),
    );
  };
  const retry = async (control, run) => {
    control.disabled = true;
    await page.retry(run);
    control.disabled = false;
  };
  return { content, update };
}

function noteView() {
  const content = h('div', { class: 'note' });
  const update = (entry) => content.replaceChildren(NOTES[entry.code]?.(entry) ?? interpolate(gettext('Note: %(code)s'), entry));
  return { content, update };
}

const NOTES = {
  ...REMINDER_NOTES,
  ...PEOPLE_NOTES,
  cancelled: () => gettext('The answer was stopped'),
  retried: ({ count }) => interpolate(ngettext('%(count)s call was already carried out and is not repeated', '%(count)s calls were already carried out and are not repeated', count), { count }),
  summarised: summaryNote,
};
