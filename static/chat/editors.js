/** Our editors for Jedison: how a group, a list and a field look. They replace its markup; it keeps the tree of values. */

import { button, h, iconButton } from './dom.js';
import { drawField, drawHelp } from './field.js';
import { gettext, interpolate } from './i18n.js';
import { besideErrors } from './parts.js';

/** `{Editor, EditorObject, EditorArray}` of the library, as the classes a form uses. */
export function makeEditors({ Editor, EditorObject, EditorArray }) {
  class Field extends Editor {
    static resolves = (schema) => schema.type === 'string';

    build() {
      const form = formOf(this.instance);
      const edited = (text) => {
        this.instance.setValue(text, true, 'person');
        this.complain([]);
        form.edited(this.instance.path);
      };
      this.control = drawField({ node: form.nodeOf(this.instance), id: form.idOf(this.instance), number: numberOf(this.instance), template: templateButton(this.instance), edited });
    }

    refreshUI() {
      this.control.show(this.instance.getValue());
    }

    showValidationErrors() {}

    complain(errors) {
      this.control.messages.replaceChildren(...besideErrors(errors.map((error) => likeExample(error, formOf(this.instance).nodeOf(this.instance)))));
      for (const more of this.control.help.querySelectorAll('details')) more.open ||= errors.length > 0;
      if (errors.length) this.control.input.setAttribute('aria-invalid', 'true');
      else this.control.input.removeAttribute('aria-invalid');
    }
  }

  class Group extends EditorObject {
    build() {
      this.control = frame(this.instance);
    }

    addEventListeners() {}

    refreshUI() {
      const { childrenSlot } = this.control;
      if (!childrenSlot.firstChild) childrenSlot.append(...this.instance.children.map((child) => child.ui.control.container));
    }

    showValidationErrors() {}

    complain(errors) {
      complainOfFrame(this.control, errors);
    }
  }

  class List extends EditorArray {
    build() {
      this.control = frame(this.instance);
      this.control.add = button(gettext('Add an item'), { class: 'is-small', icon: 'plus', press: () => this.add() });
      this.control.childrenSlot.after(this.control.add);
    }

    addEventListeners() {}

    /** Rows are drawn anew when items came, went or moved; while somebody types nothing moves. */
    refreshUI() {
      const { children } = this.instance;
      if (this.drawn === children) return;
      this.drawn = children;
      this.control.childrenSlot.replaceChildren(...children.map((child, at) => this.row(child, at, children.length)));
    }

    row(child, at, count) {
      const number = interpolate(gettext('Item %(number)s'), { number: at + 1 });
      const up = at > 0 && iconButton(`${gettext('Move up')}: ${number}`, 'chevron', () => this.move(at), 'is-up');
      const remove = iconButton(`${gettext('Remove')}: ${number}`, 'trash', () => this.remove(at, count));
      return h('div', { class: 'form-row' }, child.ui.control.container, h('div', { class: 'form-row-buttons' }, up, remove));
    }

    add() {
      this.instance.addItem('person');
      this.control.childrenSlot.lastElementChild.querySelector('input, select, textarea, button')?.focus();
      this.changed();
    }

    move(at) {
      this.instance.move(at, at - 1, 'person');
      this.control.childrenSlot.children[at - 1].querySelector('.form-row-buttons button').focus();
      this.changed();
    }

    remove(at, count) {
      this.instance.deleteItem(at, 'person');
      const next = this.control.childrenSlot.children[Math.min(at, count - 2)]?.querySelector('.form-row-buttons button:last-child');
      (next ?? this.control.add).focus();
      this.changed();
    }

    changed() {
      this.complain([]);
      formOf(this.instance).edited(this.instance.path);
    }

    showValidationErrors() {}

    complain(errors) {
      complainOfFrame(this.control, errors);
    }
  }

  return [Field, Group, List];
}

const formOf = (instance) => instance.jedison.getOption('form');

const BY_EXAMPLE = new Set(['pattern', 'type', 'format']);

/** To a person an example says more than what a model is told to do. */
function likeExample(error, { example }) {
  if (!BY_EXAMPLE.has(error.keyword) || error.below || (example ?? null) === null) return error;
  const words = typeof example === 'string' ? example : JSON.stringify(example);
  return { ...error, fix: interpolate(gettext('Write it like %(example)s.'), { example: words }) };
}

/** Where an item stands in its list, from 1; 0 for what is no item. */
const numberOf = ({ parent, path }) => (parent?.schema.type === 'array' ? Number(path.split('/').at(-1)) + 1 : 0);

/** What holds several fields: a fieldset with a legend; the outermost has neither. */
function frame(instance) {
  const form = formOf(instance);
  const node = form.nodeOf(instance);
  const messages = h('div', { class: 'form-errors', id: `${form.idOf(instance)}-errors` });
  const childrenSlot = h('div', { class: 'form-group' });
  if (!instance.parent) return { container: h('div', {}, childrenSlot), childrenSlot, messages };
  const number = numberOf(instance);
  const title = number ? interpolate(gettext('Item %(number)s'), { number }) : node.title;
  const container = h(
    'fieldset',
    { class: 'form-frame', 'aria-describedby': messages.id, tabindex: '-1' },
    h('legend', {}, h('span', {}, title), !node.required && [' ', h('small', {}, gettext('optional'))]),
    messages,
    drawHelp(node),
    templateButton(instance),
    childrenSlot,
  );
  return { container, childrenSlot, messages };
}

function complainOfFrame({ container, messages }, errors) {
  messages.replaceChildren(...besideErrors(errors, { withGiven: true }));
  if (errors.length) container.setAttribute('aria-invalid', 'true');
  else container.removeAttribute('aria-invalid');
}

/** Fills in what a tool offers to start from; pressed again it takes that back. */
function templateButton(instance) {
  const form = formOf(instance);
  if (!form.hasTemplate(form.nodeOf(instance))) return null;
  const reset = () => {
    words.textContent = gettext('Use the template');
    control.classList.remove('is-used');
  };
  const press = () => {
    if (control.classList.contains('is-used')) return form.undoTemplate(instance);
    form.useTemplate(instance, reset);
    words.textContent = gettext('Undo the template');
    control.classList.add('is-used');
  };
  const control = button('', { class: 'is-small form-template', icon: 'clipboard', press });
  const words = control.querySelector('span');
  reset();
  return control;
}
