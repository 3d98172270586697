/**
 * A tool call in the transcript: a quiet line that opens for details; a gate (`gate.js`) while it waits for a decision, a
 * form (`correction.js`) while it waits for corrected arguments; its progress (`job.js`) while it works in the background.
 */

import { Correction } from './correction.js';
import { h, icon } from './dom.js';
import { Gate } from './gate.js';
import { gettext, interpolate, localised } from './i18n.js';
import { isAtWork, JobCard, saidOnTheWay } from './job.js';
import { duration, faults, json, mends, moment, noted, riskChip, shown, statusChip } from './parts.js';
import { changeList, summary } from './preview.js';
import { drawDirective } from './rich.js';
import { flagMarks, outcomeSentence, reasonsOf, statusWords, untold } from './words.js';

const QUIET = new Set(['suggest_replies']);
// What the model is told of these says no more than our own sentence.
const SAID = new Set(['rejected', 'refused', 'denied', 'expired', 'withdrawn']);

/** Calls that only steer the page have no card. */
export const isQuiet = (call) => QUIET.has(call.name);

export class CallCard {
  constructor(page) {
    this.page = page;
    this.body = h('div', { class: 'call-body' });
    this.head = h('summary', {});
    this.folded = h('details', { on: { toggle: () => this.fillBody() } }, this.head, this.body);
    this.says = h('div', { class: 'call-says' });
    this.line = h('div', { class: 'call' }, this.folded, this.says);
    this.rich = h('div', {});
    this.element = h('div', {});
    this.waiting = null;
  }

  update(call) {
    this.call = call;
    const Waiting = waitingCard(call, this.page);
    const focused = this.element.contains(document.activeElement);
    if (Waiting) this.showWaiting(Waiting, call);
    else this.showLine(call);
    this.drawRich(call);
    if (focused && !this.element.contains(document.activeElement)) (Waiting ? this.waiting.element : this.head).focus();
  }

  showWaiting(Waiting, call) {
    if (!(this.waiting instanceof Waiting) || this.waiting.isAbout?.(call) === false) {
      this.answered(call);
      this.waiting = new Waiting(this.page, call, { title: titleOf(call), summary: summaryOf(call) });
      this.isNew = true;
    }
    this.waiting.update?.(call);
    this.place(this.waiting.element);
    if (this.isNew) this.page.lookAt(this.waiting.element);
    this.isNew = false;
  }

  /** What waited here waits no more. */
  answered(call) {
    this.waiting?.answered?.(call);
    this.close();
  }

  close() {
    this.waiting?.close();
    this.waiting = null;
  }

  lineChanged() {
    this.waiting?.tick?.();
  }

  showLine(call) {
    this.answered(call);
    const error = call.result?.error?.code;
    const [, tone] = statusWords(call.status, error);
    this.line.className = `call ${tone && `is-${tone}`}`;
    this.head.replaceChildren(
      h('span', { class: 'call-icon' }, icon(pictureOf(call))),
      h('span', { class: 'call-words' }, h('strong', {}, titleOf(call)), h('span', {}, summaryOf(call))),
      h('span', { class: 'call-end' }, call.checked?.risk && call.checked.risk !== 'SAFE' && riskChip(call.checked.risk), statusChip(call.status, error), icon('chevron', 'turn')),
    );
    this.says.replaceChildren(...marks(call), ...sentences(call).map((text) => h('p', {}, text)), ...beforehand(call, this.page), ...warnings(call));
    this.says.hidden = !this.says.childElementCount;
    this.place(this.line);
    this.fillBody();
  }

  place(part) {
    const parts = part === this.line ? [this.line, this.rich] : [part];
    if (this.element.firstChild !== part) this.element.replaceChildren(...parts);
  }

  /** Details are built when somebody looks. */
  fillBody() {
    if (this.folded.open) this.body.replaceChildren(...details(this.call));
  }

  drawRich(call) {
    const directives = call.result?.ui ?? [];
    if (directives === this.drawn) return;
    this.drawn = directives;
    this.rich.replaceChildren(...directives.map((one) => drawDirective(one, this.page)).filter(Boolean));
  }
}

function waitingCard({ status, confirmation, correction, checked, job }, page) {
  if (isAtWork({ status, job })) return JobCard;
  if (status === 'held' && confirmation) return Gate;
  const isMine = !checked?.requester || checked.requester.id === page.me.id;
  return status === 'asking' && correction && isMine ? Correction : null;
}

