/**
 * What a conversation looks like, as a pure function of its frames: `reduce(state, frames) -> state`.
 *
 * The rows of the ledger are the truth: an event whose number was seen is dropped, one that skips a number makes the
 * state `stale` (the page subscribes again from `seq`). Deltas only show a message early. No DOM, no clock, no socket.
 */

import { hasNoPlaceYet, place } from './branches.js';
import { DEBATE_EVENTS, saidOf } from './debate.js';
import { patched } from './notepad.js';
import { REMINDER_EVENTS } from './reminder-events.js';
import { points, skip } from './text.js';

/** A conversation nothing is known of yet. */
export function fresh(id) {
  return {
    id,
    seq: 0,
    newest: null, // the ledger's last number when we subscribed; null until the server answered
    stale: false, // something was missed: subscribe again
    order: [], // keys of `entries`, as they came; `branches.js` says which are shown
    head: null, // the last message of the branch that is shown
    entries: {},
    running: [], // runs that started and did not end; one moves, a cancelled queued one passes through
    moving: null, // the run that moves now
    waiting: [], // keys of user messages whose run has not started
    hold: null, // why the answer takes longer: {kind: 'retrying', 'switched' or 'waiting', code, …}; gone when something comes
    suggestions: [],
    debates: {}, // by id, in the order they began: `debate.js`
    notepad: null, // of the debate that moved last; `notepads` has those of all
    notepads: {},
    title: null,
    saidAt: 0, // the number of the last thing said, by whomever
    peopleAt: 0, // the number of the last change of who takes part, or when the agent answers
    askers: {}, // run -> the id of who asked
    outbox: [], // what this tab sent and the ledger has not shown: {key, text, state, message?, error?}
  };
}

/** The state after one frame or several. The old state is left as it was; untouched entries keep their identity. */
export function reduce(state, frames) {
  const next = {
    ...state,
    order: state.order.slice(),
    entries: { ...state.entries },
    waiting: state.waiting.slice(),
    running: state.running.slice(),
    outbox: state.outbox.slice(),
  };
  for (const frame of [frames].flat()) FRAMES[frame.type]?.(next, frame);
  return next;
}

/** Whether everything the server had when we subscribed is here. */
export const isLoaded = (state) => state.newest !== null && state.seq >= state.newest;

/** Whether something is on its way: a run moves, or a message waits for one. */
export const isBusy = (state) => state.moving !== null || state.waiting.length > 0;

/** Calls that wait for a person's decision. */
export const heldCalls = (state) =>
  state.order.map((key) => state.entries[key]).filter((entry) => entry.kind === 'call' && entry.status === 'held');

const FRAMES = {
  event: (state, { seq, event }) => {
    if (seq <= state.seq) return;
    if (seq > state.seq + 1) {
      state.stale = true;
      return;
    }
    if (EVENTS[event.type]?.(state, event, seq) === MISSED) state.stale = true;
    else state.seq = seq;
  },
  delta: (state, { event }) => {
    const entry = state.entries[`m:${event.messageId}`];
    if (entry?.ended) return;
    if (!entry || !grow(state, event.messageId, event.metadata?.offset ?? entry.points, event.delta)) state.stale = true;
  },
  subscribed: (state, { seq }) => {
    state.newest = seq;
    state.stale = false;
  },
  sending: (state, { key, text, attachments = [] }) => {
    if (!state.outbox.some((one) => one.key === key)) state.outbox.push({ key, text, attachments, state: 'sending' });
  },
  sent: (state, { key, message }) => {
    if (state.entries[`m:${message}`]) dropSent(state, (one) => one.key === key);
    else changeSent(state, key, { state: 'sent', message });
  },
  unsent: (state, { key, code, detail }) => changeSent(state, key, { state: 'failed', error: { code, detail } }),
  discarded: (state, { key }) => dropSent(state, (one) => one.key === key),
};

const MISSED = Symbol('a number that cannot be taken yet');

