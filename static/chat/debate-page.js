/**
 * A debate on the chat page: the strip over it, the notepad beside it, the settings of the next one, and the ways between
 * them. It draws what the store says; what a person wants goes to `page`.
 */

import { treeOf } from './branches.js';
import { debateShown, isOpen } from './debate.js';
import { flash } from './debate-citations.js';
import { DebateHead } from './debate-head.js';
import { DebateSettings } from './debate-settings.js';
import { NotepadPanel } from './notepad-panel.js';
import { gettext } from './i18n.js';
import { isLoaded } from './store.js';

const $ = (id) => document.getElementById(id);

export class DebatePage {
  /** `page`: {api, kept, talks, tryTo(type, fields), stop(), scrolling, composer}. */
  constructor(page) {
    Object.assign(this, { page, debate: null, chosen: null });
    this.talk = $('scroll').closest('.talk');
    this.head = new DebateHead($('debate-head'), { steer: (what) => this.steer(what), mayStop: () => page.group.mayStop(page.talks.state), stop: () => page.stop(), textUrl: () => page.api.exportUrl(page.talks.current, 'markdown') });
    this.panel = new NotepadPanel($('notepad'), { jump: (...where) => this.jump(...where) });
    this.settings = new DebateSettings($('debate-settings'), page.kept);
  }

  /** What the next question carries. */
  get options() {
    return this.settings.options;
  }

  draw(state, agent) {
    const shown = Object.keys(state.debates).length ? treeOf(state).shown : [];
    const debate = debateShown(state, shown);
    if (debate?.id !== this.debate?.id) this.chosen = null;
    Object.assign(this, { state, debate });
    this.talk.classList.toggle('has-debate', debate !== null);
    this.head.draw(state, debate, shown);
    $('notepad').hidden = debate === null;
    this.drawPanel();
    this.settings.show(agent, debate !== null);
    this.page.composer.invite(agent.debate ? invitation(debate) : '');
  }

  drawPanel() {
    const debate = this.state.debates[this.chosen] ?? this.debate;
    this.panel.draw(debate, debate ? (this.state.notepads[debate.id] ?? null) : null, isLoaded(this.state));
  }

  steer(what) {
    return this.page.tryTo('debate.steer', { conversation: this.page.talks.current, do: what });
  }

  /** Whether a citation leads anywhere. */
  has(kind, n, debate) {
    if (kind === 'T') return this.turn(n, debate) !== null;
    return Boolean(this.page.talks.state.notepads[debate]?.entries.some((entry) => entry.n === n));
  }

  /** Go to a turn or to an entry of a debate's notepad. */
  jump(kind, n, debate) {
    if (kind === 'T') {
      const turn = this.turn(n, debate);
      if (!turn) return;
      this.page.scrolling.sticks = false;
      flash(turn);
      return;
    }
    this.chosen = debate;
    this.drawPanel();
    this.panel.jumpTo(n);
  }

  turn = (n, debate) => document.querySelector(`.entry[data-turn="${Number(n)}"][data-debate="${CSS.escape(debate)}"]`);
}

const invitation = (debate) => (isOpen(debate) ? gettext('Step in: both hear it') : gettext('What shall be debated?'));
