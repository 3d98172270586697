/** On a narrow screen the list is a drawer over the talk: what lies under it cannot be reached meanwhile. */

export function setUpDrawer() {
  const toggle = document.querySelector('.drawer-toggle');
  const drawer = document.getElementById('sidebar');
  const under = document.querySelectorAll('.bar, .talk');
  const isOpen = () => document.body.classList.contains('has-drawer');

  function set(open) {
    if (open === isOpen()) return;
    document.body.classList.toggle('has-drawer', open);
    toggle.setAttribute('aria-expanded', String(open));
    under.forEach((part) => part.toggleAttribute('inert', open));
    if (open) drawer.querySelector('a, button, input').focus();
    else toggle.focus();
  }

  toggle.addEventListener('click', () => set(true));
  document.querySelector('.backdrop').addEventListener('click', () => set(false));
  addEventListener('keydown', (event) => event.key === 'Escape' && !document.querySelector('dialog[open]') && set(false));
  matchMedia('(min-width: 861px)').addEventListener('change', () => set(false));
  return { close: () => set(false) };
}
