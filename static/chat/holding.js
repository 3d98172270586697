/** The quiet line under what was said while an answer is on its way: that it takes longer, why, and what comes next. */

import { h } from './dom.js';
import { holdWords } from './words.js';

export class Holding {
  constructor() {
    this.said = h('span', { class: 'flow-words', 'aria-hidden': 'true' });
    this.read = h('span', { class: 'visually-hidden', role: 'status' });
    this.hold = null;
  }

  /** `hold` is the store's: {kind, code, …, at, waitSeconds}, or null. */
  show(hold) {
    if (hold === this.hold) return;
    this.hold = hold;
    clearInterval(this.timer);
    // The server's clock and ours may differ: what is left is never more than the whole wait.
    const whole = (hold?.waitSeconds ?? 0) * 1000;
    this.until = performance.now() + Math.min(whole, Math.max(0, (hold?.at ?? Date.now()) + whole - Date.now()));
    if (hold?.waitSeconds) this.timer = setInterval(() => this.tick(), 250);
    this.tick();
    // Read out once, not with every second.
    this.read.textContent = this.said.textContent;
  }

  tick() {
    const left = Math.ceil((this.until - performance.now()) / 1000);
    this.said.textContent = this.hold ? holdWords(this.hold, Math.max(0, left)) : '';
    if (left <= 0) clearInterval(this.timer);
  }
}
