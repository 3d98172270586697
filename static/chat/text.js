/**
 * Text as the wire counts it: in Unicode code points. And text as a person must see it before they agree to
 * something: with every hidden character made visible. Pure; runs in node too.
 */

/** How many code points. */
export function points(text) {
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    const next = text.charCodeAt(i + 1);
    if (unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000) i += 1;
    count += 1;
  }
  return count;
}

/** `text` without its first `count` code points. */
export function skip(text, count) {
  if (count <= 0) return text;
  let at = 0;
  for (let seen = 0; seen < count && at < text.length; seen += 1) {
    at += text.codePointAt(at) > 0xffff ? 2 : 1;
  }
  return text.slice(at);
}

// What looks like nothing, or like something else: controls, format characters (zero-width, bidi, tags), private use,
// lone surrogates, line separators, odd spaces, fillers that draw blank, variation selectors that can carry data.
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u115F\u1160\u3164\uFFA0\u2800\u034F\u17B4\u17B5\u180B-\u180F\uFE00-\uFE0E\u{E0100}-\u{E01EF}]/u;
const PLAIN = new Set(['\n', '\t']);

const NAMES = {
  0x00: 'NUL', 0x0d: 'CR', 0x1b: 'ESC', 0x7f: 'DEL', 0xa0: 'NBSP', 0xad: 'SHY', 0x200b: 'ZWSP', 0x200c: 'ZWNJ',
  0x200d: 'ZWJ', 0x200e: 'LRM', 0x200f: 'RLM', 0x202a: 'LRE', 0x202b: 'RLE', 0x202c: 'PDF', 0x202d: 'LRO',
  0x202e: 'RLO', 0x2060: 'WJ', 0x2066: 'LRI', 0x2067: 'RLI', 0x2068: 'FSI', 0x2069: 'PDI', 0xfeff: 'BOM',
};

function nameOf(character) {
  const code = character.codePointAt(0);
  return NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Pieces to draw: `{text}` as it is, `{mark}` for a hidden character or for a run of blank lines that would push
 * what follows out of sight.
 */
export function reveal(text) {
  const pieces = [];
  let plain = '';
  const flush = () => {
    if (plain) pieces.push({ text: plain });
    plain = '';
  };
  for (const part of text.split(/((?:[ \t]*\n){4,})/)) {
    if (/^(?:[ \t]*\n){4,}$/.test(part)) {
      flush();
      pieces.push({ text: '\n' }, { mark: `↵ × ${part.split('\n').length - 1}` }, { text: '\n' });
      continue;
    }
    for (const character of part) {
      if (PLAIN.has(character) || !HIDDEN.test(character)) {
        plain += character;
      } else {
        flush();
        pieces.push({ mark: nameOf(character) });
      }
    }
  }
  flush();
  return pieces;
}

/** Whether `reveal` would mark anything. */
export function hides(text) {
  return reveal(text).some((piece) => piece.mark);
}
