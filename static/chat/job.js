/**
 * A call that works in the background: how far it has come, what it has said on its way, and a button to cancel it. What
 * it shows is the newest picture of the store, so it is the same live and after a reload.
 */

import { button, h, icon } from './dom.js';
import { gettext } from './i18n.js';
import { jobWords, outputOf } from './job-words.js';
import { shown, statusChip } from './parts.js';

const AT_WORK = new Set(['queued', 'working', 'cancelling']);
const SPOKEN_EVERY = 10000;

/** Whether a call's job is under way, or waits for a worker. */
export const isAtWork = ({ status, job }) => Boolean(job) && AT_WORK.has(status);

export class JobCard {
  /** `page`: {me, cancelJob}. `what`: {title, summary} of the call, in words. */
  constructor(page, call, what) {
    this.page = page;
    this.spokenAt = 0;
    this.build(call, what);
  }

  build(call, { title, summary }) {
    const name = `job-${call.id}`;
    this.chip = h('span', { class: 'call-end' });
    const head = h('div', { class: 'job-head' }, h('span', { class: 'call-icon' }, icon('hourglass')), h('span', { class: 'call-words' }, h('strong', { id: name }, title), h('span', {}, summary)), this.chip);
    this.bar = h('progress', { max: 100, 'aria-labelledby': name });
    this.words = h('p', { class: 'job-words' });
    this.output = h('pre', { class: 'json job-output', tabindex: '0', role: 'group', 'aria-label': gettext('Output so far') });
    this.live = h('p', { class: 'visually-hidden', 'aria-live': 'polite' });
    this.cancelButton = button(gettext('Cancel'), { class: 'is-small', icon: 'x', press: () => this.cancel() });
    this.foot = h('div', { class: 'job-foot' }, h('p', {}, gettext('The chat can go on meanwhile.')), this.cancelButton);
    this.element = h('section', { class: 'call job', 'aria-labelledby': name }, head, h('div', { class: 'job-body' }, this.bar, this.words, this.output), this.live, this.foot);
  }

  update(call) {
    const { status, job } = call;
    this.call = call;
    this.chip.replaceChildren(statusChip(status));
    this.drawBar(status, job.percent);
    const words = jobWords(status, job);
    this.words.replaceChildren(...(words ? shown(words) : []));
    this.words.hidden = !words;
    this.drawOutput(outputOf(job));
    this.cancelButton.hidden = !this.isMine();
    this.cancelButton.disabled = status === 'cancelling' || this.asked;
    this.speak(status, words);
  }

  /** Without a percentage the bar says no more than that something moves. */
  drawBar(status, percent) {
    this.bar.hidden = status === 'queued';
    if (percent === null) this.bar.removeAttribute('value');
    else this.bar.value = percent;
  }

  /** The newest line stays in sight, unless somebody reads further up. */
  drawOutput(text) {
    const { output } = this;
    output.hidden = !text;
    if (output.said === text) return;
    const atEnd = output.scrollHeight - output.scrollTop - output.clientHeight < 24;
    output.replaceChildren(...shown(text));
    output.said = text;
    if (atEnd) output.scrollTop = output.scrollHeight;
  }

  /** Read out now and then, not at every step. */
  speak(status, words) {
    const turned = status !== this.spokenStatus;
    if (!turned && performance.now() - this.spokenAt < SPOKEN_EVERY) return;
    this.spokenStatus = status;
    this.spokenAt = performance.now();
    this.live.textContent = words;
  }

  isMine() {
    const asked = this.call.checked?.requester;
    return !asked || asked.id === this.page.me.id;
  }

  async cancel() {
    this.asked = true;
    this.cancelButton.disabled = true;
    this.asked = await this.page.cancelJob(this.call.id);
    this.cancelButton.disabled = this.asked;
  }

  close() {}
}

/** What a job said on its way, for the details of a call that has ended. */
export const saidOnTheWay = ({ job }) => (job && outputOf(job) ? h('pre', { class: 'json job-output', tabindex: '0' }, shown(outputOf(job))) : null);
