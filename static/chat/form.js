/**
 * A form made from a plan (`fields.js`), drawn by Jedison: its tree of objects and lists, our fields in it. Everything
 * foreign goes in as text, nothing is validated here: the server does that, and `showErrors` puts what it says beside
 * the fields. Jedison is fetched when the first form is needed.
 */

import { h } from './dom.js';
import { makeEditors } from './editors.js';
import { filledFrom, filledFromTemplate, valueFrom } from './filled.js';
import { gettext } from './i18n.js';
import { pathOf, placesOf, sorted } from './places.js';

let kit = null;
let made = 0;

/** The library and our editors on top of it; rejects when it cannot be fetched, and may then be asked again. */
function fetchKit() {
  kit ??= import('jedison').then((library) => ({ ...library, editors: makeEditors(library) }));
  kit.catch(() => {
    kit = null;
  });
  return kit;
}

/** `changed()` is called whenever somebody edited something. */
export async function makeForm({ plan, given, filled, changed }) {
  return new Form(await fetchKit(), plan, given, filled ?? filledFrom(plan, given), changed);
}

class Form {
  constructor({ Create, Theme, editors }, plan, given, filled, changed) {
    Object.assign(this, { plan, given, changed });
    made += 1;
    this.id = `form-${made}`;
    this.nodes = [];
    this.undo = new Map();
    this.element = h('div', { class: 'form-fields' });
    this.tree = new Create({
      container: this.element, theme: new Theme(), schema: this.schemaOf(plan), data: filled, customEditors: editors, form: this, id: this.id,
      showErrors: 'never', enforceEnum: false, enforceRequired: false, useConstraintAttributes: false, purifyHtml: false, purifyData: false,
      hiddenInputAttributes: { id: `${this.id}-all`, name: '' },
    });
  }

  /** The plan as Jedison wants it: objects, lists, and text for everything else. */
  schemaOf(node) {
    const place = { 'x-node': this.nodes.push(node) - 1 };
    if (node.kind === 'list') return { ...place, type: 'array', items: this.schemaOf(node.item) };
    if (node.kind !== 'group') return { ...place, type: 'string' };
    const entries = node.children.map((child, at) => [`f${at}`, this.schemaOf(child)]);
    return { ...place, type: 'object', properties: Object.fromEntries(entries), required: entries.map(([name]) => name), additionalProperties: false };
  }

  nodeOf = (instance) => this.nodes[instance.schema['x-node']];
  idOf = (instance) => `${this.id}-${instance.path.slice(2).replaceAll('/', '-') || 'all'}`;

  get filled() {
    return this.tree.getValue();
  }

  read() {
    return valueFrom(this.plan, this.filled, this.given);
  }

  /** A person edited the field at this pointer. */
  edited(pointer) {
    for (const [at, { reset }] of this.undo) if (pointer.startsWith(at)) reset();
    this.changed();
  }

  /** Put errors beside their fields; returns those that belong to none. */
  showErrors(errors) {
    const { beside, general } = sorted(errors, placesOf(this.plan, this.filled));
    for (const [pointer, instance] of this.tree.instances) instance.ui.complain(beside.get(pointer) ?? []);
    return general;
  }

  /** Faults of `read`, as errors. */
  showFaults(faults) {
    const words = {
      not_json: gettext('This is not JSON. Look for a missing quote, comma or bracket.'),
      twice: gettext('A name stands twice in the same object.'),
      inexact: gettext('This number is too large to be sent exactly.'),
    };
    const places = new Map(placesOf(this.plan, this.filled).map((place) => [place.pointer, place.path]));
    return this.showErrors(faults.map(({ pointer, code }) => ({ path: places.get(pointer) ?? pathOf([]), message: words[code] })));
  }

  /** Whether some field carries an error; if so it has the focus now. */
  focusError() {
    const first = this.element.querySelector('[aria-invalid="true"]');
    first?.focus();
    return Boolean(first);
  }

  focus() {
    this.element.querySelector('input:not([type="hidden"]), select, textarea, button')?.focus();
  }

  // Templates

  hasTemplate = (node) => typeof node.template === 'string' && filledFromTemplate(node, node.template) !== undefined;

  /** Fill a parameter from its template, or take that back. `reset` is called when what is there now is a person's own. */
  useTemplate(instance, reset) {
    const node = this.nodeOf(instance);
    const before = instance.getValue();
    instance.setValue(filledFromTemplate(node, node.template));
    this.undo.set(instance.path, { before, reset: () => this.undo.delete(instance.path) && reset() });
    this.changed();
  }

  undoTemplate(instance) {
    const { before, reset } = this.undo.get(instance.path);
    instance.setValue(before);
    reset();
    this.changed();
  }

  destroy() {
    this.tree.destroy();
  }
}
