/**
 * The conversations of this tab: their states, which one is open, and what is on its way to the server. The only place
 * that joins the line (`socket.js`), the store and what is kept. It draws nothing: `changed(id, before, after)` tells.
 */

import { gettext } from './i18n.js';
import { fresh, reduce } from './store.js';

const RETRY_STALE = 400;
const DROPPED = new Set(['offline', 'timeout']);
const NEW = '';
const TITLE_LENGTH = 60;

export class Talks {
  constructor({ kept, me, changed, opened, lost }) {
    Object.assign(this, { kept, me, changed, opened, lost });
    this.states = new Map([[NEW, fresh(NEW)]]);
    this.current = NEW;
    this.buffer = [];
    this.delivery = Promise.resolve();
    this.staleTries = 0;
  }

  get state() {
    return this.states.get(this.current);
  }

  /** Show a conversation ('' = a new one). */
  open(id) {
    if (this.current && this.current !== id) this.line.ask('unsubscribe', { conversation: this.current }).catch(() => {});
    this.current = id;
    if (!this.states.has(id)) this.states.set(id, fresh(id));
    if (id) this.subscribe(id);
  }

  forget(id) {
    this.states.delete(id);
  }

  /** A frame of the server. Frames are taken together, once a screen frame; a hidden tab has none, so a timer serves it. */
  heard(frame) {
    this.buffer.push(frame);
    if (this.buffer.length > 1) return;
    if (document.visibilityState === 'visible') requestAnimationFrame(() => this.take());
    else setTimeout(() => this.take(), 200);
  }

  take() {
    const byTalk = Map.groupBy(this.buffer, (frame) => frame.conversation);
    this.buffer = [];
    for (const [id, frames] of byTalk) this.apply(id, frames);
  }

  apply(id, frames) {
    const before = this.states.get(id);
    if (!before) return;
    const after = reduce(before, frames);
    this.states.set(id, after);
    this.changed(id, before, after);
    if (after.stale && id === this.current) this.resubscribeSoon(id);
    else if (after.seq > before.seq) this.staleTries = 0;
  }

  /** The line is there (again): ask for what was missed and send what was not acknowledged. */
  lineOpened() {
    if (this.current) this.subscribe(this.current);
    for (const message of this.kept.outbox()) {
      const id = message.conversation ?? NEW;
      if (this.states.has(id)) this.apply(id, { type: 'sending', ...message });
      this.deliver(message);
    }
  }

  async subscribe(id) {
    try {
      const { seq } = await this.line.ask('subscribe', { conversation: id, after: this.states.get(id)?.seq ?? 0 });
      this.heard({ type: 'subscribed', conversation: id, seq });
    } catch (error) {
      if (!DROPPED.has(error.code)) this.lost(id, error);
    }
  }

  resubscribeSoon(id) {
    if (this.resubscribing) return;
    const wait = Math.min(8000, RETRY_STALE * 2 ** this.staleTries);
    this.staleTries += 1;
    this.resubscribing = setTimeout(() => {
      this.resubscribing = null;
      if (this.states.get(id)?.stale && id === this.current) this.subscribe(id);
    }, wait);
  }

  /** Keep a message, show it, send it. */
  send(text, agent, options, attachments = [], replyTo = undefined) {
    const message = { key: newKey(), conversation: this.current || null, agent, text, options, attachments, replyTo, at: Date.now() };
    this.kept.post(message);
    this.apply(this.current, { type: 'sending', ...message });
    this.deliver(message);
  }

  resend(key) {
    const message = this.kept.outbox().find((one) => one.key === key);
    if (!message) return;
    this.apply(this.current, [{ type: 'discarded', key }, { type: 'sending', ...message }]);
    this.deliver(message);
  }

  /** Give a message that was not sent back to the person. */
  discard(key) {
    const message = this.kept.outbox().find((one) => one.key === key);
    this.kept.posted(key);
    this.apply(this.current, { type: 'discarded', key });
    return { text: message?.text ?? '', attachments: message?.attachments ?? [] };
  }

  /** One after the other, so that messages keep their order and a conversation is made once. */
  deliver(message) {
    this.delivery = this.delivery.then(() => this.post(message.key));
  }

  async post(key) {
    const message = this.kept.outbox().find((one) => one.key === key);
    if (!message || !this.line.isOpen) return;
    try {
      const conversation = message.conversation ?? (await this.create(message));
      const { text, options, replyTo } = message;
      const attachments = message.attachments?.map((one) => one.id);
      const ack = await this.line.ask('message.send', { conversation, text, key, options, attachments, reply_to: replyTo });
      this.kept.posted(key);
      this.apply(conversation, { type: 'sent', key, message: ack.message, run: ack.run });
    } catch (error) {
      if (!DROPPED.has(error.code)) this.apply(this.talkOf(key), { type: 'unsent', key, code: error.code, detail: error.detail });
    }
  }

  /** Which conversation shows this message: it may have been made since it was written. */
  talkOf(key) {
    return this.kept.outbox().find((one) => one.key === key)?.conversation ?? NEW;
  }

  /** The first message makes the conversation. Others written meanwhile for the same new one go there too. */
  async create({ agent, text, attachments }) {
    const title = titleFrom(text.trim() || attachments?.[0]?.name || gettext('Picture'));
    const { conversation } = await this.line.ask('conversation.create', { agent });
    const id = conversation?.id ?? conversation;
    for (const message of this.kept.outbox()) if (!message.conversation) this.kept.post({ ...message, conversation: id });
    this.states.set(id, { ...fresh(id), outbox: this.states.get(NEW).outbox });
    this.states.set(NEW, fresh(NEW));
    if (this.current === NEW) {
      this.current = id;
      this.subscribe(id);
    }
    this.opened(id, agent, title);
    return id;
  }
}

/** The beginning of what was asked, as the server calls it, until somebody finds a better title. */
function titleFrom(text) {
  const line = text.split('\n').find((one) => one.trim()).trim().replace(/\s+/g, ' ');
  const characters = [...line];
  return characters.length > TITLE_LENGTH ? `${characters.slice(0, TITLE_LENGTH - 1).join('')}…` : line;
}

/** `randomUUID` exists on secure origins only; a key needs no more than to be unlikely. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
