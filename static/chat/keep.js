/**
 * What a person typed is never lost: the unsent text of each conversation and every message the server has not
 * acknowledged are kept in localStorage. A message keeps its idempotency key, so sending it again is harmless.
 */

function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Storage can be full or forbidden; the page works on without it. */
function write(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Nothing to do: what is on screen is still there.
  }
}

export class Kept {
  constructor(tenant, user) {
    this.prefix = `sluice.${tenant}.${user}`;
    this.forms = new Map();
  }

  /** What stands in a form nobody sent yet, for as long as the page lives: it may hold what should not lie on a disk. */
  form(id) {
    return this.forms.get(id);
  }

  /** Whether something was typed into a form and not sent: leaving the page would lose it. */
  get isTypedInto() {
    return [...this.forms.values()].some(({ isTyped }) => isTyped);
  }

  keepForm(id, filled) {
    if (filled) this.forms.set(id, filled);
    else this.forms.delete(id);
  }

  /** The way of working chosen for a conversation ('' = none). */
  scenario(conversation) {
    return read(`${this.prefix}.scenario.${conversation || 'new'}`, '');
  }

  keepScenario(conversation, slug) {
    write(`${this.prefix}.scenario.${conversation || 'new'}`, slug || null);
  }

  /** What is to answer in a conversation: `budget:<preset>` or `model:<slug>` ('' = as usual). */
  answering(conversation) {
    return read(`${this.prefix}.answering.${conversation || 'new'}`, '');
  }

  keepAnswering(conversation, chosen) {
    write(`${this.prefix}.answering.${conversation || 'new'}`, chosen || null);
  }

  /** How the next debate of an agent is to go: what differs from the usual. */
  debating(agent) {
    return read(`${this.prefix}.debating.${agent}`, {});
  }

  keepDebating(agent, chosen) {
    write(`${this.prefix}.debating.${agent}`, chosen);
  }

  draft(conversation) {
    return read(`${this.prefix}.draft.${conversation || 'new'}`, '');
  }

  keepDraft(conversation, text) {
    write(`${this.prefix}.draft.${conversation || 'new'}`, text || null);
  }

  /** Messages not acknowledged: [{key, conversation | null, agent, text, options?}]. */
  outbox() {
    return read(`${this.prefix}.outbox`, []);
  }

  post(message) {
    write(`${this.prefix}.outbox`, [...this.outbox().filter((one) => one.key !== message.key), message]);
  }

  posted(key) {
    const rest = this.outbox().filter((one) => one.key !== key);
    write(`${this.prefix}.outbox`, rest.length ? rest : null);
  }
}
