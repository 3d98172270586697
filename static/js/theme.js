/* Runs before the first paint, so that a page never flashes in the wrong colours. */
(() => {
  try {
    const chosen = localStorage.getItem('theme');
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  } catch {
    /* No storage: the system's preference stands. */
  }
})();