const EVENTS = {
  RUN_STARTED: (state, { runId, metadata }, seq) => {
    if (state.running.includes(runId)) return;
    state.running.push(runId);
    if (metadata?.requester) state.askers = { ...state.askers, [runId]: metadata.requester.id };
    state.moving = state.running[0];
    state.hold = null;
    state.suggestions = [];
    settleErrors(state);
    if (['message', 'reminder'].includes(metadata?.cause ?? 'message')) startNext(state);
    if (metadata?.done?.length) note(state, `n:${seq}`, { code: 'retried', count: metadata.done.length });
  },
  RUN_FINISHED: (state, { runId, outcome }, seq) => {
    endRun(state, runId);
    if (outcome?.type === 'cancelled') note(state, `n:${seq}`, { code: 'cancelled', run: runId });
    for (const interrupt of outcome?.interrupts ?? []) recall(state, interrupt);
  },
  RUN_ERROR: (state, { code, message, metadata }) => {
    const run = metadata?.run ?? state.moving;
    endRun(state, run);
    const retryable = Boolean(metadata?.retryable && run);
    const said = state.entries[`m:${state.head}`]?.said ?? null;
    add(state, `e:${run}`, { kind: 'error', run, code, message, retryable, settled: false, said, after: state.head });
  },
  TEXT_MESSAGE_START: (state, { messageId, metadata }) => {
    const run = metadata?.run ?? state.moving;
    add(state, `m:${messageId}`, { kind: 'reply', id: messageId, run, text: '', points: 0, ended: false, meta: {}, said: saidOf(state, metadata) });
    place(state, `m:${messageId}`, metadata?.parent === undefined ? state.head : metadata.parent);
  },
  TEXT_MESSAGE_CONTENT: (state, { messageId, delta, metadata }) => {
    const whole = { text: delta, points: points(delta) };
    if (!metadata?.offset) change(state, `m:${messageId}`, whole);
    else if (!grow(state, messageId, metadata.offset, delta)) return MISSED;
  },
  REASONING_MESSAGE_CONTENT: (state, { messageId, delta }) => {
    change(state, `m:${messageId.replace(/\.thoughts$/, '')}`, { thoughts: delta });
  },
  TEXT_MESSAGE_END: (state, { messageId, metadata }, seq) => {
    state.hold = null;
    state.saidAt = seq;
    change(state, `m:${messageId}`, { ended: true, meta: metadata ?? {} });
  },
  TOOL_CALL_START: (state, { toolCallId, toolCallName, parentMessageId }) => {
    const call = { kind: 'call', id: toolCallId, name: toolCallName, message: parentMessageId, raw: '', said: state.entries[`m:${parentMessageId}`]?.said ?? null };
    add(state, `c:${toolCallId}`, { ...call, status: 'writing', checked: null, confirmation: null, correction: null, result: null, job: null });
  },
  TOOL_CALL_ARGS: (state, { toolCallId, delta }) => {
    const call = state.entries[`c:${toolCallId}`];
    if (call) change(state, `c:${toolCallId}`, { raw: call.raw + delta });
  },
  TOOL_CALL_END: (state, { toolCallId }) => change(state, `c:${toolCallId}`, { status: 'checking' }),
  TOOL_CALL_RESULT: (state, { toolCallId, content, metadata }) => {
    const status = metadata?.status ?? 'succeeded';
    change(state, `c:${toolCallId}`, { status, result: { content, ...metadata } });
  },
  ACTIVITY_SNAPSHOT: (state, { messageId, activityType, content }) => {
    if (activityType === 'job') change(state, `c:${messageId}`, { status: content.status, job: content });
  },
  ACTIVITY_DELTA: (state, { messageId, activityType, patch }) => {
    const job = activityType === 'job' && state.entries[`c:${messageId}`]?.job;
    if (job) change(state, `c:${messageId}`, { job: patched(job, patch) });
  },
  STATE_SNAPSHOT: (state, { snapshot }) => share(state, { notepad: state.notepad, suggestions: [], ...snapshot }),
  STATE_DELTA: (state, { delta }) => share(state, patched({ suggestions: state.suggestions, notepad: state.notepad }, delta)),
  CUSTOM: (state, { name, value, timestamp }, seq) => CUSTOM[name]?.(state, value ?? {}, seq, timestamp),
};

