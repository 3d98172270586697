/**
 * The tree of messages, as pure functions of a conversation's state: which entries are shown, and which versions of a
 * message there are. Every message knows the one before it (`parent`); `head` is the last of the branch that is shown.
 */

/** Give a message its place after `parent`; it is the last one now. */
export function place(state, key, parent) {
  const entry = state.entries[key];
  if (!entry) return;
  state.entries[key] = { ...entry, parent: parent ?? null, placed: true };
  state.head = entry.id;
}

/** A message said while the agent works has no place yet. Older logs do not say so. */
export const hasNoPlaceYet = (state, { parent, queued }) => Boolean(queued) || (parent === undefined && state.moving !== null);

const isMessage = ({ kind }) => kind === 'user' || kind === 'reply';

/** `{shown: [key], versions(id) -> [id], last}`; `last` is the id of the branch's last message. */
export function treeOf(state) {
  const entries = state.order.map((key) => state.entries[key]);
  const path = pathTo(state, state.head);
  const after = grouped(entries.filter((entry) => !isMessage(entry)), anchorOf);
  const loose = [...after.keys()].filter((id) => id !== null && !state.entries[`m:${id}`]);
  const before = (after.get(null) ?? []).map(({ key }) => key); // when nothing was said yet
  const shown = path.flatMap((id) => [`m:${id}`, ...(after.get(id) ?? []).map(({ key }) => key)]);
  const rest = [...loose.flatMap((id) => after.get(id)), ...entries.filter((entry) => isMessage(entry) && !entry.placed)];
  const children = grouped(entries.filter((entry) => isMessage(entry) && entry.placed && !isVoid(entry, after)), ({ parent }) => parent);
  const versions = (id) => (children.get(state.entries[`m:${id}`]?.parent) ?? []).map((entry) => entry.id);
  return { shown: [...before, ...shown, ...rest.map(({ key }) => key)], versions, last: path.at(-1) ?? null };
}

function grouped(list, keyOf) {
  const groups = new Map();
  for (const one of list) {
    const key = keyOf(one);
    if (groups.has(key)) groups.get(key).push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** What stands below a message: its calls, and what happened when it was the last one. */
const anchorOf = (entry) => (entry.kind === 'call' ? entry.message : entry.after) ?? null;

function pathTo(state, head) {
  const path = [];
  const seen = new Set();
  for (let id = head; id && !seen.has(id) && state.entries[`m:${id}`]; id = state.entries[`m:${id}`].parent) {
    path.push(id);
    seen.add(id);
  }
  return path.reverse();
}

/** A reply that came to nothing is no version one could go to. */
const isVoid = (entry, after) => entry.kind === 'reply' && entry.ended && !entry.points && !entry.thoughts && !after.get(entry.id)?.some(({ kind }) => kind === 'call');
