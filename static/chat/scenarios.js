/** The choice of a scenario under the composer, for agents that have some: it goes along with every message. */

import { h } from './dom.js';
import { gettext } from './i18n.js';

export class Scenarios {
  /** `kept`: {scenario(conversation), keepScenario(conversation, slug)}. */
  constructor(label, kept) {
    Object.assign(this, { label, kept, offered: [], conversation: '' });
    this.select = label.querySelector('select');
    this.select.addEventListener('change', () => kept.keepScenario(this.conversation, this.select.value));
  }

  /** Show what an agent offers, and what was chosen for this conversation. */
  show(conversation, offered = []) {
    this.label.hidden = !offered.length;
    if (this.conversation === conversation && this.offered === offered) return;
    Object.assign(this, { conversation, offered });
    const options = offered.map(({ slug, name }) => h('option', { value: slug }, name));
    this.select.replaceChildren(h('option', { value: '' }, gettext('No scenario')), ...options);
    const chosen = this.kept.scenario(conversation);
    this.select.value = offered.some(({ slug }) => slug === chosen) ? chosen : '';
  }

  /** The first message made the conversation: the choice goes there with it. */
  moved(conversation) {
    this.kept.keepScenario(conversation, this.select.value);
    this.kept.keepScenario('', '');
  }

  /** What `message.send` carries; undefined when nothing was chosen. */
  get options() {
    return this.select.value ? { scenario: this.select.value } : undefined;
  }
}
