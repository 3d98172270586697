// A page that is loaded at any moment of a debate, or comes back to its line, against one that was there all along.
// `HELD` names a file with the frames each of them was sent. Run by `test_reload.py`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { layOut, read, sheet } from './paper.mjs';

layOut();
const { treeOf } = await import('../../static/chat/branches.js');
const { debateShown } = await import('../../static/chat/debate.js');
const { DebateHead } = await import('../../static/chat/debate-head.js');
const { turnHeading } = await import('../../static/chat/debate-speakers.js');
const { notepadAt } = await import('../../static/chat/notepad.js');
const { NotepadPanel } = await import('../../static/chat/notepad-panel.js');
const { fresh, isBusy, isLoaded, reduce } = await import('../../static/chat/store.js');

const { frames, pages, passed } = JSON.parse(readFileSync(process.env.HELD, 'utf8'));
const told = frames.map((text) => JSON.parse(text)).map((frame) => (frame.type === 'ack' ? { type: 'subscribed', seq: frame.seq } : frame));
const heardBy = (page) => page.sent.map((n) => told[n]);
const moments = passed.length - 1;

/** What who was there all along had after each piece of traffic: every frame by itself, as it came. */
const [first, ...others] = pages;
const live = heardBy(first);
const stood = [reduce(fresh('c'), live.slice(0, passed[0]))];
for (let at = 1; at <= moments; at += 1) stood.push(live.slice(passed[at - 1], passed[at]).reduce(reduce, stood.at(-1)));

/** What a person sees of the debate's turns and of every version of its notepad, by the page's own functions. */
function seen(state) {
  const { shown, versions } = treeOf(state);
  const debate = debateShown(state, shown);
  const spoken = shown.map((key) => state.entries[key]).filter(({ said }) => said);
  const pad = debate && state.notepads[debate.id];
  return {
    shown,
    versions: spoken.map(({ id }) => versions(id)),
    isBusy: isBusy(state),
    isLoaded: isLoaded(state),
    turns: spoken.map(({ kind, said, text }) => [kind, said.persona?.name ?? '', said.turn, text ?? '']),
    headings: spoken.map(({ said }, n) => turnHeading(said, spoken[n - 1]?.said, debate).key),
    notepad: pad ? [...Array(pad.version + 1).keys()].map((version) => notepadAt(pad, version)) : [],
  };
}

/** The strip with its round, stage and buttons, and the notepad: drawn again and again on the same sheets. */
class Drawing {
  constructor() {
    Object.assign(this, { strip: sheet(), pad: sheet() });
    this.head = new DebateHead(this.strip, { mayStop: () => true, textUrl: () => '/text' });
    this.panel = new NotepadPanel(this.pad, {});
  }

  after(state) {
    const { shown } = treeOf(state);
    const debate = debateShown(state, shown);
    this.head.draw(state, debate, shown);
    this.panel.draw(debate, debate ? (state.notepads[debate.id] ?? null) : null, isLoaded(state));
    return this;
  }

  /** What just came lights up for who saw it come: that alone may differ. */
  read = () => JSON.parse(JSON.stringify([this.strip, this.pad].map(read)).replaceAll(' is-new', ''));
}

const onPaper = new Drawing();
const drawn = stood.map((state) => onPaper.after(state).read());

/** All but the moment at which a page asked for what it missed. */
const compared = ({ newest, ...state }) => state;

function same(state, expected, when) {
  assert.equal(state.stale, false, `${when}: something is missing`);
  assert.deepEqual(seen(state), seen(expected), when);
  assert.deepEqual(compared(state), compared(expected), when);
}

for (const how of ['loaded', 'alone', 'back']) {
  test(`${how}: at every moment it shows what the others show, and ends as they do`, () => {
    const those = others.filter((page) => page.how === how);
    assert.deepEqual(those.map(({ came }) => came), stood.map((_, at) => at).slice(1));
    for (const page of those) {
      const heard = heardBy(page);
      const before = how === 'back' ? stood[page.came] : fresh('c');
      const now = reduce(before, heard.slice(0, page.caught_up));
      const drawing = new Drawing().after(before).after(now);
      same(now, stood[page.came], `${how} at ${page.came}`);
      assert.deepEqual(drawing.read(), drawn[page.came], `${how} at ${page.came}, drawn`);
      const end = heard.slice(page.caught_up).reduce(reduce, now);
      same(end, stood.at(-1), `${how} at ${page.came}, at the end`);
      assert.deepEqual(drawing.after(end).read(), drawn.at(-1), `${how} at ${page.came}, drawn at the end`);
    }
  });
}

test('what was compared is a debate', () => {
  const { turns, notepad } = seen(stood.at(-1));
  assert.ok(turns.length > 2 && notepad.length > 1 && moments > 30);
});
