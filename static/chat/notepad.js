/**
 * The notepad two personas share, as its events tell it: JSON Patch on `{notepad}`, and what it said at any earlier
 * version. Pure; runs in node too. `notepad-panel.js` draws it.
 */

export const KINDS = ['fact', 'assumption', 'question', 'todo'];

/** A notepad nothing stands in yet. */
export const blank = (debate) => ({ debate, version: 0, entries: [], changes: [] });

/** A copy of `whole` after JSON Patch operations (RFC 6902, as AG-UI's STATE_DELTA carries them). One that does not fit is left out. */
export function patched(whole, operations) {
  const root = { whole: structuredClone(whole) };
  for (const { op, path, value } of operations ?? []) {
    if (path === '') root.whole = structuredClone(value);
    else if (path?.startsWith('/')) apply(root.whole, op, path.slice(1).split('/').map(unescaped), value);
  }
  return root.whole;
}

const unescaped = (step) => step.replaceAll('~1', '/').replaceAll('~0', '~');

function apply(root, op, steps, value) {
  const name = steps.at(-1);
  const holder = steps.slice(0, -1).reduce((one, step) => (isHolder(one) && Object.hasOwn(one, step) ? one[step] : undefined), root);
  if (!isHolder(holder) || name === '__proto__') return;
  if (Array.isArray(holder)) applyToList(holder, op, name, value);
  else if (op === 'remove') delete holder[name];
  else if (op === 'add' || op === 'replace') holder[name] = structuredClone(value);
}

const isHolder = (value) => typeof value === 'object' && value !== null;

function applyToList(list, op, name, value) {
  const at = name === '-' ? list.length : Number(name);
  if (!Number.isInteger(at) || at < 0 || at > list.length) return;
  if (op === 'add') list.splice(at, 0, structuredClone(value));
  else if (at < list.length && op === 'replace') list[at] = structuredClone(value);
  else if (at < list.length && op === 'remove') list.splice(at, 1);
}

/** What the notepad said at `version`: entries `{n, kind, text, by, turn, struck, before, last}`; `last` is the change that made it so. */
export function notepadAt(notepad, version) {
  if (!notepad.changes?.length) return (notepad.entries ?? []).map((entry) => ({ ...entry, struck: Boolean(entry.struck), before: null, last: null }));
  const entries = new Map();
  for (const change of notepad.changes) {
    if (change.version > version) break;
    entries.set(change.entry, CHANGED[change.action]?.(entries.get(change.entry), change) ?? entries.get(change.entry));
  }
  return [...entries.values()].filter(Boolean);
}

const CHANGED = {
  add: (_, change) => ({ n: change.entry, kind: change.kind, text: change.text, by: change.by, turn: change.turn, struck: false, before: null, last: change }),
  change: (old, change) => old && { ...old, kind: change.kind || old.kind, text: change.text || old.text, before: old.text, last: change },
  strike: (old, change) => old && { ...old, struck: true, before: null, last: change },
};

/** Entries under their kinds, in the order in which a person looks for them: [[kind, entries], …]. */
export function byKind(entries) {
  const known = KINDS.map((kind) => [kind, entries.filter((entry) => entry.kind === kind)]);
  const others = entries.filter((entry) => !KINDS.includes(entry.kind));
  return [...known, ['other', others]].filter(([, some]) => some.length);
}

/** The change that made a version. */
export const changeTo = (notepad, version) => notepad.changes?.find((change) => change.version === version) ?? null;
