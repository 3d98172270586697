/**
 * The offer of a standing yes: whoever approves a simple question may approve the next calls as well, with the arguments
 * they choose as they are now. It says plainly what is left free, and it has a button of its own: nothing is granted by
 * the way.
 */

import { button, h } from './dom.js';
import { gettext, interpolate } from './i18n.js';
import { shown } from './parts.js';

const MOST_USES = 50;
const USUAL_USES = 5;
const DAY = 1440;
const LONGEST_VALUE = 80;

export class GrantOffer {
  /** `approve(grant)` is called with `{pinned, uses, minutes}`; `others()` names what else the tool takes. */
  constructor(call, { approve, others }) {
    this.names = Object.keys(call.confirmation.arguments ?? {});
    this.others = others;
    const id = `grant-${call.id}`;
    this.boxes = new Map(this.names.map((name) => [name, h('input', { type: 'checkbox', checked: true, on: { change: () => this.redraw() } })]));
    this.uses = h('input', { class: 'input', id: `${id}-uses`, type: 'number', min: 1, max: MOST_USES, step: 1, value: USUAL_USES, on: { input: () => this.redraw() } });
    this.time = h('select', { class: 'input', id: `${id}-time` }, [['15', gettext('15 minutes')], ['60', gettext('1 hour')], ['today', gettext('Today')]].map(([value, words]) => h('option', { value }, words)));
    this.free = h('p', { class: 'grant-free' });
    this.approveButton = button(gettext('Approve, and allow the next calls'), { icon: 'gate-open', press: () => this.press(approve) });
    this.element = h(
      'details',
      { class: 'grant-offer', on: { toggle: () => this.opened() } },
      h('summary', {}, gettext('Also allow the next calls …')),
      h('div', { class: 'grant-body' },
        h('p', { class: 'gate-said' }, gettext('Calls like this one then run without a question, as long as what is ticked is the same as now. You can take it back at any time.')),
        h('fieldset', { class: 'grant-pins' }, h('legend', {}, gettext('Must be the same')), this.names.map((name) => this.pin(name, call.confirmation.arguments[name]))),
        this.free,
        h('div', { class: 'grant-limits' },
          h('label', { for: `${id}-uses` }, gettext('Number of calls, at most'), this.uses),
          h('label', { for: `${id}-time` }, gettext('For'), this.time)),
        h('div', { class: 'gate-buttons' }, this.approveButton)),
    );
    this.redraw();
  }

  pin(name, given) {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    const value = [...text].length > LONGEST_VALUE ? `${[...text].slice(0, LONGEST_VALUE).join('')}…` : text;
    return h('label', {}, this.boxes.get(name), h('span', {}, h('code', {}, shown(name)), ' ', h('span', { class: 'is-pinned' }, shown(value)), h('strong', { class: 'is-free' }, gettext('may be anything'))));
  }

  /** What else the tool takes is asked when somebody looks. */
  async opened() {
    if (!this.element.open || this.known) return;
    this.known = await this.others().catch(() => undefined);
    this.redraw();
  }

  redraw() {
    const free = [...this.names, ...(this.known ?? [])].filter((name) => !this.boxes.get(name)?.checked);
    const rest = this.known ? '' : gettext('What this call does not name may be anything.');
    this.free.replaceChildren(free.length ? interpolate(gettext('May be anything: %(names)s.'), { names: free.join(', ') }) : rest);
    this.free.hidden = !free.length && !rest;
    this.uses.removeAttribute('aria-invalid');
  }

  press(approve) {
    const uses = Number(this.uses.value);
    if (!Number.isInteger(uses) || uses < 1 || uses > MOST_USES) {
      this.uses.setAttribute('aria-invalid', 'true');
      return this.uses.focus();
    }
    return approve({ pinned: this.names.filter((name) => this.boxes.get(name).checked), uses, minutes: this.minutes() });
  }

  minutes() {
    if (this.time.value !== 'today') return Number(this.time.value);
    const now = new Date();
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    return Math.min(DAY, Math.max(1, Math.floor((midnight - now) / 60_000)));
  }

  set disabled(isDisabled) {
    this.approveButton.disabled = isDisabled;
  }
}
