// Reminders in the browser: what they leave in a conversation, and what a quick choice means. Run by `test_store.py`.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { treeOf } from '../../static/chat/branches.js';
import { fresh, reduce } from '../../static/chat/store.js';
import { later, quick, shownIn, weekdayOf } from '../../static/reminders/clock.js';

const custom = (name, value, timestamp) => ({ type: 'CUSTOM', name, value, timestamp });
const user = (id, more = {}) => custom('message.user', { messageId: id, text: id, author: { id: 'u', name: 'U' }, attachments: [], ...more });
const fired = (occurrence, more = {}) => custom('reminder.fired', { occurrence, reminder: 'r', content: 'Tea', due: '2026-11-24T08:00:00Z', late: false, ...more }, 1000);
const changed = (did) => custom('reminder.changed', { did, content: 'Tea', by: { id: 'u', name: 'U' } });

function play(...events) {
  return events.reduce((state, event, at) => reduce(state, { type: 'event', conversation: 'c', seq: at + 1, event }), fresh('c'));
}
const shown = (...events) => treeOf(play(...events)).shown;

test('a reminder that came is a card, once', () => {
  const state = play(fired('o1'), fired('o1'));
  assert.deepEqual(state.order, ['r:o1']);
  assert.equal(state.entries['r:o1'].at, 1000);
});

test('what came before anything was said stands above it', () => {
  assert.deepEqual(shown(fired('o1'), user('a'), fired('o2')), ['r:o1', 'm:a', 'r:o2']);
});

test('who changed a reminder is told in a line, unless the agent does it just now', () => {
  const call = [{ type: 'TOOL_CALL_START', toolCallId: 'x', toolCallName: 'reminder_set', parentMessageId: 'a' }, custom('tool_call.status', { toolCallId: 'x', status: 'claimed' })];
  assert.equal(play(user('a'), changed('paused')).order.length, 2);
  assert.deepEqual(play(user('a'), ...call, changed('set')).order, ['m:a', 'c:x']);
});

test('a message that a reminder sends waits for its own run', () => {
  const asked = user('a', { reminder: 'r' });
  assert.equal(play(asked).entries['m:a'].reminder, 'r');
  assert.equal(play(asked, { type: 'RUN_STARTED', runId: '1', metadata: { cause: 'reminder' } }).waiting.length, 0);
});

const NOON = new Date('2026-11-22T11:00:20Z'); // a Sunday; 12:00:20 in Berlin

test('clocks are read in the zone that is filled in', () => {
  assert.deepEqual(shownIn('Europe/Berlin', NOON), { date: '2026-11-22', time: '12:00', weekday: 6 });
  assert.deepEqual(shownIn('Pacific/Auckland', NOON), { date: '2026-11-23', time: '00:00', weekday: 0 });
  assert.equal(shownIn('Nowhere', NOON), null);
});

test('days are counted on the calendar, over months and clock changes', () => {
  assert.equal(later('2026-12-31', 1), '2027-01-01');
  assert.equal(later('2026-03-28', 2), '2026-03-30');
  assert.equal(weekdayOf('2026-11-23'), 0);
});

test('in ten minutes is not sooner than ten minutes', () => {
  assert.equal(quick({ minutes: 10 }, 'Europe/Berlin', NOON).time, '12:11');
});

test('a morning or an evening is that of the zone', () => {
  assert.deepEqual(quick({ days: 1, time: '09:00' }, 'Europe/Berlin', NOON), { date: '2026-11-23', time: '09:00' });
  assert.deepEqual(quick({ weekday: 0, time: '09:00' }, 'Europe/Berlin', NOON), { date: '2026-11-23', time: '09:00' });
  assert.deepEqual(quick({ weekday: 6, time: '09:00' }, 'Europe/Berlin', NOON), { date: '2026-11-29', time: '09:00' });
});

test('this evening is not offered when it is over', () => {
  assert.equal(quick({ days: 0, time: '18:00' }, 'Europe/Berlin', new Date('2026-11-22T17:30:00Z')), null);
  assert.equal(quick({ days: 0, time: '18:00' }, 'Nowhere', NOON), null);
});
