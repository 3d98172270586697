/**
 * On a narrow screen the list is a drawer over the talk: what lies under it cannot be reached meanwhile. The button
 * that opens it says when there is news in the list, which nobody sees while it is closed.
 */

import { gettext } from './i18n.js';

export function setUpDrawer() {
  const toggle = document.querySelector('.drawer-toggle');
  const drawer = document.getElementById('sidebar');
  const under = document.querySelectorAll('.bar, .talk');
  const usual = toggle.title;
  const news = new Set();
  const isOpen = () => document.body.classList.contains('has-drawer');

  function set(open) {
    if (open === isOpen()) return;
    document.body.classList.toggle('has-drawer', open);
    toggle.setAttribute('aria-expanded', String(open));
    under.forEach((part) => part.toggleAttribute('inert', open));
    if (open) drawer.querySelector('a, button, input').focus();
    else toggle.focus();
  }

  function tell(what, isNew) {
    if (isNew) news.add(what);
    else news.delete(what);
    const words = news.size ? gettext('Conversations: new activity') : usual;
    toggle.classList.toggle('has-news', news.size > 0);
    toggle.setAttribute('aria-label', words);
    toggle.title = words;
  }

  toggle.addEventListener('click', () => set(true));
  document.querySelector('.backdrop').addEventListener('click', () => set(false));
  addEventListener('keydown', (event) => event.key === 'Escape' && !document.querySelector('dialog[open]') && set(false));
  matchMedia('(min-width: 861px)').addEventListener('change', () => set(false));
  return { close: () => set(false), tell };
}