const CUSTOM = {
  ...DEBATE_EVENTS,
  ...REMINDER_EVENTS,
  'message.user': (state, { messageId, text, author, attachments, key, parent, queued, debate, reminder, mentions, replyTo, quiet }, seq) => {
    const shown = `m:${messageId}`;
    const later = hasNoPlaceYet(state, { parent, queued });
    const stepsInto = debate ?? null;
    const isAnswered = stepsInto === null && !quiet;
    state.saidAt = seq;
    add(state, shown, { kind: 'user', id: messageId, text, author, attachments: attachments ?? [], waiting: !quiet && (stepsInto === null || later), queued, stepsInto, reminder: reminder ?? null, mentions, replyTo });
    if (!later) place(state, shown, parent === undefined ? state.head : parent);
    if (isAnswered) state.waiting.push(shown);
    state.suggestions = [];
    settleErrors(state);
    const mine = (one) => (one.message ? one.message === messageId : key ? one.key === key : one.text === text);
    dropSent(state, mine);
  },
  'run.retrying': (state, value, seq, timestamp) => {
    state.hold = { kind: 'retrying', ...value, at: timestamp ?? null };
  },
  'run.waiting': (state, value, seq, timestamp) => {
    state.hold = { kind: 'waiting', ...value, at: timestamp ?? null };
  },
  'run.switched': (state, value) => {
    state.hold = { kind: 'switched', ...value };
  },
  'message.placed': (state, { messageId, parent }) => {
    place(state, `m:${messageId}`, parent);
    if (state.entries[`m:${messageId}`]?.stepsInto) change(state, `m:${messageId}`, { waiting: false });
  },
  'conversation.branch': (state, { head }) => {
    state.head = head;
    state.suggestions = [];
  },
  'conversation.summarised': (state, { messageId, messages, text }) => {
    note(state, `s:${messageId}`, { code: 'summarised', count: messages, text, after: messageId });
  },
  'message.restarted': (state, { messageId }) => change(state, `m:${messageId}`, { text: '', points: 0 }),
  'message.complete': (state, { messageId, length }) => {
    const entry = state.entries[`m:${messageId}`];
    return entry && entry.points === length ? undefined : MISSED;
  },
  'tool_call.checked': (state, value) => {
    const asked = { confirmation: value.confirmation ?? null, correction: value.correction ?? null };
    // What was decided was decided about what stood there before.
    change(state, `c:${value.toolCallId}`, { status: value.verdict, checked: value, decision: null, ...asked });
  },
  'tool_call.status': (state, value, seq, timestamp) => {
    const { toolCallId, status, ...decision } = value;
    const old = state.entries[`c:${toolCallId}`];
    const at = value.at ?? timestamp ?? null;
    // `claimed` says nothing of who decided: keep what the decision said.
    const said = status === 'claimed' ? old?.decision : { ...decision, status, at };
    change(state, `c:${toolCallId}`, { status, decision: said ?? null });
  },
  'participant.joined': (state, { person, by }, seq) => {
    state.peopleAt = seq;
    note(state, `p:${seq}`, { code: 'joined', person, by });
  },
  'participant.left': (state, { person, by }, seq) => {
    state.peopleAt = seq;
    note(state, `p:${seq}`, { code: 'left', person, by });
  },
  'conversation.changed': (state, { title, owner, answers }, seq) => {
    if (title !== undefined) state.title = title;
    if (owner || answers) state.peopleAt = seq;
    if (owner) note(state, `p:${seq}`, { code: 'owner', person: owner });
    if (answers) note(state, `p:${seq}`, { code: `answers-${answers}` });
  },
};

/** What the page shares with the agents: suggestions and the notepad. */
function share(state, { suggestions, notepad }) {
  state.suggestions = (suggestions ?? []).filter((text) => typeof text === 'string');
  state.notepad = notepad ?? null;
  if (notepad?.debate) state.notepads = { ...state.notepads, [notepad.debate]: notepad };
}

function add(state, key, entry) {
  if (!state.entries[key]) state.order.push(key);
  state.entries[key] = { key, ...entry };
}

/** A small line between messages, after what came last. */
const note = (state, key, values) => add(state, key, { kind: 'note', after: state.head, ...values });

function change(state, key, values) {
  if (state.entries[key]) state.entries[key] = { ...state.entries[key], ...values };
}

/** Take the part of `text` beyond what is here; false when there is a hole before it. */
function grow(state, messageId, offset, text) {
  const key = `m:${messageId}`;
  const entry = state.entries[key];
  if (!entry || offset > entry.points) return false;
  const rest = skip(text, entry.points - offset);
  if (rest) state.hold = null;
  if (rest) change(state, key, { text: entry.text + rest, points: entry.points + points(rest) });
  return true;
}

function startNext(state) {
  const key = state.waiting.shift();
  if (!key) return;
  change(state, key, { waiting: false });
  const { placed, queued } = state.entries[key];
  if (!placed && !queued) place(state, key, state.head); // an older log
}

/** A run ended. One that ended before it started gives up its message's place in the queue. */
function endRun(state, run) {
  const at = state.running.indexOf(run);
  if (at < 0) return startNext(state);
  state.running.splice(at, 1);
  state.hold = null;
  state.moving = state.running[0] ?? null;
}

function settleErrors(state) {
  for (const key of state.order) {
    if (state.entries[key].kind === 'error' && !state.entries[key].settled) change(state, key, { settled: true });
  }
}

/** An interrupt repeats what a person is asked; it fills in for a `tool_call.checked` that did not carry it. */
function recall(state, { id, toolCallId, expiresAt, responseSchema, metadata }) {
  const call = state.entries[`c:${toolCallId}`];
  if (call?.status === 'held' && !call.confirmation) change(state, call.key, { confirmation: { id, decideBy: expiresAt, ...metadata } });
  if (call?.status === 'asking' && !call.correction) change(state, call.key, { correction: { id, answerBy: expiresAt, schema: responseSchema, ...metadata } });
}

function dropSent(state, matches) {
  const at = state.outbox.findIndex(matches);
  if (at >= 0) state.outbox.splice(at, 1);
}

function changeSent(state, key, values) {
  const at = state.outbox.findIndex((one) => one.key === key);
  if (at >= 0) state.outbox[at] = { ...state.outbox[at], ...values };
}