export const titleOf = (call) => localised(call.checked?.title) || call.name;

/** One line: what the call does with these arguments. */
export const summaryOf = (call) => shown(localised(call.checked?.summary).replace(/\s+/g, ' '));

function pictureOf(call) {
  if (call.status === 'succeeded') return call.confirmation ? 'gate-open' : 'tool';
  if (call.status === 'asking') return 'edit';
  return { denied: 'gate', expired: 'gate', withdrawn: 'gate', lapsed: 'gate', approved: 'gate-open' }[call.status] ?? 'tool';
}

/** What a person should know without opening the card. */
function sentences(call) {
  const noPreview = call.status === 'refused' && call.checked?.verdict === 'proposed';
  const outcome = noPreview ? gettext('It could not be shown beforehand what would be done, so nobody was asked and nothing was done.') : outcomeSentence(call.status, Boolean(call.correction));
  const said = [decisionSentence(call), outcome].filter(Boolean);
  const failure = call.result?.error;
  const lines = said.length ? [said.join(' ')] : [];
  if (failure?.message && (noPreview || !SAID.has(call.status))) lines.push(shown(failure.message));
  if (call.status === 'refused' && !noPreview) lines.push(...reasonsOf(call.checked).map(shown));
  return lines;
}

/** What was done to the arguments, in a word or two; the details say more. */
function marks({ checked }) {
  const list = flagMarks(checked?.flags ?? []).map(([words, picture, warns]) => h('span', { class: `chip ${warns ? 'is-warn' : ''}`.trim() }, icon(picture), words));
  return list.length ? [h('p', { class: 'call-marks' }, list)] : [];
}

/** Where to take back what let this call run unasked. */
const beforehand = ({ checked }, page) =>
  (checked?.flags ?? []).some(({ name }) => name === 'granted') ? [h('p', {}, h('a', { href: `${page.root}grants/` }, gettext('What I allowed beforehand')))] : [];

/** What is off about an outcome though the call succeeded. */
const warnings = ({ result }) => (result?.warnings ?? []).map((text) => h('p', { class: 'warning' }, icon('alert'), h('span', {}, shown(text))));

function decisionSentence({ decision }) {
  if (!decision || !['approved', 'denied'].includes(decision.status)) return '';
  const who = decision.by?.name || gettext('somebody');
  const when = decision.at ? moment(decision.at) : '';
  const approved = decision.status === 'approved';
  const words = when
    ? interpolate(approved ? gettext('Approved by %(who)s, %(when)s.') : gettext('Rejected by %(who)s, %(when)s.'), { who, when })
    : interpolate(approved ? gettext('Approved by %(who)s.') : gettext('Rejected by %(who)s.'), { who });
  return decision.reason ? `${words} “${decision.reason}”` : words;
}

function details(call) {
  const { checked, result } = call;
  const part = (title, content) => h('section', {}, h('h3', {}, title), content);
  const list = [];
  if (checked?.errors?.length) list.push(part(gettext('What is wrong with the arguments'), faults(checked.errors)));
  const reasons = reasonsOf(checked);
  if (reasons.length) list.push(part(gettext('Why'), h('ul', {}, reasons.map((reason) => h('li', {}, shown(reason))))));
  list.push(part(gettext('Arguments'), json(checked?.arguments ?? call.raw)));
  if (call.confirmation?.proposedArguments) list.push(part(gettext('Changed from what the agent proposed'), changeList(call.confirmation.proposedArguments, checked?.arguments ?? {})));
  list.push(...noted(untold(checked?.flags ?? [], reasons)).map(([heading, flags]) => part(heading, mends(flags))));
  if ((call.confirmation?.preview ?? null) !== null) list.push(part(gettext('What it would do'), summary(call.confirmation.preview)));
  if (result?.error?.suggestions?.length) list.push(part(gettext('Suggestions'), json(result.error.suggestions)));
  if (call.job?.output) list.push(part(gettext('Output while it ran'), saidOnTheWay(call)));
  if (result) list.push(part(gettext('Result'), json(pretty(result.result ?? result.content ?? ''))));
  const facts = [call.name, checked?.domain, result?.durationMs !== undefined && duration(result.durationMs)].filter(Boolean);
  list.push(h('p', { class: 'gate-tool' }, h('code', {}, facts[0]), facts.slice(1).map((fact) => h('span', {}, fact))));
  return list;
}

function pretty(content) {
  if (typeof content !== 'string') return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
