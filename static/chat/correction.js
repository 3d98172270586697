/**
 * The correction card: the model could not get a call's arguments right, so the person who asked is asked. What was
 * given and what is wrong with it is filled in (`filling.js`); the card sends what it shows. What somebody typed is kept
 * while the page lives (`keep.js`). Its buttons wake a moment after it appears, like the gate's.
 */

import { button, h, icon } from './dom.js';
import { Filling } from './filling.js';
import { gettext, interpolate, localised } from './i18n.js';
import { mends, moment, noted, riskChip, shown, timeLeft } from './parts.js';
import { refusalSentence } from './words.js';

const WAKE_AFTER = 600;
const open = new Set();
setInterval(() => open.forEach((card) => card.tick()), 1000);

export class Correction {
  constructor(page, call) {
    this.page = page;
    this.call = call;
    this.asked = call.correction;
    this.id = this.asked.id;
    this.deadline = Date.parse(this.asked.answerBy);
    this.busy = false;
    this.awake = false;
    setTimeout(() => this.wake(), WAKE_AFTER);
    this.filling = new Filling({
      ...this.asked, id: call.id, labelledBy: `correct-${call.id}`, given: this.asked.arguments, kept: page.kept.form(this.id),
      keep: (now) => this.keep(now), drawn: () => this.drawn(),
    });
    this.build();
    open.add(this);
    this.tick();
    this.filling.start();
  }

  /** Answered, here or elsewhere. */
  close() {
    open.delete(this);
    this.filling.destroy();
  }

  /** The answer came from another tab, or the question is over: say so to whoever is typing here. */
  answered({ status }) {
    this.page.kept.keepForm(this.id, null);
    if (this.busy) return;
    this.page.tell(['withdrawn', 'expired'].includes(status) ? gettext('The question about the arguments is over.') : gettext('The arguments were corrected elsewhere.'));
  }

  build() {
    const { id } = this.call;
    const { general, fields, modeButton } = this.filling;
    this.clock = h('time', { class: 'gate-clock', datetime: this.asked.answerBy, title: moment(this.asked.answerBy) });
    this.sendButton = button(gettext('Send corrected arguments'), { class: 'is-primary', icon: 'send', press: () => this.send() });
    this.cancelButton = button(gettext('Do not run this'), { icon: 'x', press: () => this.cancel() });
    this.leftButton = button('', { class: 'is-small to-correct', press: () => this.filling.focusError() });
    this.says = h('p', { class: 'gate-said', role: 'status' });
    this.alert = h('p', { class: 'visually-hidden', role: 'alert' });
    this.element = h(
      'section',
      { class: 'gate is-correction', 'aria-labelledby': `correct-${id}`, tabindex: '-1', on: { keydown: (event) => this.pressed(event) } },
      h('div', { class: 'gate-head' }, icon('edit'), h('strong', { id: `correct-${id}` }, gettext('The arguments need your help')), this.clock),
      h('div', { class: 'gate-body' }, this.facts(), general, fields, this.says, this.alert, h('div', { class: 'gate-buttons' }, this.sendButton, this.cancelButton, this.leftButton, h('span', { class: 'aside' }, modeButton))),
    );
  }

  facts() {
    const { checked, name } = this.call;
    const flags = checked?.flags ?? [];
    const title = localised(checked?.title);
    return [
      h('p', { class: 'gate-what' }, shown(title || name)),
      h('div', { class: 'gate-tool' }, checked?.risk && riskChip(checked.risk), h('code', {}, name)),
      h('p', { class: 'gate-said' }, gettext('The agent wanted to do this but did not get the details right. Correct what is marked, then send it. It is checked again like any other call, and you are still asked before anything that needs your agreement.')),
      noted(flags).map(([heading, some]) => h('details', { class: 'form-noted' }, h('summary', {}, heading), mends(some))),
    ];
  }

  keep(now) {
    this.page.kept.keepForm(this.id, now);
    this.count();
  }

  /** How much is still marked; pressed, it leads to the first of it. */
  count() {
    const { length: count } = this.element.querySelectorAll('[aria-invalid="true"]');
    const words = interpolate(gettext('%(count)s to correct'), { count });
    this.leftButton.hidden = !count;
    if (this.leftButton.textContent !== words) this.leftButton.firstElementChild.textContent = words;
  }

  drawn() {
    this.count();
    if (!this.wasSeen) this.page.lookAt(this.element);
    this.wasSeen = true;
  }

  // Sending

  /** Enter sends from a line, Ctrl or ⌘ with Enter from several lines; not while a word is being composed. */
  pressed(event) {
    const { key, target } = event;
    if (key !== 'Enter' || event.isComposing) return;
    const isLine = target.matches('input');
    if (!isLine && !(target.matches('textarea') && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    this.send();
  }

  async send() {
    if (this.sendButton.disabled) return;
    const value = this.filling.read();
    if (value) await this.submit({ arguments: value });
  }

  async cancel() {
    await this.submit({ cancel: true });
  }

  async submit(fields) {
    this.setBusy(true);
    this.say(gettext('Sending …'));
    try {
      await this.page.submitInput({ interrupt: this.id, ...fields });
      this.page.kept.keepForm(this.id, null);
      this.say(gettext('Sent.'));
    } catch (error) {
      this.setBusy(false);
      this.refused(error);
    }
  }

  refused(error) {
    const errors = error.more?.errors;
    this.say(errors ? '' : error.detail || refusalSentence(error), true);
    if (!errors) return this.focused?.focus();
    this.alert.textContent = interpolate(gettext('Not accepted yet: %(count)s to correct.'), { count: errors.length });
    this.filling.complain(errors);
  }

  say(words, bad = false) {
    this.said = words;
    this.says.classList.toggle('is-bad', bad && Boolean(words));
    this.tick();
  }

  setBusy(busy) {
    // What is switched off loses the focus: the card keeps it, for what comes in its place.
    if (busy && this.element.contains(document.activeElement)) {
      this.focused = document.activeElement;
      this.element.focus({ preventScroll: true });
    }
    this.busy = busy;
    this.element.setAttribute('aria-busy', String(busy));
    this.filling.disabled = busy;
    this.tick();
  }

  wake() {
    this.awake = true;
    if (open.has(this)) this.tick();
  }

  /** The clock, the line, and what both leave possible. */
  tick() {
    const left = Number.isNaN(this.deadline) ? Infinity : Math.max(0, Math.ceil((this.deadline - Date.now()) / 1000));
    const online = this.page.isOnline();
    this.clock.hidden = left === Infinity;
    this.clock.textContent = left ? timeLeft(left) : gettext('Time is up');
    for (const control of [this.sendButton, this.cancelButton]) control.disabled = this.busy || !this.awake || !left || !online;
    const words = online ? (this.said ?? '') : gettext('There is no connection at the moment. What you typed stays here.');
    if (this.says.textContent !== words) this.says.textContent = words;
    this.says.hidden = !words;
  }
}
