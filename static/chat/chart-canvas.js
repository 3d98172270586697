/** A chart drawn by the library on canvases: candles, volume, averages; it follows the theme and the width. */

import { CandlestickSeries, createChart, HistogramSeries, LineSeries } from 'lightweight-charts';

import { axisMark, priced, timed } from './candles.js';
import { language } from './i18n.js';

const drawn = new Set();
const TITLE_ROOM = 50;

/** Draw into the stage; gives `{png(title, note)}`, which makes a file of what is seen. */
export async function paintCanvas({ directive, bars, lines, stage, colours }) {
  const { period, decimals = 2 } = directive;
  const chart = createChart(stage, optionsFor(period, decimals, bars[0].time));
  const series = {
    volume: chart.addSeries(HistogramSeries, { priceScaleId: '', priceFormat: { type: 'volume' }, lastValueVisible: false, priceLineVisible: false }),
    candles: chart.addSeries(CandlestickSeries, { priceFormat: { type: 'price', precision: decimals, minMove: 10 ** -decimals } }),
    lines: lines.map(() => chart.addSeries(LineSeries, { lineWidth: 2, lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false })),
  };
  series.volume.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  series.candles.priceScale().applyOptions({ scaleMargins: { top: 0.06, bottom: 0.24 } });
  series.candles.setData(bars);
  series.volume.setData(bars.map(({ time, volume }) => ({ time, value: volume })));
  lines.forEach(({ values }, at) => series.lines[at].setData(values.flatMap((value, when) => (value === null ? [] : [{ time: bars[when].time, value }]))));
  const one = { stage, chart, recolour: () => recolour(chart, series, lines, colours()) };
  drawn.add(one);
  one.recolour();
  chart.timeScale().fitContent();
  tidy(stage);
  return { png: (title, note) => pngOf(chart.takeScreenshot(), title, note, colours()) };
}

function optionsFor(period, decimals, first) {
  const intraday = period === '5m' || period === '1h';
  // The first mark would stand half outside.
  const mark = (time, kind) => (time === first ? '' : axisMark(time, kind, period));
  return {
    autoSize: true,
    layout: { attributionLogo: true, fontFamily: getComputedStyle(document.body).fontFamily, fontSize: 12 },
    localization: { locale: language(), priceFormatter: (value) => priced(value, decimals), timeFormatter: (time) => timed(time, period) },
    timeScale: { timeVisible: intraday, secondsVisible: false, borderVisible: false, lockVisibleTimeRangeOnResize: true, tickMarkFormatter: mark },
    rightPriceScale: { borderVisible: false, entireTextOnly: true },
    // The page scrolls when somebody scrolls over a chart; dragging and pinching are the chart's.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false, axisPressedMouseMove: { price: false } },
  };
}

function recolour(chart, series, lines, colours) {
  const { up, down, ground, ink, grid } = colours;
  const lined = { color: grid };
  chart.applyOptions({ layout: { background: { type: 'solid', color: ground }, textColor: ink }, grid: { vertLines: lined, horzLines: lined } });
  series.candles.applyOptions({ upColor: up, wickUpColor: up, borderUpColor: up, downColor: down, wickDownColor: down, borderDownColor: down });
  series.volume.applyOptions({ color: colours.volume });
  lines.forEach(({ span }, at) => series.lines[at].applyOptions({ color: colours[`average-${span}`] }));
}

/** The library lays its canvases out in a table, which is none for a reader; the logo's link tells the other side no address of ours. */
function tidy(stage) {
  stage.querySelector('table')?.setAttribute('role', 'presentation');
  const logo = stage.querySelector('#tv-attr-logo');
  if (!logo) return;
  logo.href = new URL('/', logo.href).href;
  logo.rel = 'noopener noreferrer';
}

/** The screenshot under its title and a note. */
function pngOf(shot, title, note, { ground, ink }) {
  const ratio = devicePixelRatio || 1;
  const canvas = Object.assign(document.createElement('canvas'), { width: shot.width, height: shot.height + TITLE_ROOM * ratio });
  const pen = canvas.getContext('2d');
  pen.fillStyle = ground;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = ink;
  const write = (text, font, y) => {
    pen.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
    pen.fillText(text, 12 * ratio, y * ratio, canvas.width - 24 * ratio);
  };
  write(title, `600 ${15 * ratio}px`, 22);
  write(note, `${12 * ratio}px`, 40);
  pen.drawImage(shot, 0, TITLE_ROOM * ratio);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}

/** Charts that left the page are let go here. */
function recolourAll() {
  for (const one of drawn) {
    if (one.stage.isConnected) one.recolour();
    else {
      one.chart.remove();
      drawn.delete(one);
    }
  }
}

new MutationObserver(recolourAll).observe(document.documentElement, { attributeFilter: ['data-theme'] });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolourAll);
