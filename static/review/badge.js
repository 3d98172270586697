/** The number of calls that wait for whoever looks, in every badge of the page. Rows are the truth: it is always asked for. */

const SOON = 300;

/** What waits now, `{waiting, unknown, state}`; null when it could not be asked. The badges show it. */
export async function ask(url) {
  const answer = await fetch(url, { headers: { Accept: 'application/json' } }).catch(() => null);
  if (!answer?.ok) return null;
  const now = await answer.json();
  count(now.waiting);
  return now;
}

export function count(number) {
  for (const badge of document.querySelectorAll('[data-waiting]')) {
    badge.hidden = !number;
    badge.querySelector('[data-number]').textContent = String(number);
  }
}

/** For pages with a line of their own: a function that asks soon, once for many notices. Of no use where no badge is. */
export function askSoon(url) {
  let timer = 0;
  return () => {
    if (!document.querySelector('[data-waiting]')) return;
    clearTimeout(timer);
    timer = setTimeout(() => ask(url), SOON);
  };
}
