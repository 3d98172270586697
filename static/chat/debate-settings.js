/**
 * How the next debate goes: when it ends, what it may cost, which model each persona speaks with. What is chosen goes
 * along with the next question; a debate that has begun keeps what it began with. Kept by agent.
 */

import { avatar } from './debate-speakers.js';
import { personasOf } from './debate.js';
import { button, h, icon, iconButton } from './dom.js';
import { gettext, interpolate, ngettext } from './i18n.js';

const MOST = 20;

/** What `message.send` carries of a choice; what is as usual is left out. Pure. */
export function optionsOf(chosen, card) {
  const { mode = card.mode, rounds, budget, models = {} } = chosen;
  const usual = mode === 'ai' ? card.mostRounds : card.rounds;
  const picked = Object.entries(models).filter(([slug, model]) => model && card.personas.some((one) => one.slug === slug && one.models.includes(model)));
  return {
    ...(mode === card.mode ? {} : { mode }),
    ...((rounds?.[mode] ?? usual) === usual ? {} : { rounds: rounds[mode] }),
    ...(budget && card.presets.includes(budget) ? { budget } : {}),
    ...(picked.length ? { models: Object.fromEntries(picked) } : {}),
  };
}

export class DebateSettings {
  /** `kept`: {debating(agent), keepDebating(agent, chosen)}. */
  constructor(root, kept) {
    Object.assign(this, { root, kept, card: null, agent: '', chosen: {} });
    this.line = h('span', { class: 'debate-settings-line' });
    this.body = h('div', { class: 'debate-settings-body' });
    const press = () => this.dialog.showModal();
    root.replaceChildren(h('button', { type: 'button', class: 'debate-settings-open', 'aria-haspopup': 'dialog', on: { click: press } }, icon('sliders'), this.line, icon('chevron', 'turn')), this.makeDialog());
  }

  makeDialog() {
    const close = iconButton(gettext('Close'), 'x', () => this.dialog.close());
    const done = button(gettext('Done'), { class: 'is-primary', press: () => this.dialog.close() });
    const head = h('div', { class: 'debate-settings-head' }, h('h2', { id: 'debate-settings-title' }, gettext('How the next debate goes')), close);
    this.dialog = h('dialog', { class: 'debate-dialog', 'aria-labelledby': 'debate-settings-title' }, head, this.body, h('div', { class: 'dialog-buttons' }, done));
    this.dialog.addEventListener('click', (event) => event.target === this.dialog && this.dialog.close());
    return this.dialog;
  }

  /** `isOn`: a debate goes on, so that what is chosen is for the one after it. */
  show(agent, isOn) {
    this.card = agent.debate ?? null;
    this.root.hidden = !this.card;
    if (!this.card) return;
    if (this.agent !== agent.slug) {
      Object.assign(this, { agent: agent.slug, chosen: this.kept.debating(agent.slug) });
      this.body.replaceChildren(...this.fields());
    }
    if (this.isOn !== isOn) this.tell((this.isOn = isOn));
  }

  /** What `message.send` carries; nothing for an agent that does not debate. */
  get options() {
    return this.card ? optionsOf(this.chosen, this.card) : {};
  }

  choose(values) {
    this.chosen = { ...this.chosen, ...values };
    this.kept.keepDebating(this.agent, Object.keys(this.options).length ? this.chosen : null);
    this.tell(this.isOn);
  }

  tell(isOn) {
    const { mode = this.card.mode, budget } = this.chosen;
    const rounds = this.roundsOf(mode);
    const long = mode === 'ai' ? interpolate(gettext('until both are content, at most %(count)s rounds'), { count: rounds }) : interpolate(ngettext('%(count)s round', '%(count)s rounds', rounds), { count: rounds });
    const models = Object.entries(this.options.models ?? {}).map(([slug, model]) => `${this.card.personas.find((one) => one.slug === slug).name}: ${model}`);
    const parts = [long, budget && presetName(budget), ...models].filter(Boolean).join(' · ');
    this.line.textContent = interpolate(isOn ? gettext('The next debate: %(how)s') : gettext('This debate: %(how)s'), { how: parts });
  }

  roundsOf = (mode) => this.chosen.rounds?.[mode] ?? (mode === 'ai' ? this.card.mostRounds : this.card.rounds);

  fields() {
    const { card } = this;
    return [
      this.modes(),
      card.presets.length > 0 && this.pick(gettext('Budget'), this.chosen.budget ?? '', card.presets, presetName, (budget) => this.choose({ budget }), 'is-wide'),
      ...personasOf(card.personas).map((persona) => this.modelOf(persona)),
      h('p', { class: 'debate-settings-note' }, icon('info'), gettext('A change takes effect at the next debate. One that has begun goes on as it began.')),
    ].filter(Boolean);
  }

  modes() {
    const mode = this.chosen.mode ?? this.card.mode;
    const option = (value, words, count) =>
      h(
        'div',
        { class: 'debate-mode' },
        h('label', {}, h('input', { type: 'radio', name: 'debate-mode', value, checked: mode === value, on: { change: () => this.choose({ mode: value }) } }), h('span', {}, words)),
        h('label', { class: 'debate-rounds' }, h('span', {}, count), this.number(value)),
      );
    return h(
      'fieldset',
      { class: 'debate-modes' },
      h('legend', {}, gettext('How long')),
      option('fixed', gettext('A number of rounds'), gettext('Rounds')),
      option('ai', gettext('Until both have nothing to add'), gettext('At most')),
    );
  }

  number(mode) {
    const input = h('input', { class: 'input', type: 'number', min: 1, max: MOST, inputmode: 'numeric', required: true });
    input.value = this.roundsOf(mode);
    input.addEventListener('change', () => {
      input.value = Math.min(MOST, Math.max(1, Math.round(Number(input.value)) || this.roundsOf(mode)));
      this.choose({ rounds: { ...this.chosen.rounds, [mode]: Number(input.value) } });
    });
    return input;
  }

  modelOf(persona) {
    if (!persona.models?.length) return null;
    const models = () => this.chosen.models ?? {};
    const label = [avatar(persona, 'is-small'), interpolate(gettext('Model of %(name)s'), { name: persona.name })];
    return this.pick(label, models()[persona.slug] ?? '', persona.models, (slug) => slug, (model) => this.choose({ models: { ...models(), [persona.slug]: model } }));
  }

  pick(label, chosen, values, name, choose, kind = '') {
    const select = h('select', { class: 'input' }, h('option', { value: '' }, gettext('As usual')), values.map((value) => h('option', { value }, name(value))));
    select.value = values.includes(chosen) ? chosen : '';
    select.addEventListener('change', () => choose(select.value));
    return h('label', { class: `debate-pick ${kind}`.trim() }, h('span', {}, label), select);
  }
}

const presetName = (slug) => ({ premium: gettext('Premium'), standard: gettext('Standard') })[slug] ?? slug;
