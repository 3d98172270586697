/** How people are named, coloured and mentioned on the page. Pure: values in, words out. */

import { gettext, interpolate, language } from './i18n.js';

const TONES = 8;
const MOST_NAMED = 3;

/** One or two letters for a name; one character for a name without spaces in Chinese, Japanese or Korean. */
export function initials(name) {
  const words = name.trim().split(/[\s._@-]+/u).filter(Boolean);
  const letters = words.map((word) => [...word].find((one) => /[\p{L}\p{N}]/u.test(one))).filter(Boolean);
  const [first = '?', second = ''] = letters;
  return `${first}${/[\u2e80-\uffff]/.test(first) ? '' : second}`.toLocaleUpperCase(language());
}

/** The same of eight colours for the same person, everywhere. */
export function toneOf(id) {
  let sum = 0x811c9dc5;
  for (const one of id) sum = Math.imul(sum ^ one.codePointAt(0), 0x01000193);
  return (sum >>> 16) % TONES;
}

const isInWord = (one) => Boolean(one) && /[\p{L}\p{N}_]/u.test(one) && one.codePointAt(0) < 0x2e80;

/** `text` cut into plain pieces and mentions of `names`: [{text, name?}]. The server decides who is told; this only shows it. */
export function pieces(text, names) {
  const known = [...new Set(names)].filter(Boolean).sort((a, b) => b.length - a.length);
  const found = [];
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const name = at < from || isInWord(text[at - 1]) ? undefined : known.find((one) => isNamed(text, at + 1, one));
    if (!name) continue;
    if (at > from) found.push({ text: text.slice(from, at) });
    from = at + 1 + name.length;
    found.push({ text: text.slice(at, from), name });
  }
  if (from < text.length) found.push({ text: text.slice(from) });
  return found;
}

function isNamed(text, start, name) {
  const end = start + name.length;
  return text.slice(start, end).toLowerCase() === name.toLowerCase() && !(isInWord(text[end]) && isInWord(text[end - 1]));
}

/** The name that is being written after an `@` before the cursor: {at, part}; null when none is. */
export function beingNamed(text, cursor) {
  const at = text.lastIndexOf('@', cursor - 1);
  if (at < 0 || isInWord(text[at - 1])) return null;
  const part = text.slice(at + 1, cursor);
  return part.length > 40 || part.includes('\n') ? null : { at, part };
}

/** Of `people` ({name, …}) those a part of a name could mean; a word of the name may begin with it. */
export function fitting(people, part) {
  const wanted = part.toLowerCase();
  return people.filter(({ name, slug = '' }) => [name, slug, ...name.split(/\s+/u)].some((one) => one.toLowerCase().startsWith(wanted)));
}

const listed = (names) => new Intl.ListFormat(language(), { type: 'conjunction' }).format(names);

export function typingWords(names) {
  if (names.length === 1) return interpolate(gettext('%(name)s is writing …'), { name: names[0] });
  return names.length > MOST_NAMED ? gettext('Several people are writing …') : interpolate(gettext('%(names)s are writing …'), { names: listed(names) });
}

export const seenWords = (names) => interpolate(gettext('Seen by %(names)s'), { names: listed(names) });
