/** Questions and short messages above the page. */

import { button, h } from './dom.js';
import { gettext } from './i18n.js';

/** Ask before something that cannot be undone; resolves to whether the person said yes. Focus starts on Cancel. */
export function confirmDialog({ title, text, yes }) {
  return new Promise((resolve) => {
    const answer = (value) => dialog.close(value);
    const cancel = button(gettext('Cancel'), { press: () => answer('') });
    const dialog = h(
      'dialog',
      { 'aria-labelledby': 'dialog-title' },
      h('h2', { id: 'dialog-title' }, title),
      h('p', {}, text),
      h('div', { class: 'dialog-buttons' }, cancel, button(yes, { class: 'is-critical', press: () => answer('yes') })),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
    cancel.focus();
  });
}

/** A line that goes by itself; over a dialogue it is a part of that, or nobody could read or press it. */
export function toast(words, link) {
  const one = h('div', { class: 'toast', role: 'status' }, h('span', {}, words), link && h('a', { href: link.href }, link.words));
  (document.querySelector('dialog:modal') ?? document.getElementById('toasts')).append(one);
  setTimeout(() => one.remove(), link ? 12000 : 6000);
}
