/** One picture above the composer: what it is, how far it is, what is wrong with it, and how to take it away. */

import { button, h, icon, iconButton } from './dom.js';
import { gettext, interpolate } from './i18n.js';

export class Chip {
  /** `page`: {remove(chip), again(chip)}. */
  constructor(file, page) {
    Object.assign(this, { file, page, state: '', upload: null, stop: () => {} });
    this.name = file.name || gettext('Picture');
    this.shown = h('span', { class: 'chip-picture', 'aria-hidden': 'true' }, icon('image'));
    this.bar = h('progress', { max: 1, value: 0, 'aria-label': interpolate(gettext('Uploading %(name)s'), { name: this.name }) });
    this.words = h('span', { class: 'chip-words' });
    this.removeButton = iconButton(interpolate(gettext('Remove %(name)s'), { name: this.name }), 'x', () => page.remove(this));
    this.text = h('span', { class: 'chip-text' }, h('span', { class: 'chip-name', dir: 'auto' }, this.name), this.bar, this.words);
    this.element = h('li', { class: 'chip-attached' }, this.shown, this.text, this.removeButton);
    this.blob = file instanceof Blob ? URL.createObjectURL(file) : null;
    if (this.blob) this.preview(this.blob);
  }

  preview(url) {
    const image = h('img', { src: url, alt: '' });
    image.addEventListener('error', () => this.shown.replaceChildren(icon('image')));
    this.shown.replaceChildren(image);
  }

  uploading() {
    this.become('uploading');
    this.progress(0);
    this.words.replaceChildren();
  }

  /** At the end the server still looks at it: a bar that moves without saying how far. */
  progress(share) {
    if (share < 1) this.bar.value = share;
    else this.bar.removeAttribute('value');
  }

  uploaded({ id, name, media_type, width, height, url }) {
    this.upload = { id, name, media_type, width, height, url };
    this.become('ready');
    this.words.replaceChildren(`${width} × ${height}`);
    // Of a moving picture a still one was kept: that is what goes out.
    if (!this.blob || this.file.type === 'image/gif') this.preview(url);
  }

  failed(words, again) {
    this.become('failed');
    if (!again) this.shown.replaceChildren(icon('image'));
    const retry = again && button(gettext('Try again'), { class: 'is-small', press: () => this.page.again(this) });
    this.words.replaceChildren(words, ...(retry ? [' ', retry] : []));
    this.element.scrollIntoView({ block: 'nearest' });
  }

  become(state) {
    this.state = state;
    this.bar.hidden = state !== 'uploading';
    this.element.classList.toggle('is-failed', state === 'failed');
  }

  close() {
    const wasUploading = this.state === 'uploading';
    this.state = 'removed';
    if (wasUploading) this.stop();
    if (this.blob) URL.revokeObjectURL(this.blob);
  }
}
