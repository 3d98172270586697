/**
 * Change and approve: the arguments of a held call in a form (`filling.js`), to be approved as they then stand. The
 * tool's schema is fetched when somebody begins. What they typed is kept while the page lives, for as long as the
 * question is the same.
 */

import { button, h } from './dom.js';
import { Filling } from './filling.js';
import { gettext, interpolate } from './i18n.js';

export const keptAs = ({ id, digest }) => `${id}:${digest}`;

export class Editing {
  /** `approve(arguments)`, and `back()` for who thinks better of it. */
  constructor(page, call, { approve, back }) {
    Object.assign(this, { page, call, confirmation: call.confirmation, approve });
    this.approveButton = button(gettext('Approve with these changes'), { class: call.confirmation.risk === 'CRITICAL' ? 'is-critical' : 'is-primary', icon: 'check', press: () => this.press() });
    this.backButton = button(gettext('Back'), { press: () => { this.keep(null); back(); } });
    this.aside = h('span', { class: 'aside' });
    this.place = h('div', { class: 'form-place' }, h('p', { class: 'gate-said' }, gettext('Preparing the form …')));
    this.alert = h('p', { class: 'visually-hidden', role: 'alert' });
    this.buttons = h('div', { class: 'gate-buttons' }, this.approveButton, this.backButton, this.aside);
    this.element = h('div', { class: 'gate-edit' }, h('h3', { id: `edit-${call.id}` }, gettext('Change what is to be done')), this.place, this.alert);
  }

  keep(now) {
    this.page.kept.keepForm(keptAs(this.confirmation), now);
  }

  /** Fetch what the form is made from. Rejects when it cannot be had, or is about something else by now. */
  async start() {
    const { id, digest, arguments: given } = this.confirmation;
    const form = await this.page.confirmationForm(id);
    if (this.isOver) return;
    if (form.digest !== digest) throw Object.assign(new Error(), { code: 'digest_mismatch' });
    this.filling = new Filling({
      id: this.call.id, labelledBy: `edit-${this.call.id}`, schema: form.schema, templates: form.templates, given,
      kept: this.page.kept.form(keptAs(this.confirmation)), keep: (now) => this.keep(now), drawn: () => {},
    });
    this.place.replaceChildren(this.filling.general, this.filling.fields);
    this.aside.replaceChildren(this.filling.modeButton);
    await this.filling.start();
    this.filling.edited();
    this.filling.focus();
  }

  press() {
    const value = this.filling?.read();
    if (value) this.approve(value);
  }

  complain(errors) {
    this.alert.textContent = interpolate(gettext('Not accepted yet: %(count)s to correct.'), { count: errors.length });
    this.filling.complain(errors);
  }

  /** `isOff`: nothing can be sent; `busy`: something is being sent. */
  set state({ isOff, busy }) {
    this.approveButton.disabled = isOff;
    this.backButton.disabled = busy;
    if (this.filling) this.filling.disabled = busy;
  }

  destroy() {
    this.isOver = true;
    this.filling?.destroy();
  }
}
