/** What every page has: the theme toggle, and menus that close when one looks away. */

const dark = matchMedia('(prefers-color-scheme: dark)');
const shown = () => document.documentElement.dataset.theme || (dark.matches ? 'dark' : 'light');

function mark() {
  for (const toggle of document.querySelectorAll('[data-theme-toggle]')) {
    toggle.setAttribute('aria-pressed', String(shown() === 'dark'));
  }
}

function toggleTheme() {
  const next = shown() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem('theme', next);
  } catch {
    // It holds for this page.
  }
  mark();
}

function closeMenus(except) {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (menu !== except) menu.open = false;
  }
}

// On a narrow screen the row of tabs scrolls: begin where the page's own tab can be seen.
const here = document.querySelector('.review-nav [aria-current]');
if (here) here.parentElement.scrollLeft = here.offsetLeft - (here.parentElement.clientWidth - here.offsetWidth) / 2;

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-theme-toggle]')) toggleTheme();
  closeMenus(event.target.closest('details.menu'));
  const menu = event.target.closest('details.menu [role="menuitem"], details.menu .menu-item')?.closest('details.menu');
  if (menu && !event.target.closest('form')) menu.open = false;
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  const open = document.querySelector('details.menu[open]');
  if (!open) return;
  open.open = false;
  open.querySelector('summary').focus();
});

addEventListener('storage', (event) => {
  if (event.key === 'theme' && event.newValue) {
    document.documentElement.dataset.theme = event.newValue;
    mark();
  }
});
dark.addEventListener('change', mark);
mark();
