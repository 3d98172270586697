/**
 * Arguments being filled in: a form from the tool's schema with errors beside its fields, or the same as JSON. It knows
 * nothing of what is done with them: whoever holds it reads them, and keeps what somebody typed.
 */

import { button, h } from './dom.js';
import { hasFields, isNode, planOf } from './fields.js';
import { makeForm } from './form.js';
import { gettext } from './i18n.js';
import { besideErrors } from './parts.js';
import { sorted } from './places.js';
import { readStrictly } from './strict.js';

export class Filling {
  /** `kept`: what stood here when it was looked at last; `keep(now)` is told what stands here; `drawn()`: it shows. */
  constructor({ id, labelledBy, schema, templates, given, errors, kept, keep, drawn }) {
    Object.assign(this, { id, schema, templates, kept, keep, drawn });
    this.given = kept?.given ?? given ?? {};
    this.errors = kept?.errors ?? errors ?? [];
    this.isOver = false;
    this.isTyped = kept?.isTyped ?? false;
    this.general = h('div', { class: 'form-general', tabindex: '-1' });
    this.fields = h('fieldset', { class: 'form', 'aria-labelledby': labelledBy }, h('p', { class: 'gate-said' }, gettext('Preparing the form …')));
    this.modeButton = button('', { class: 'is-small', icon: 'edit', press: () => this.switchMode() });
  }

  async start() {
    const { kept } = this;
    if (kept?.raw !== undefined || !hasFields(this.plan())) this.showRaw(kept?.raw ?? asJson(this.given));
    else await this.showForm(kept?.filled);
  }

  plan() {
    return planOf(this.schema ?? {}, this.given, this.templates ?? {});
  }

  destroy() {
    this.isOver = true;
    this.form?.destroy();
    this.form = null;
  }

  set disabled(isDisabled) {
    this.fields.disabled = isDisabled;
    this.modeButton.disabled = isDisabled;
  }

  // Form and JSON

  async showForm(filled) {
    try {
      const form = await makeForm({ plan: this.plan(), given: this.given, filled, changed: () => this.typed() });
      if (this.isOver) return form.destroy();
      this.form?.destroy();
      this.form = form;
      this.raw = null;
      this.fields.replaceChildren(form.element);
      this.drawMode();
    } catch (error) {
      console.warn(error);
      this.showRaw(asJson(this.given));
    }
  }

  showRaw(text) {
    const id = `raw-${this.id}`;
    this.form?.destroy();
    this.form = null;
    this.raw = h('textarea', { class: 'input is-code', id, rows: '10', spellcheck: 'false', dir: 'ltr', 'aria-describedby': `${id}-error`, on: { input: () => this.typed() } });
    this.raw.value = text;
    this.rawError = h('p', { class: 'field-error', id: `${id}-error` });
    this.fields.replaceChildren(h('div', { class: 'form-field' }, h('label', { for: id }, gettext('Arguments as JSON')), this.raw, this.rawError));
    this.drawMode();
  }

  drawMode() {
    this.modeButton.querySelector('span').textContent = this.raw ? gettext('Back to the form') : gettext('Edit as JSON');
    this.modeButton.hidden = Boolean(this.raw) && !hasFields(this.plan());
    this.showErrors();
    this.drawn();
  }

  async switchMode() {
    if (!this.raw) {
      this.rawBefore = asJson(this.form.read().value);
      this.showRaw(this.rawBefore);
    } else {
      const value = this.readRaw();
      if (!value) return;
      // What was said of other values says nothing of these.
      if (asJson(value) !== this.rawBefore) this.errors = [];
      this.given = value;
      await this.showForm();
    }
    this.edited();
    this.focus();
  }

  focus() {
    (this.raw ?? this.form)?.focus();
  }

  /** A person changed something. */
  typed() {
    this.isTyped = true;
    this.edited();
  }

  /** Keep what stands there now. */
  edited() {
    const now = this.raw ? { raw: this.raw.value } : { filled: this.form.filled };
    this.keep({ ...now, given: this.given, errors: this.errors, isTyped: this.isTyped });
  }

  /** The object that stands there; null, said beside what is wrong, when it is none, or not there yet. */
  read() {
    return this.raw ? this.readRaw() : this.form && this.readForm();
  }

  readRaw() {
    const { value, code } = readStrictly(this.raw.value);
    const words = {
      not_json: gettext('This is not JSON. Look for a missing quote, comma or bracket.'),
      twice: gettext('A name stands twice in the same object.'),
      inexact: gettext('This number is too large to be sent exactly.'),
    };
    this.rawError.textContent = code ? words[code] : isNode(value) ? '' : gettext('The arguments are one object: { … }');
    this.raw.removeAttribute('aria-invalid');
    if (!this.rawError.textContent) return value;
    this.raw.setAttribute('aria-invalid', 'true');
    this.raw.focus();
    return null;
  }

  readForm() {
    const { value, faults: wrong } = this.form.read();
    if (!wrong.length) return value;
    this.form.showFaults(wrong);
    this.form.focusError();
    return null;
  }

  // Errors

  /** What the server says is wrong, beside the fields; the first of them gets the focus. */
  complain(errors) {
    this.errors = errors;
    this.showErrors();
    this.edited();
    if (!this.focusError()) this.general.focus();
  }

  /** Whether there is a first thing to correct; if so it has the focus now. */
  focusError() {
    if (!this.raw) return Boolean(this.form?.focusError());
    const isWrong = this.raw.matches('[aria-invalid="true"]');
    if (isWrong) this.raw.focus();
    return isWrong;
  }

  showErrors() {
    const general = this.form ? this.form.showErrors(this.errors) : sorted(this.errors, []).general;
    this.general.replaceChildren(...besideErrors(general, { withGiven: true }));
    this.general.hidden = !general.length;
  }
}

const asJson = (value) => JSON.stringify(value, null, 2);
