/**
 * One websocket a tab. It comes back by itself (backoff with jitter), asks for what was missed, notices a dead line by
 * pinging, and answers each request with a promise. It knows frames, not what they mean.
 */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15000;
const PING_EVERY = 25000;
const PONG_WITHIN = 10000;
const ANSWER_WITHIN = 20000;
/** The server closes the line on a longer frame. */
export const MAX_FRAME_BYTES = 64 * 1024;
export const SIGNED_OUT = 4401;
export const NOT_A_MEMBER = 4403;
export const RESTARTING = 1012;
const TOO_FAST = 4029;

/** An error frame, or the line's own failure (`code` "offline"). */
export class FrameError extends Error {
  constructor({ code, detail, ...more }) {
    super(detail || code);
    this.code = code;
    this.detail = detail ?? '';
    this.more = more;
  }
}

export class Line {
  /** `heard(frame)` gets event, delta and notice frames; `changed(state, code)` the line's state. */
  constructor(url, { heard, changed, opened }) {
    Object.assign(this, { url, heard, changed, opened });
    this.socket = null;
    this.asked = new Map();
    this.failures = 0;
    this.number = 0;
    this.state = 'connecting';
    this.finished = false;
    globalThis.addEventListener?.('online', () => this.hurry());
    globalThis.addEventListener?.('offline', () => this.drop());
    globalThis.document?.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.hurry());
  }

  get isOpen() {
    return this.state === 'open';
  }

  connect() {
    clearTimeout(this.retryTimer);
    this.socket?.close();
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.addEventListener('open', () => socket === this.socket && this.wasOpened());
    socket.addEventListener('message', ({ data }) => socket === this.socket && this.receive(data));
    socket.addEventListener('close', ({ code }) => socket === this.socket && this.wasClosed(code));
  }

  /** Send a frame; resolves with its ack, rejects with a FrameError. */
  ask(type, fields = {}) {
    if (!this.isOpen) return Promise.reject(new FrameError({ code: 'offline' }));
    this.number += 1;
    const id = `f${this.number}`;
    const frame = JSON.stringify({ type, id, ...fields });
    if (new TextEncoder().encode(frame).length > MAX_FRAME_BYTES) return Promise.reject(new FrameError({ code: 'too_large' }));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.fail(id, { code: 'timeout' }), ANSWER_WITHIN);
      this.asked.set(id, { resolve, reject, timer });
      this.socket.send(frame);
    });
  }

  wasOpened() {
    this.report('open');
    this.lastHeard = Date.now();
    clearInterval(this.pingTimer);
    this.pingTimer = setInterval(() => this.ping(), PING_EVERY);
    this.opened();
  }

  receive(data) {
    this.lastHeard = Date.now();
    this.failures = 0;
    const frame = JSON.parse(data);
    if (frame.type === 'ack') this.settle(frame.id, ({ resolve }) => resolve(frame));
    else if (frame.type === 'error') this.fail(frame.id, frame);
    else this.heard(frame);
  }

  settle(id, how) {
    const one = this.asked.get(id);
    if (!one) return;
    this.asked.delete(id);
    clearTimeout(one.timer);
    how(one);
  }

  fail(id, error) {
    this.settle(id, ({ reject }) => reject(new FrameError(error)));
  }

  async ping() {
    const sent = Date.now();
    this.ask('ping').catch(() => {});
    setTimeout(() => this.isOpen && this.lastHeard < sent && this.drop(), PONG_WITHIN);
  }

  /** The line is dead though nobody said so: do not wait for a close that may take minutes. */
  drop() {
    const dead = this.socket;
    this.socket = null;
    dead?.close();
    this.wasClosed(1006);
  }

  wasClosed(code) {
    clearInterval(this.pingTimer);
    for (const id of [...this.asked.keys()]) this.fail(id, { code: 'offline' });
    if (this.finished) return;
    if (code === SIGNED_OUT || code === NOT_A_MEMBER) {
      this.finished = true;
      this.report(code === SIGNED_OUT ? 'signed-out' : 'not-a-member', code);
      return;
    }
    this.failures += 1;
    this.report(globalThis.navigator?.onLine === false ? 'offline' : 'reconnecting', code);
    const base = code === RESTARTING && this.failures === 1 ? 1000 : code === TOO_FAST ? 5000 : FIRST_WAIT;
    const wait = Math.min(LONGEST_WAIT, base * 2 ** Math.min(this.failures - 1, 6));
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => this.connect(), wait * (0.5 + Math.random() / 2));
  }

  /** The network or the tab came back: do not sit out the wait, and do not trust a line that slept. */
  hurry() {
    if (this.finished) return;
    if (this.isOpen) this.ping();
    else if (this.socket?.readyState !== WebSocket.CONNECTING) this.connect();
  }

  report(state, code) {
    this.state = state;
    this.changed(state, code, this.failures);
  }
}
