/** A chart's bars as values: read, averaged, told in words. No page, no drawing. */

import { gettext, interpolate, language, named } from './i18n.js';

/** The bars of a directive, oldest first, no time twice; rows that are none are left out. */
export function barsOf(directive) {
  const rows = (directive.bars ?? []).filter((row) => Array.isArray(row) && row.length >= 6 && row.every(Number.isFinite));
  const byTime = new Map(rows.map((row) => [row[0], row]));
  const sorted = [...byTime.values()].sort((one, other) => one[0] - other[0]);
  return sorted.map(([time, open, high, low, close, volume]) => ({ time, open, high, low, close, volume }));
}

/** The mean of the last `length` closes at each bar; null where there are not so many. */
export const averages = (bars, length) =>
  bars.map((_, at) => (at + 1 < length ? null : bars.slice(at + 1 - length, at + 1).reduce((sum, { close }) => sum + close, 0) / length));

/** How far the last close is from the one before, in per cent; null when that cannot be said. */
export function changeOf(bars) {
  const last = bars.at(-1).close;
  const before = bars.at(-2)?.close ?? bars[0].open;
  return before ? (last / before - 1) * 100 : null;
}

/** "+1.2 %". */
export const percent = (share) =>
  share === null ? '' : `${share.toLocaleString(language(), { signDisplay: 'exceptZero', minimumFractionDigits: 1, maximumFractionDigits: 2 })} %`;

export const priced = (value, decimals = 2) => value.toLocaleString(language(), { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

export const counted = (value) => value.toLocaleString(language());

const isDay = (period) => period === '1d' || period === '1w';

/** When a bar begins: days and weeks by their date at the exchange, shorter ones by the viewer's clock. */
export function timed(seconds, period) {
  const form = isDay(period) ? { dateStyle: 'medium', timeZone: 'UTC' } : { dateStyle: 'medium', timeStyle: 'short' };
  return new Intl.DateTimeFormat(language(), form).format(new Date(seconds * 1000));
}

/** Marks of the time axis; `kind` is the library's: 0 year, 1 month, 2 day, 3 and 4 time of day. */
export function axisMark(seconds, kind, period) {
  const form = [{ year: 'numeric' }, { month: 'short' }, { day: 'numeric', month: 'short' }, { timeStyle: 'short' }, { timeStyle: 'short' }][kind];
  const zone = isDay(period) ? { timeZone: 'UTC' } : {};
  return new Intl.DateTimeFormat(language(), { ...form, ...zone }).format(new Date(seconds * 1000));
}

export const periodWords = (period) => ({ '5m': gettext('five minutes'), '1h': gettext('hourly'), '1d': gettext('daily'), '1w': gettext('weekly') })[period] ?? period;

/** The whole chart in a sentence. */
export function summaryOf(directive, bars) {
  const { decimals, period } = directive;
  return interpolate(gettext('%(name)s, %(period)s, %(count)s bars, from %(from)s to %(to)s, last %(last)s, %(change)s'), {
    name: named(directive), period: periodWords(period), count: counted(bars.length), from: timed(bars[0].time, period),
    to: timed(bars.at(-1).time, period), last: priced(bars.at(-1).close, decimals), change: percent(changeOf(bars)),
  });
}
