/**
 * Where an answer was found, as cards: title, host, date, a few words. Text and links alone; nothing is fetched from there, not
 * even an icon, and who follows a link is told before where it leads (T28).
 */

import { h, icon } from './dom.js';
import { gettext, interpolate, language, ngettext } from './i18n.js';
import { shown } from './parts.js';

const AT_ONCE = 4;

/** The section for a directive of kind `sources`; null when there is nothing to show. */
export function drawSources({ sources, answered, sample }) {
  const cards = (sources ?? []).map(card).filter(Boolean);
  if (!cards.length && !answered) return null;
  return h(
    'section',
    { class: 'sources', 'aria-label': gettext('Sources') },
    h('div', { class: 'sources-head' }, icon('globe'), h('strong', {}, headline(cards.length, answered)), sample && h('span', { class: 'chip is-warn' }, icon('flask'), gettext('Sample data'))),
    cards.length > 0 && h('ol', {}, cards.slice(0, AT_ONCE)),
    cards.length > AT_ONCE && rest(cards.slice(AT_ONCE)),
  );
}

function headline(count, answered) {
  if (answered) return gettext('The search service has answered by itself');
  return interpolate(ngettext('%(count)s source', '%(count)s sources', count), { count });
}

const rest = (cards) =>
  h('details', {}, h('summary', {}, interpolate(ngettext('%(count)s more', '%(count)s more', cards.length), { count: cards.length }), icon('chevron', 'turn')), h('ol', {}, cards));

function card({ n, title, url, date, snippet }) {
  const target = followable(url);
  if (!target) return null;
  const link = { href: target.href, target: '_blank', rel: 'noopener noreferrer', title: target.href };
  return h(
    'li',
    { class: 'source' },
    h('span', { class: 'source-number', 'aria-hidden': 'true' }, n),
    h(
      'div',
      {},
      h('a', link, shown(title)),
      h('p', { class: 'source-where' }, h('span', {}, target.host), date && h('span', {}, shown(dated(date)))),
      snippet && h('p', { class: 'source-words' }, shown(snippet)),
    ),
  );
}

/** The address of a page, or null: no other scheme, and no name before an @ that looks like a host. */
function followable(address) {
  try {
    const url = new URL(address);
    return ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password ? url : null;
  } catch {
    return null;
  }
}

/** A day as people write it; whatever else a service says, as it is. */
function dated(date) {
  if (!/^\d{4}-\d\d-\d\d/.test(date)) return date;
  const [year, month, day] = date.slice(0, 10).split('-').map(Number);
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(new Date(year, month - 1, day));
}
