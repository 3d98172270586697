/** Who takes part in a conversation, in a dialogue: the list, whom to invite, when the agent answers, leaving. */

import { confirmDialog, toast } from './dialogs.js';
import { button, h, iconButton, keepingFocus } from './dom.js';
import { avatar } from './group-avatar.js';
import { gettext, interpolate } from './i18n.js';
import { Picker } from './people-picker.js';
import { refusalSentence } from './words.js';

export class PeopleDialog {
  /** `group`: the `Group` of the page. */
  constructor(group) {
    this.group = group;
    this.list = h('ul', { class: 'people-list' });
    this.rest = h('div', {});
    this.element = h(
      'dialog',
      { class: 'people-dialog', 'aria-labelledby': 'people-title' },
      h('div', { class: 'people-head' }, h('h2', { id: 'people-title' }, gettext('People in this conversation')), iconButton(gettext('Close'), 'x', () => this.close())),
      this.list,
      this.rest,
    );
    this.element.addEventListener('click', (event) => event.target === this.element && this.close());
    document.body.append(this.element);
  }

  get page() {
    return this.group.page;
  }

  open() {
    this.picker = new Picker({
      find: async (text) => (await this.page.api.candidates(this.group.id, text)).results,
      invite: (one) => this.act((api, id) => api.invite(id, one.id)),
      complain: (error) => this.page.complain(error),
    });
    this.draw();
    this.element.showModal();
    if (!this.group.isOwner) return;
    this.picker.search();
    if (matchMedia('(pointer: fine)').matches) this.picker.input.focus();
  }

  close() {
    if (this.element.open) this.element.close();
  }

  draw() {
    if (this.picker) keepingFocus(this.element, () => this.drawParts());
  }

  drawParts() {
    const { here, isOwner } = this.group;
    this.list.replaceChildren(...here.people.map((one) => this.person(one)), ...here.invitations.map((one) => this.invited(one)));
    const parts = [isOwner && this.picker.element, this.group.isGroup && this.answers(), this.group.isGroup && this.leaving()].filter(Boolean);
    const key = parts.map((part) => part.className).join();
    if (key === this.drawn && this.rest.contains(this.picker.element)) return this.redraw(parts);
    this.drawn = key;
    this.rest.replaceChildren(...parts);
  }

  /** All but the picker, somebody may be typing there. */
  redraw(parts) {
    for (const part of parts) if (part !== this.picker.element) this.rest.querySelector(`.${part.className}`)?.replaceWith(part);
  }

  person(one) {
    const isMe = one.id === this.page.me.id;
    const words = h('span', { class: 'person-words' }, h('strong', {}, one.name), one.is_owner && h('small', {}, gettext('Owner')), isMe && h('small', {}, gettext('You')));
    const more = this.group.isOwner && !isMe && [button(gettext('Make owner'), { class: 'is-small', press: () => this.handOver(one) }), button(gettext('Remove'), { class: 'is-small is-danger', press: () => this.remove(one) })];
    return h('li', {}, avatar(one), words, more);
  }

  invited({ id, person }) {
    const words = h('span', { class: 'person-words' }, h('strong', {}, person.name), h('small', {}, gettext('Invited')));
    return h('li', { class: 'is-invited' }, avatar(person), words, this.group.isOwner && button(gettext('Withdraw'), { class: 'is-small', press: () => this.act((api) => api.withdrawInvitation(id)) }));
  }

  answers() {
    const option = (value, words) =>
      h('label', {}, h('input', { type: 'radio', name: 'answers', value, checked: this.group.here.answers === value, disabled: !this.group.isOwner, on: { change: () => this.act((api, id) => api.setAnswers(id, value)) } }), h('span', {}, words));
    const agent = this.page.agent().name;
    return h(
      'fieldset',
      { class: 'people-answers' },
      h('legend', {}, interpolate(gettext('When %(agent)s answers'), { agent })),
      option('always', gettext('Always')),
      option('addressed', interpolate(gettext('When it is addressed: with @%(agent)s, or by a reply'), { agent })),
    );
  }

  leaving() {
    return h('div', { class: 'people-leave' }, button(gettext('Leave this conversation'), { class: 'is-small is-danger', press: () => this.leave() }));
  }

  async handOver(one) {
    const sure = await confirmDialog({ title: gettext('Hand over this conversation?'), text: interpolate(gettext('%(name)s will be its owner: they say who takes part, and you cannot take that back.'), one), yes: gettext('Hand over') });
    if (sure) await this.act((api, id) => api.handOver(id, one.id));
  }

  async remove(one) {
    const sure = await confirmDialog({ title: interpolate(gettext('Remove %(name)s?'), one), text: gettext('They will no longer see it. What they said stays; what still waits in their name is withdrawn.'), yes: gettext('Remove') });
    if (sure) await this.act((api, id) => api.removePerson(id, one.id));
  }

  async leave() {
    const { id } = this.group;
    const text = this.group.isOwner ? gettext('Whoever has been here longest becomes its owner. What still waits in your name is withdrawn.') : gettext('You will no longer see it. What still waits in your name is withdrawn.');
    if (!(await confirmDialog({ title: gettext('Leave this conversation?'), text, yes: gettext('Leave') }))) return;
    try {
      await this.page.api.leave(id);
      this.page.gone(id);
    } catch (error) {
      this.page.complain(error);
    }
  }

  /** Ask the server, then show how it stands. */
  async act(ask) {
    try {
      await ask(this.page.api, this.group.id);
    } catch (error) {
      toast(error.detail || refusalSentence(error));
    }
    await this.group.load();
  }
}
