/**
 * What one can do with a message that was said: copy it, say it differently, have it answered anew, and go to its other
 * versions. One small bar a message.
 */

import { fullness } from './composer.js';
import { copyFrom, h, iconButton, icon } from './dom.js';
import { gettext, interpolate } from './i18n.js';
import { isBusy } from './store.js';
import { newKey } from './talks.js';

const ENTER_OF_INPUT_METHOD = 229;

export class Branching {
  /** `page`: {me, edit(id, text, key), regenerate(id), goTo(id)}. */
  constructor(page) {
    this.page = page;
    this.bar = h('div', { class: 'turn-bar' });
    this.key = '';
  }

  /** `tree`: of `branches.js`, for the state that is being drawn. */
  show(entry, state, tree, bubble) {
    const versions = tree.versions(entry.id);
    const still = !isBusy(state) && !state.outbox.length;
    const mine = entry.kind === 'user' && entry.author?.id === this.page.me.id && !entry.stepsInto;
    const anew = entry.kind === 'reply' && entry.ended && tree.last === entry.id && !entry.said && isOf(state.askers[entry.run], this.page.me);
    const key = [entry.text, entry.placed, still, mine, anew, ...versions].join('\n');
    if (key === this.key) return;
    this.key = key;
    const hadFocus = this.bar.contains(document.activeElement) && document.activeElement.dataset.act;
    this.bar.replaceChildren(...this.parts({ entry, versions, still, mine, anew, bubble }).filter(Boolean));
    this.bar.hidden = !this.bar.childElementCount;
    if (hadFocus) this.bar.querySelector(`[data-act=${hadFocus}]`)?.focus();
  }

  parts({ entry, versions, still, mine, anew, bubble }) {
    return [
      entry.kind === 'user' && this.copy(entry),
      mine && entry.placed && this.act('edit', gettext('Edit and send again'), 'edit', still, () => this.edit(entry, bubble)),
      anew && this.act('anew', gettext('Write this answer again'), 'retry', still, () => this.page.regenerate(entry.id)),
      versions.length > 1 && versions.includes(entry.id) && this.arrows(entry, versions, still),
    ];
  }

  copy(entry) {
    const control = iconButton(gettext('Copy message'), 'copy', () => copyFrom(control, entry.text, ''));
    return control;
  }

  act(name, label, picture, enabled, press) {
    const control = iconButton(label, picture, press);
    control.dataset.act = name;
    control.disabled = !enabled;
    return control;
  }

  arrows(entry, versions, still) {
    const at = versions.indexOf(entry.id);
    const go = (name, label, to) => {
      const control = this.act(name, label, 'chevron', still && to !== undefined, () => this.page.goTo(to));
      control.classList.add(`is-${name}`);
      return control;
    };
    const place = { at: at + 1, of: versions.length };
    return h(
      'span',
      { class: 'versions', role: 'group', 'aria-label': gettext('Versions of this message') },
      go('before', gettext('Previous version'), versions[at - 1]),
      h('span', { 'aria-label': interpolate(gettext('Version %(at)s of %(of)s'), place), role: 'img' }, `${place.at} / ${place.of}`),
      go('next', gettext('Next version'), versions[at + 1]),
    );
  }

  /** In place of the bubble: Enter sends as in the composer, Escape leaves it as it was. */
  edit(entry, bubble) {
    if (this.form) return;
    const text = h('textarea', { class: 'input', rows: 2, 'aria-label': gettext('Your message') });
    text.value = entry.text;
    const send = h('button', { type: 'submit', class: 'button is-primary is-small' }, gettext('Send'));
    const leave = h('button', { type: 'button', class: 'button is-small', on: { click: () => this.leave(bubble) } }, gettext('Cancel'));
    const hint = h('small', {}, gettext('What was said after it stays as another version.'));
    this.form = h('form', { class: 'turn-edit' }, text, h('div', { class: 'turn-edit-foot' }, hint, leave, send));
    const fit = () => {
      text.style.height = 'auto';
      text.style.height = `${text.scrollHeight + 2}px`;
      const { count, over } = fullness(text.value.trim());
      send.disabled = over || (count === 0 && !entry.attachments?.length);
    };
    text.addEventListener('input', fit);
    text.addEventListener('keydown', (event) => this.pressed(event, bubble));
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!send.disabled) this.send(entry, text, bubble);
    });
    bubble.after(this.form);
    bubble.classList.add('is-edited');
    this.bar.classList.add('is-edited');
    fit();
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
  }

  pressed(event, bubble) {
    if (event.isComposing || event.keyCode === ENTER_OF_INPUT_METHOD) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.leave(bubble);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      this.form.requestSubmit();
    }
  }

  async send(entry, text, bubble) {
    if (text.value.trim() === entry.text.trim()) return this.leave(bubble);
    for (const control of this.form.elements) control.disabled = true;
    const sent = await this.page.edit(entry.id, text.value.trim(), (this.sendKey ??= newKey()));
    if (sent) return this.leave(bubble);
    for (const control of this.form?.elements ?? []) control.disabled = false;
    text.focus();
  }

  leave(bubble) {
    this.form?.remove();
    this.form = this.sendKey = null;
    bubble.classList.remove('is-edited');
    this.bar.classList.remove('is-edited');
    this.bar.querySelector('[data-act=edit]')?.focus();
  }
}

/** Who asked, if anybody knows. */
const isOf = (asker, me) => !asker || asker === me.id;

/** "Earlier messages were summarised", with what the model is told instead. */
export function summaryNote({ count, text }) {
  const words = text ? gettext('Earlier messages were summarised') : gettext('Earlier messages are left out');
  const whole = interpolate(text ? gettext('The model is told this in place of the first %(count)s messages:') : gettext('The conversation became too long: the model is not told the first %(count)s messages any more.'), { count });
  return h('details', { class: 'summary-note' }, h('summary', {}, icon('book'), h('span', {}, words)), h('p', {}, whole), text && h('div', { class: 'summary-text' }, text));
}
