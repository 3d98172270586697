/** Pictures in the transcript: small beside the words, large in a dialogue. They come from our own address alone. */

import { h, icon, iconButton } from './dom.js';
import { gettext, interpolate } from './i18n.js';

const OURS = /^\/api\/v1\/t\/[-\w]+\/uploads\/[-\w]+\/content$/;

/** The pictures of a message, kept as they stand while the message does not change. */
export class Pictures {
  constructor() {
    this.element = h('ul', { class: 'pictures', hidden: true });
    this.drawn = '';
  }

  show(attachments = []) {
    const key = attachments.map((one) => one.id).join(' ');
    if (key === this.drawn) return;
    this.drawn = key;
    this.element.hidden = !attachments.length;
    this.element.classList.toggle('is-one', attachments.length === 1);
    this.element.replaceChildren(...attachments.map((one) => h('li', {}, thumbnail(one))));
  }
}

function thumbnail(picture) {
  const name = picture.name || gettext('Picture');
  if (!OURS.test(picture.url)) return missing(name);
  const image = h('img', { src: picture.url, alt: name, width: picture.width, height: picture.height, loading: 'lazy', decoding: 'async' });
  const open = h('button', { type: 'button', class: 'picture', title: name, 'aria-label': interpolate(gettext('Enlarge: %(name)s'), { name }), on: { click: () => showLarge(picture, name) } }, image);
  image.addEventListener('error', () => open.replaceWith(missing(name)));
  return open;
}

const missing = (name) => h('span', { class: 'picture-missing' }, icon('image'), h('span', {}, interpolate(gettext('The picture %(name)s is not there any more.'), { name })));

function showLarge({ url, width, height }, name) {
  const close = iconButton(gettext('Close'), 'x', () => dialog.close());
  const large = h('img', { src: url, alt: name, width, height });
  const below = h('p', { class: 'viewer-name', dir: 'auto' }, name, h('span', {}, `${width} × ${height}`));
  const dialog = h('dialog', { class: 'viewer', 'aria-label': name }, close, large, below);
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
