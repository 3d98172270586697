/** The choice of a preset or a model under the composer, for agents that offer one: it goes along with every message. */

import { h } from './dom.js';
import { gettext } from './i18n.js';

const KINDS = ['budget', 'model'];

/** What stands for a preset; one that an agent's author named otherwise is shown by its own name. */
const presetName = (slug) => ({ premium: gettext('Premium'), standard: gettext('Standard') })[slug] ?? slug;

const group = (label, kind, slugs, name) => (slugs.length ? [h('optgroup', { label }, ...slugs.map((slug) => h('option', { value: `${kind}:${slug}` }, name(slug))))] : []);

export class Answering {
  /** `kept`: {answering(conversation), keepAnswering(conversation, chosen)}. */
  constructor(label, kept) {
    Object.assign(this, { label, kept, agent: null, conversation: '' });
    this.select = label.querySelector('select');
    this.select.addEventListener('change', () => kept.keepAnswering(this.conversation, this.select.value));
  }

  /** Show what an agent offers, and what was chosen for this conversation; one that is offered no more is forgotten. */
  show(conversation, agent) {
    const { models = [], presets = [] } = agent;
    this.label.hidden = Boolean(agent.debate) || !(models.length || presets.length);
    if (this.conversation === conversation && this.agent === agent.slug) return;
    Object.assign(this, { conversation, agent: agent.slug });
    this.select.replaceChildren(
      h('option', { value: '' }, gettext('As usual')),
      ...group(gettext('Presets'), 'budget', presets, presetName),
      ...group(gettext('Models'), 'model', models, (slug) => slug),
    );
    this.select.value = this.kept.answering(conversation);
    if (this.select.selectedIndex < 0) this.select.value = '';
  }

  /** The first message made the conversation: the choice goes there with it. */
  moved(conversation) {
    this.kept.keepAnswering(conversation, this.select.value);
    this.kept.keepAnswering('', '');
  }

  /** What `message.send` carries of it: `{budget}`, `{model}`, or nothing. */
  get options() {
    const [kind, ...name] = this.select.value.split(':');
    return KINDS.includes(kind) ? { [kind]: name.join(':') } : {};
  }
}
