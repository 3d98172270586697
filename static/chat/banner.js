/** How the line is, when a person should know. */

import { button } from './dom.js';
import { gettext } from './i18n.js';
import { RESTARTING } from './socket.js';

const QUIET_FOR = 1500;
const BACK_FOR = 2000;
const ENDS = { open: true, 'not-a-member': true, 'signed-out': true };

export class Banner {
  constructor(element, retry) {
    this.element = element;
    this.retry = retry;
    this.wasAway = false;
  }

  show(state, code) {
    this.latest = [state, code];
    if (this.wasAway || ENDS[state]) return this.now();
    // A blip of a second is nobody's business; nor does each new try begin the second anew.
    this.timer ??= setTimeout(() => this.now(), QUIET_FOR);
  }

  now() {
    clearTimeout(this.timer);
    this.timer = null;
    const [state, code] = this.latest;
    if (state === 'open') this.back();
    else if (state === 'not-a-member') this.say(gettext('You do not belong to this place any more.'), 'is-bad');
    else if (state === 'signed-out') this.say(gettext('You are signed out.'), 'is-bad');
    else this.away(state, code);
  }

  away(state, code) {
    this.wasAway = true;
    if (state === 'offline') return this.say(gettext('You are offline. What you write is kept and sent later.'));
    if (code === RESTARTING) return this.say(gettext('The server is restarting. Reconnecting …'));
    this.say(gettext('Connection lost. Reconnecting …'), '', button(gettext('Reconnect now'), { class: 'is-small', press: this.retry }));
  }

  back() {
    if (!this.wasAway) return this.hide();
    this.wasAway = false;
    this.say(gettext('Connected again.'), 'is-good');
    this.timer = setTimeout(() => this.hide(), BACK_FOR);
  }

  say(words, tone = '', ...more) {
    this.element.className = `line-state ${tone}`;
    this.element.replaceChildren(words, ...more);
    this.element.hidden = false;
  }

  hide() {
    this.element.hidden = true;
  }
}
