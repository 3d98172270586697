/** JSON as a person wrote it, read without losing anything: no name twice, no number that would change. Pure. */

const TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]|-?\d[\d.eE+-]*/g;

/** `{value}`, or with `code`: `not_json`, `twice` (a name in one object), `inexact` (a number too large to keep). */
export function readStrictly(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return { code: 'not_json' };
  }
  return { value, code: troubleIn(text) };
}

function troubleIn(text) {
  const names = [];
  for (const [token, colon] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') names.push(new Set());
    else if (token === '}' || token === ']') names.pop();
    else if (colon !== undefined && !isNew(names.at(-1), token.slice(0, -colon.length))) return 'twice';
    else if (token[0] !== '"' && !isExact(token)) return 'inexact';
  }
  return undefined;
}

function isNew(names, quoted) {
  const name = JSON.parse(quoted);
  if (names.has(name)) return false;
  return names.add(name);
}

function isExact(token) {
  const number = Number(token);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}
