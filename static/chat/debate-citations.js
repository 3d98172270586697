/** `[N3]` and `[T2]` in what was said in a debate become links to the notepad's entry and the turn, where there are such. */

import { cited } from './debate.js';
import { turnWords } from './debate-words.js';
import { h } from './dom.js';
import { gettext, interpolate } from './i18n.js';

const FLASH_MS = 1800;

/** `find(kind, n)` says whether there is one, `jump(kind, n)` goes there. Text in code stays as it is. */
export function linkCitations(root, { find, jump }) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (/\[[NT]\d/.test(node.data) && !node.parentElement.closest('a, code, pre')) found.push(node);
  }
  for (const node of found) node.replaceWith(...cited(node.data).map((piece) => drawn(piece, find, jump)));
}

function drawn({ text, kind, n }, find, jump) {
  if (text !== undefined) return text;
  if (!find(kind, n)) return `[${kind}${n}]`;
  const go = (event) => {
    event.preventDefault();
    jump(kind, n);
  };
  const words = kind === 'T' ? turnWords(n) : interpolate(gettext('Note %(n)s'), { n });
  return h('a', { class: 'cite', href: `#${kind === 'T' ? 'turn' : 'note'}-${n}`, title: words, 'aria-label': words, on: { click: go } }, `${kind}${n}`);
}

/** Bring something into sight and show for a moment that it is meant. */
export function flash(element) {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({ block: 'center', behavior: calm ? 'instant' : 'smooth' });
  element.classList.add('is-flashed');
  setTimeout(() => element.classList.remove('is-flashed'), FLASH_MS);
  element.setAttribute('tabindex', '-1');
  element.focus({ preventScroll: true });
}
