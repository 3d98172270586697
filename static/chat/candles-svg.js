/** The picture of a chart as the text of an SVG file: numbers and words in, markup out. Knows no page. */

const WIDTH = 960;
const HEIGHT = 540;
const LEFT = 16;
const RIGHT = 876;
const PRICES = { top: 72, bottom: 400 };
const VOLUMES = { top: 416, bottom: 492 };
const MARKS = 6;

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as it may stand in a file: no markup, no characters that XML forbids. */
const escaped = (text) => String(text).replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '').replace(/[&<>"]/g, (one) => ESCAPES[one]);

const near = (value) => Math.round(value * 100) / 100;

/**
 * `bars` as `barsOf` gives them; `lines`: [{colour, values}], a value (or null) a bar; `words`: {title, note, price(value), time(bar)};
 * `colours`: {ground, ink, grid, up, down, volume}.
 */
export function svgOf(bars, { lines = [], words, colours }) {
  const across = (at) => near(LEFT + ((at + 0.5) * (RIGHT - LEFT)) / bars.length);
  const prices = scale(Math.min(...bars.map(({ low }) => low)), Math.max(...bars.map(({ high }) => high)), PRICES);
  const volumes = scale(0, Math.max(1, ...bars.map(({ volume }) => volume)), VOLUMES);
  const half = Math.max(0.4, Math.min(9, ((RIGHT - LEFT) / bars.length) * 0.35));
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${escaped(colours.ground)}"/>`,
    label(words.title, { x: LEFT, y: 30, size: 18, colour: colours.ink }),
    label(words.note, { x: LEFT, y: 52, size: 12, colour: colours.ink }),
    ...priceMarks(prices, words, colours),
    ...timeMarks(bars, across, words, colours),
    path('volume', bars.map(({ volume }, at) => bar(across(at), half, volumes(volume), VOLUMES.bottom)), colours.volume),
    ...['up', 'down'].map((way) => candles(bars, way, { across, prices, half }, colours[way])),
    ...lines.map(({ colour, values }) => line(values, across, prices, colour)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"><title>${escaped(words.title)}</title>${parts.join('')}</svg>\n`;
}

/** Values to heights; what is all one value stands in the middle. */
function scale(low, high, { top, bottom }) {
  const room = high - low;
  const place = (value) => near(room ? bottom - ((value - low) / room) * (bottom - top) : (top + bottom) / 2);
  return Object.assign(place, { low, high });
}

const waysOf = ({ open, close }) => (close >= open ? 'up' : 'down');

function candles(bars, way, { across, prices, half }, colour) {
  const shapes = bars.map((one, at) => {
    if (waysOf(one) !== way) return '';
    const [top, bottom] = [prices(Math.max(one.open, one.close)), prices(Math.min(one.open, one.close))];
    const middle = across(at);
    return `M${middle} ${prices(one.high)}V${prices(one.low)}${bar(middle, half, top, Math.max(bottom, top + 0.8))}`;
  });
  return path(way, shapes, colour, ` stroke="${escaped(colour)}" stroke-width="0.8"`);
}

const bar = (middle, half, top, bottom) => `M${near(middle - half)} ${top}H${near(middle + half)}V${near(bottom)}H${near(middle - half)}Z`;

const path = (name, shapes, colour, more = '') => `<path class="${name}" fill="${escaped(colour)}"${more} d="${shapes.join('')}"/>`;

function line(values, across, prices, colour) {
  const points = values.map((value, at) => (value === null ? '' : `${across(at)},${prices(value)}`)).filter(Boolean);
  return `<polyline class="average" fill="none" stroke="${escaped(colour)}" stroke-width="1.5" points="${points.join(' ')}"/>`;
}

const label = (text, { x, y, size, colour, anchor = 'start' }) =>
  `<text x="${x}" y="${y}" font-family="sans-serif" font-size="${size}" text-anchor="${anchor}" fill="${escaped(colour)}">${escaped(text)}</text>`;

function priceMarks(prices, words, colours) {
  const step = niceStep((prices.high - prices.low) / MARKS);
  const first = Math.ceil(prices.low / step) * step;
  const marks = step ? Array.from({ length: Math.floor((prices.high - first) / step + 1e-9) + 1 }, (_, at) => first + at * step) : [prices.low];
  return marks.map((value) => {
    const y = prices(value);
    return `<path stroke="${escaped(colours.grid)}" d="M${LEFT} ${y}H${RIGHT}"/>${label(words.price(value), { x: RIGHT + 8, y: near(y + 4), size: 12, colour: colours.ink })}`;
  });
}

/** 1, 2, 2.5 or 5 times a power of ten, at least so large; 0 for nothing. */
export function niceStep(atLeast) {
  if (!(atLeast > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(atLeast));
  return [1, 2, 2.5, 5, 10].find((times) => times * power >= atLeast) * power;
}

function timeMarks(bars, across, words, colours) {
  const every = Math.max(1, Math.ceil(bars.length / MARKS));
  const marked = bars.map((one, at) => [one, at]).filter(([, at]) => at % every === Math.floor(every / 2));
  return marked.map(([one, at]) => label(words.time(one), { x: across(at), y: 516, size: 12, colour: colours.ink, anchor: 'middle' }));
}
