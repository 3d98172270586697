/** Completion of `@name` in the composer: a list above it, chosen with the arrows, Enter, Tab or the pointer. */

import { h } from './dom.js';
import { avatar } from './group-avatar.js';
import { beingNamed, fitting } from './group-words.js';
import { gettext } from './i18n.js';
import { mark } from './transcript.js';

const SHOWN = 6;

export class Mentions {
  /** `group`: {mentionable}. */
  constructor(form, group) {
    this.group = group;
    this.text = form.querySelector('textarea');
    this.list = h('ul', { class: 'mention-list', id: 'mention-list', role: 'listbox', 'aria-label': gettext('People to mention'), hidden: true });
    form.append(this.list);
    this.found = [];
    this.text.setAttribute('aria-controls', 'mention-list');
    this.text.addEventListener('input', () => this.look());
    this.text.addEventListener('blur', () => this.close());
    this.text.addEventListener('click', () => this.look());
    this.text.addEventListener('keydown', (event) => this.pressed(event), { capture: true });
  }

  get isOpen() {
    return !this.list.hidden;
  }

  look() {
    this.named = beingNamed(this.text.value, this.text.selectionStart);
    const found = this.named ? fitting(this.group.mentionable, this.named.part).slice(0, SHOWN) : [];
    const isWhole = found.some(({ name }) => this.named.part.toLowerCase() === `${name.toLowerCase()} `);
    this.found = isWhole ? [] : found;
    this.at = 0;
    this.draw();
  }

  draw() {
    this.list.hidden = !this.found.length;
    this.list.replaceChildren(...this.found.map((one, nth) => this.option(one, nth)));
    if (this.isOpen) this.text.setAttribute('aria-activedescendant', `mention-${this.at}`);
    else this.text.removeAttribute('aria-activedescendant');
  }

  option(one, nth) {
    const choose = (event) => {
      event.preventDefault();
      this.choose(one);
    };
    const face = one.isAgent ? mark() : avatar(one, 'is-small');
    return h('li', { id: `mention-${nth}`, role: 'option', 'aria-selected': String(nth === this.at), on: { mousedown: choose } }, face, h('span', {}, one.name), one.isAgent && h('small', {}, gettext('Agent')));
  }

  pressed(event) {
    if (!this.isOpen || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.at = (this.at + step + this.found.length) % this.found.length;
    else if (event.key === 'Escape') this.found = [];
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') return this.take(event);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.draw();
  }

  take(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
    this.choose(this.found[this.at]);
  }

  choose({ name }) {
    const { at } = this.named;
    this.text.setRangeText(`@${name} `, at, this.text.selectionStart, 'end');
    this.close();
    this.text.dispatchEvent(new Event('input', { bubbles: true }));
    this.text.focus();
  }

  close() {
    this.found = [];
    this.draw();
  }
}
