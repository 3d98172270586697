/** Single keys, where nobody is typing and no dialog is open. */

const TYPING = 'input, textarea, select, [contenteditable]';

/** `{j: (event) => …}`. `?` shows the keys everywhere. */
export function onKeys(table) {
  const help = document.getElementById('keys');
  const all = { '?': () => help?.showModal(), ...table };
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat && !'jk'.includes(key)) return;
    if (target.closest?.(TYPING)) {
      if (key === 'Escape') target.blur();
      return;
    }
    if (document.querySelector('dialog[open]') || !Object.hasOwn(all, key)) return;
    event.preventDefault();
    all[key](event);
  });
  for (const button of document.querySelectorAll('[data-help]')) {
    button.hidden = false;
    button.addEventListener('click', () => help?.showModal());
  }
}
