/** Where a person writes. Enter sends, Shift+Enter breaks the line, and an input method's Enter belongs to the input method. */

import { Attachments } from './attach.js';
import { gettext, interpolate, language } from './i18n.js';
import { points } from './text.js';

export const LIMIT = 32000;
// What a frame can carry, less its envelope: a Chinese character takes three bytes, a line break two.
const BYTES = 63 * 1024;
const WARN_FROM = 30000;
const ENTER_OF_INPUT_METHOD = 229;
const encoder = new TextEncoder();

/** How much of the limit a text uses: by characters, or by bytes when those run out first. */
export function fullness(text) {
  const count = points(text);
  const bytes = count > BYTES / 6 ? encoder.encode(JSON.stringify(text)).length : 0;
  return { count, limit: bytes > BYTES ? Math.floor((count * BYTES) / bytes) : LIMIT, over: count > LIMIT || bytes > BYTES };
}

export class Composer {
  /** `page`: {send(text), stop(), typed(text)}. */
  constructor(form, page) {
    this.page = page;
    this.form = form;
    this.text = form.querySelector('textarea');
    this.early = this.text.value; // typed while the scripts were still on their way
    this.go = form.querySelector('.go:not(.is-stop)');
    this.stopButton = form.querySelector('.is-stop');
    this.note = document.getElementById('composer-note');
    this.usual = this.note.textContent;
    this.usualInvitation = this.text.placeholder;
    this.blocked = '';
    this.attachments = new Attachments(form, page, () => this.changed());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    this.text.addEventListener('input', () => this.edited());
    this.text.addEventListener('keydown', (event) => this.pressed(event));
    this.stopButton.addEventListener('click', () => this.page.stop());
    form.addEventListener('click', (event) => event.target === form && this.text.focus());
    this.changed();
  }

  pressed(event) {
    const composing = event.isComposing || event.keyCode === ENTER_OF_INPUT_METHOD;
    if (event.key !== 'Enter' || event.shiftKey || composing) return;
    event.preventDefault();
    this.submit();
  }

  submit() {
    const text = this.text.value.trim();
    if (this.attachments.areUploading) {
      this.eager = true;
      return this.changed();
    }
    if (this.go.disabled) return;
    this.fill('');
    this.page.send(text, this.attachments.take());
  }

  fill(text) {
    this.text.value = text;
    this.edited();
  }

  edited() {
    this.eager = false;
    this.page.typed(this.text.value);
    this.changed();
  }

  changed() {
    this.fit();
    const { count, limit, over } = fullness(this.text.value.trim());
    const words = { count: count.toLocaleString(language()), limit: limit.toLocaleString(language()) };
    if (this.blocked) this.tell(this.blocked, true);
    else if (over) this.tell(interpolate(gettext('Too long: %(count)s of at most %(limit)s characters. Shorten it, or send it in parts.'), words), true);
    else if (this.eager && this.attachments.areUploading) this.tell(gettext('Sent as soon as the pictures are uploaded …'));
    else if (this.attachments.waits) this.tell(this.attachments.waits);
    else if (count > WARN_FROM) this.tell(interpolate(gettext('%(count)s of %(limit)s characters'), words));
    else this.tell(this.usual);
    const isEmpty = count === 0 && !this.attachments.ready.length;
    this.go.disabled = Boolean(this.blocked || this.attachments.waits) || over || isEmpty;
    if (this.eager && !this.attachments.areUploading) this.goOn();
  }

  /** What was to be sent waited for its pictures. */
  goOn() {
    this.eager = false;
    queueMicrotask(() => this.submit());
  }

  fit() {
    this.text.style.height = 'auto';
    const tall = this.text.scrollHeight;
    this.text.style.height = `${tall}px`;
    this.text.style.overflowY = tall > this.text.clientHeight + 2 ? 'auto' : 'hidden';
  }

  tell(words, bad = false) {
    if (this.note.textContent !== words) this.note.textContent = words;
    this.note.classList.toggle('is-bad', bad);
  }

  /** Say why nothing can be sent; an empty reason opens the composer again. */
  block(reason) {
    this.blocked = reason;
    this.text.disabled = Boolean(reason);
    this.changed();
  }

  /** What stands in the empty field; '' is the usual. */
  invite(words) {
    this.text.placeholder = words || this.usualInvitation;
  }

  moving(isMoving) {
    if (this.stopButton.hidden === !isMoving) return;
    const hadFocus = document.activeElement === this.stopButton;
    this.stopButton.hidden = !isMoving;
    if (hadFocus) this.text.focus();
  }

  focus() {
    if (matchMedia('(pointer: fine)').matches) this.text.focus();
  }
}
