/** The queue: lines come and go by themselves, and can be walked by keys without losing one's place. */

import { runClocks } from './clock.js';
import { onKeys } from './keys.js';
import { on } from './waiting.js';

const live = document.getElementById('queue-live');
const filter = document.querySelector('.queue-filter');
const rows = () => [...live.querySelectorAll('.ask')];
const here = () => live.querySelector('.ask:focus');

function step(by) {
  const all = rows();
  if (!all.length) return;
  const at = all.indexOf(here());
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by));
  all[next].focus();
}

/** Draw what the server has now; the line one stands on keeps the focus, or the one that took its place. */
async function refresh() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const now = page.getElementById('queue-live');
  if (!now) return;
  const before = rows();
  const focused = here();
  const at = before.indexOf(focused);
  const known = new Set(before.map((row) => row.dataset.id));
  live.replaceChildren(...now.childNodes);
  const after = rows();
  for (const row of after) if (!known.has(row.dataset.id)) row.classList.add('is-new');
  if (focused) (after.find((row) => row.dataset.id === focused.dataset.id) ?? after[Math.min(at, after.length - 1)])?.focus();
}

function open(hash) {
  const row = here() ?? rows()[0];
  if (row) location.assign(row.href + hash);
}

onKeys({
  j: () => step(1),
  k: () => step(-1),
  a: () => open('#approve'),
  r: () => open('#reject'),
  n: () => open(''),
  '/': () => filter.querySelector('[type=search]').focus(),
});
filter.addEventListener('change', (event) => event.target.matches('select') && filter.requestSubmit());
filter.addEventListener('formdata', ({ formData }) => {
  for (const [name, value] of [...formData]) if (!value || (name === 'show' && value === 'mine')) formData.delete(name);
});
on(refresh);
runClocks();
