/** Words in the viewer's language: Django's JavaScript catalogue when the page loaded it, else the English they are written in. */

const catalogue = globalThis;

export const gettext = (message) => catalogue.gettext?.(message) ?? message;

export const ngettext = (one, many, count) =>
  catalogue.ngettext?.(one, many, count) ?? (count === 1 ? one : many);

/** `interpolate(gettext('Hello %(name)s'), {name})`. */
export const interpolate = (format, values) =>
  format.replace(/%\((\w+)\)s/g, (whole, name) => (name in values ? String(values[name]) : whole));

export const language = () => globalThis.document?.documentElement.lang || 'en';

export const isChinese = () => language().toLowerCase().startsWith('zh');

/** The viewer's form of `{en, "zh-hans"}`. */
export function localised(texts) {
  if (!texts || typeof texts === 'string') return texts ?? '';
  return (isChinese() ? texts['zh-hans'] || texts.zh : texts.en) || texts.en || texts['zh-hans'] || '';
}

/** The viewer's form of a record with `name` and `name_zh` (or another field like it). */
export function named(record, field = 'name') {
  return (isChinese() && record?.[`${field}_zh`]) || record?.[field] || '';
}

/** Yuan, with cents only when there are any. */
export function money(amount) {
  const number = Number(amount);
  if (!Number.isFinite(number)) return String(amount ?? '');
  const digits = Number.isInteger(number) ? 0 : 2;
  return `¥${number.toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: 2 })}`;
}
