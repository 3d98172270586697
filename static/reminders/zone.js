/** Offers the browser's time zone where another one holds. Who keeps theirs is not asked again in this browser. */

const KEPT = 'sluice.zone.kept';
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Two names of one zone are no difference: compare what clocks show, winter and summer. */
function isSame(one, other) {
  const shown = (zone, at) => new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at);
  const year = new Date().getUTCFullYear();
  return [0, 6].every((month) => shown(one, Date.UTC(year, month, 1)) === shown(other, Date.UTC(year, month, 1)));
}

function isWanted(offer) {
  const now = offer.dataset.zoneOffer;
  try {
    return Boolean(here) && localStorage.getItem(KEPT) !== `${now} ${here}` && !(now && isSame(now, here));
  } catch {
    return false;
  }
}

function set(offer) {
  if (!isWanted(offer)) return;
  offer.elements.zone.value = here;
  offer.querySelector('[data-zone-name]').textContent = here.replaceAll('_', ' ');
  offer.querySelector('[data-zone-keep]').addEventListener('click', () => keep(offer));
  offer.hidden = false;
}

function keep(offer) {
  offer.hidden = true;
  try {
    localStorage.setItem(KEPT, `${offer.dataset.zoneOffer} ${here}`);
  } catch {
    // It is gone from this page at least.
  }
}

for (const offer of document.querySelectorAll('[data-zone-offer]')) set(offer);
