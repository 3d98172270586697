// A chart's bars as values, and the SVG file that is made of them. Run by test_chart.py.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { averages, barsOf, changeOf, percent, summaryOf } from '../../static/chat/candles.js';
import { niceStep, svgOf } from '../../static/chat/candles-svg.js';

const DAY = 86400;
const ROWS = [
  [1 * DAY, 10, 12, 9, 11, 100],
  [2 * DAY, 11, 15, 11, 14, 300],
  [3 * DAY, 14, 14, 8, 9, 200],
];
const CHART = { kind: 'chart', symbol: 'GC', name: 'Gold', name_zh: '黄金', period: '1d', decimals: 1, bars: ROWS };
const COLOURS = { ground: '#fff', ink: '#111', grid: '#ddd', up: '#0a0', down: '#a00', volume: '#999' };
const WORDS = { title: 'Gold (GC), daily', note: 'sample', price: (value) => value.toFixed(1), time: ({ time }) => `day ${time / DAY}` };
const picture = (bars, more = {}) => svgOf(bars, { words: WORDS, colours: COLOURS, ...more });
const pathOf = (svg, name) => svg.match(new RegExp(`<path class="${name}"[^>]* d="([^"]*)"`))[1];
const shapes = (svg, name) => pathOf(svg, name).split('Z').filter(Boolean).length;

test('bars stand in the order of time, each time once', () => {
  const bars = barsOf({ bars: [ROWS[2], ROWS[0], [1 * DAY, 1, 1, 1, 1, 1], ROWS[1], ROWS[0]] });
  assert.deepEqual(bars.map(({ time }) => time / DAY), [1, 2, 3]);
  assert.deepEqual(bars[0], { time: DAY, open: 10, high: 12, low: 9, close: 11, volume: 100 });
});

test('what is no bar is left out', () => {
  assert.deepEqual(barsOf({ bars: [['1', 2, 3, 4, 5, 6], [1, 2, 3], null, [1, 2, 3, 4, NaN, 6]] }), []);
  assert.deepEqual(barsOf({}), []);
});

test('an average begins where there are enough bars', () => {
  assert.deepEqual(averages(barsOf(CHART), 2), [null, 12.5, 11.5]);
  assert.deepEqual(averages(barsOf(CHART), 5), [null, null, null]);
});

test('the change is against the close before, for a single bar against its open', () => {
  assert.equal(changeOf(barsOf(CHART)).toFixed(2), '-35.71');
  assert.equal(changeOf(barsOf({ bars: [ROWS[0]] })).toFixed(2), '10.00');
  assert.equal(changeOf(barsOf({ bars: [[DAY, 0, 0, 0, 0, 1]] })), null);
  assert.deepEqual([percent(1.234), percent(-35.714), percent(0), percent(null)], ['+1.23 %', '-35.71 %', '0.0 %', '']);
});

test('the summary says what, how many, from when to when, and the last price', () => {
  assert.equal(summaryOf(CHART, barsOf(CHART)), 'Gold, daily, 3 bars, from Jan 2, 1970 to Jan 4, 1970, last 9.0, -35.71 %');
});

test('the picture has a candle a bar, up and down apart, and a column of volume a bar', () => {
  const svg = picture(barsOf(CHART));
  assert.deepEqual([shapes(svg, 'up'), shapes(svg, 'down'), shapes(svg, 'volume')], [2, 1, 3]);
});

test('heights are as the prices are', () => {
  // 15 is the highest (y 72), 8 the lowest (y 400): the second candle goes from its high at the top to its low at 11.
  const [, second] = pathOf(picture(barsOf(CHART)), 'up').split('Z');
  const [, high, low] = second.match(/^M[\d.]+ ([\d.]+)V([\d.]+)/);
  assert.deepEqual([Number(high), Number(low)], [72, 259.43]);
  const columns = pathOf(picture(barsOf(CHART)), 'volume').split('Z').filter(Boolean).map((one) => Number(one.match(/ ([\d.]+)H/)[1]));
  assert.deepEqual(columns, [466.67, 416, 441.33]);
});

test('averages are lines through the bars that have one', () => {
  const bars = barsOf(CHART);
  const svg = picture(bars, { lines: [{ colour: '#00f', values: averages(bars, 2) }] });
  assert.match(svg, /<polyline class="average"[^>]* points="446,189.14 732.67,236"\/>/);
});

test('prices that do not move, and a single bar, are drawn too', () => {
  for (const bars of [[[DAY, 5, 5, 5, 5, 0]], ROWS.map(([time]) => [time, 7, 7, 7, 7, 0])]) assert.doesNotMatch(picture(barsOf({ bars })), /NaN|Infinity/);
});

test('three hundred bars make a file of moderate size', () => {
  const bars = Array.from({ length: 300 }, (_, at) => [at * DAY, 100 + at, 103 + at, 99 + at, 101 + at, 5000]);
  assert.ok(picture(barsOf({ bars })).length < 60_000);
});

test('names are text in the file, whatever they hold', () => {
  const svg = picture(barsOf(CHART), { words: { ...WORDS, title: '<script>alert("1")</script> & \u0000\u0007' } });
  assert.match(svg, /<title>&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt; &amp; <\/title>/);
  assert.doesNotMatch(svg, /<script|[\u0000-\u0008]/);
});

test('marks stand at round prices', () => {
  assert.deepEqual([0, 0.003, 0.24, 1, 3, 26, 70].map(niceStep), [0, 0.005, 0.25, 1, 5, 50, 100]);
});
