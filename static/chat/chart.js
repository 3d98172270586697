/**
 * Prices as candles: a figure with its numbers in words, the chart (`chart-canvas.js`, fetched with the library when one comes
 * into sight), a table of the same bars, and downloads.
 */

import { averages, barsOf, changeOf, counted, percent, periodWords, priced, summaryOf, timed } from './candles.js';
import { svgOf } from './candles-svg.js';
import { button, h, icon } from './dom.js';
import { gettext, interpolate, named } from './i18n.js';
import { moment, shown } from './parts.js';

const NOTICE = new URL('../vendor/lightweight-charts/NOTICE.txt', import.meta.url).href;
const SPANS = [5, 20];

/** The figure for a directive of kind `chart`; null when it has no bars. */
export function drawChart(directive) {
  const bars = barsOf(directive);
  if (!bars.length) return null;
  const lines = SPANS.map((span) => ({ span, values: averages(bars, span) }));
  const stage = h('div', { class: 'chart-stage', role: 'group', 'aria-label': summaryOf(directive, bars) });
  const key = keyOf();
  const drawing = { directive, bars, lines, stage, colours: () => coloursOf(key), canvas: null };
  const figure = h(
    'figure',
    { class: 'chart' },
    headOf(directive, bars),
    key,
    stage,
    h('div', { class: 'chart-foot' }, tableOf(directive, bars), downloads(drawing)),
    captionOf(directive),
  );
  whenInSight(stage, () => paint(drawing));
  return figure;
}

function headOf(directive, bars) {
  const change = changeOf(bars);
  const unit = named(directive, 'unit');
  return h(
    'div',
    { class: 'chart-head' },
    h('strong', {}, shown(named(directive)), ' ', h('small', {}, shown(directive.symbol))),
    h('span', { class: 'chart-last' }, priced(bars.at(-1).close, directive.decimals), unit && h('small', {}, ' ', shown(unit))),
    change !== null && h('span', { class: `chart-change ${change > 0 ? 'is-up' : change < 0 ? 'is-down' : ''}`.trim() }, percent(change)),
    h('span', { class: 'chip' }, icon('chart'), periodWords(directive.period)),
    directive.sample && h('span', { class: 'chip is-warn' }, icon('flask'), gettext('Sample data')),
  );
}

/** What the colours mean. They are read from here, so that the style sheet alone says what they are. */
function keyOf() {
  const entry = (kind, words) => h('li', { data: { kind } }, words);
  const average = (span) => entry(`average-${span}`, interpolate(gettext('Average of %(count)s'), { count: span }));
  return h('ul', { class: 'chart-key', 'aria-hidden': 'true' }, entry('up', gettext('Up')), entry('down', gettext('Down')), SPANS.map(average), entry('volume', gettext('Volume')));
}

function coloursOf(key) {
  const style = getComputedStyle(key);
  const found = { ground: style.backgroundColor, ink: style.color, grid: style.borderBottomColor };
  for (const entry of key.children) found[entry.dataset.kind] = getComputedStyle(entry, '::before').backgroundColor;
  return found;
}

function whenInSight(element, act) {
  const watch = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    watch.disconnect();
    act();
  }, { rootMargin: '400px' });
  watch.observe(element);
}

/** Where the library does not come, our own picture of the same bars stands in. */
async function paint(drawing) {
  try {
    const { paintCanvas } = await import('./chart-canvas.js');
    drawing.canvas = await paintCanvas(drawing);
  } catch {
    drawing.withoutCanvas();
    drawing.stage.replaceChildren(h('img', { alt: '', src: URL.createObjectURL(svgFile(drawing)) }));
  }
}

/** Made when somebody looks; the newest stands first. */
function tableOf(directive, bars) {
  const scroll = h('div', { class: 'chart-rows', tabindex: '0', role: 'group', 'aria-label': gettext('Table, scrolls') });
  const fill = () => scroll.childElementCount || scroll.append(rowsOf(directive, bars));
  return h('details', { class: 'chart-table', on: { toggle: fill } }, h('summary', {}, gettext('All bars as a table'), icon('chevron', 'turn')), scroll);
}

function rowsOf({ decimals, period, ...directive }, bars) {
  const head = [gettext('Time'), gettext('Open'), gettext('High'), gettext('Low'), gettext('Closing price'), gettext('Volume')];
  const row = (one) =>
    h('tr', {}, h('th', { scope: 'row' }, timed(one.time, period)), ['open', 'high', 'low', 'close'].map((name) => h('td', {}, priced(one[name], decimals))), h('td', {}, counted(one.volume)));
  return h(
    'table',
    {},
    h('caption', { class: 'visually-hidden' }, summaryOf({ decimals, period, ...directive }, bars)),
    h('thead', {}, h('tr', {}, head.map((words) => h('th', { scope: 'col' }, words)))),
    h('tbody', {}, bars.map(row).reverse()),
  );
}

function downloads(drawing) {
  const save = async (ending, file) => saveAs(`${fileName(drawing.directive)}.${ending}`, await file);
  const press = { PNG: () => drawing.canvas && save('png', drawing.canvas.png(titleOf(drawing), noteOf(drawing))), SVG: () => save('svg', svgFile(drawing)) };
  const buttons = Object.entries(press).map(([kind, act]) =>
    button(kind, { class: 'is-small', icon: 'download', press: act, 'aria-label': interpolate(gettext('Download as %(kind)s'), { kind }) }));
  drawing.withoutCanvas = () => (buttons[0].disabled = true);
  return h('div', { class: 'chart-save' }, buttons);
}

const fileName = ({ symbol, period }) => `${String(symbol).replace(/[^\p{L}\p{N}_-]+/gu, '-')}-${period}`;

function saveAs(name, blob) {
  const href = URL.createObjectURL(blob);
  h('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

const titleOf = ({ directive }) => `${named(directive)} (${directive.symbol}), ${periodWords(directive.period)}`;

function svgFile(drawing) {
  const { directive, bars, lines } = drawing;
  const colours = drawing.colours();
  const words = {
    title: titleOf(drawing),
    note: noteOf(drawing),
    price: (value) => priced(value, directive.decimals),
    time: ({ time }) => timed(time, directive.period),
  };
  const coloured = lines.map(({ span, values }) => ({ values, colour: colours[`average-${span}`] }));
  return new Blob([svgOf(bars, { lines: coloured, words, colours })], { type: 'image/svg+xml' });
}

const noteOf = ({ directive }) => [named(directive, 'unit'), asOf(directive), directive.sample && gettext('Sample data')].filter(Boolean).join(' · ');

const asOf = (directive) => directive.as_of && interpolate(gettext('As of %(time)s'), { time: moment(directive.as_of) });

function captionOf(directive) {
  const closed = directive.market === 'closed' ? gettext('The market is closed.') : '';
  return h(
    'figcaption',
    {},
    directive.as_of && h('span', { class: directive.stale ? 'is-stale' : null }, directive.stale && icon('clock'), asOf(directive), directive.stale && `. ${closed || gettext('Not current.')}`),
    h('a', { href: NOTICE, target: '_blank', rel: 'noopener' }, gettext('Drawn with TradingView Lightweight Charts™')),
  );
}
