/** Find a member of this place by name or e-mail, and invite them. The server says whom there is to find. */

import { button, h } from './dom.js';
import { avatar } from './group-avatar.js';
import { gettext } from './i18n.js';

const SEARCH_AFTER = 180;

export class Picker {
  /** `find(text)` gives [{id, name, email}]; `invite(person)`. */
  constructor({ find, invite, complain }) {
    Object.assign(this, { find, invite, complain });
    this.input = h('input', { class: 'input', type: 'search', placeholder: gettext('Name or e-mail'), 'aria-label': gettext('Find somebody to invite'), autocomplete: 'off', maxlength: 120, on: { input: () => this.searchSoon() } });
    this.list = h('ul', { class: 'picker-list' });
    this.element = h('section', { class: 'picker' }, h('h3', {}, gettext('Invite')), this.input, this.list);
  }

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(), SEARCH_AFTER);
  }

  async search() {
    const asked = (this.asked = this.input.value.trim());
    try {
      const found = await this.find(asked);
      if (asked === this.asked) this.draw(found);
    } catch (error) {
      this.complain(error);
    }
  }

  draw(found) {
    const row = (one) => h('li', {}, avatar(one), h('span', { class: 'person-words' }, h('strong', {}, one.name), h('small', {}, one.email)), button(gettext('Invite'), { class: 'is-small', press: (event) => this.choose(event.currentTarget, one) }));
    this.list.replaceChildren(...found.map(row));
    if (!found.length) this.list.replaceChildren(h('li', { class: 'picker-none' }, this.asked ? gettext('Nobody found.') : gettext('Everybody is here already.')));
  }

  async choose(control, one) {
    const { value } = this.input;
    control.disabled = true;
    await this.invite(one);
    if (this.input.value === value) this.input.value = '';
    await this.search();
  }
}
