/** What reminders leave in a conversation's state: a card when one came, a small line when one was changed or skipped. Pure. */

export const REMINDER_EVENTS = {
  'reminder.fired': (state, value, seq, timestamp) => put(state, `r:${value.occurrence}`, { kind: 'reminder', ...value, at: timestamp ?? null }),
  'reminder.skipped': (state, value, seq) => put(state, `n:${seq}`, { kind: 'note', code: 'reminder.skipped', told: value }),
  'reminder.changed': (state, value, seq) => {
    if (!isByAgent(state)) put(state, `n:${seq}`, { kind: 'note', code: 'reminder.changed', told: value });
  },
};

/** It stands below what was last when it came. */
function put(state, key, entry) {
  if (!state.entries[key]) state.order.push(key);
  state.entries[key] = { key, after: state.head, ...entry };
}

const OPEN = new Set(['cleared', 'approved', 'claimed']);

/** The agent does it just now: its call says so already. */
const isByAgent = (state) => Object.values(state.entries).some(({ kind, name, status }) => kind === 'call' && /^reminder_/.test(name) && OPEN.has(status));
