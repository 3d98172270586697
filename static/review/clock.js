/** Times that run down: `<time data-until="…">` says how long is left, and warns when it is little. */

import { gettext, interpolate } from '../chat/i18n.js';

const SOON = 5 * 60;

function words(seconds) {
  if (seconds <= 0) return gettext('over');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return interpolate(gettext('%(hours)s h %(minutes)s min'), { hours, minutes: minutes % 60 });
  return interpolate(gettext('%(count)s days'), { count: Math.floor(hours / 24) });
}

function tick() {
  for (const time of document.querySelectorAll('time[data-until]')) {
    const seconds = Math.round((Date.parse(time.dataset.until) - Date.now()) / 1000);
    const said = words(seconds);
    if (time.textContent !== said) time.textContent = said;
    time.classList.toggle('is-soon', seconds < SOON);
  }
}

export function runClocks() {
  tick();
  setInterval(tick, 1000);
}
