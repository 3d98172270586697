/** Invitations into conversations, at the top of the list: from whom, and a yes or a no. */

import { button, h } from './dom.js';
import { avatar } from './group-avatar.js';
import { gettext, interpolate } from './i18n.js';

export class Invitations {
  /** `page`: {data, api, sidebar, drawer, go(id), complain(error), read(words)}. */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.list = page.data.invitations ?? [];
    this.draw();
  }

  /** One came, or is over. */
  async heard(id, status) {
    if (status !== 'pending') return this.forget(id);
    try {
      const { results } = await this.page.api.invitations();
      this.list = results;
      this.draw();
      const one = results.find((invitation) => invitation.id === id);
      if (one) this.page.read(words(one));
    } catch (error) {
      this.page.complain(error);
    }
  }

  forget(id) {
    this.list = this.list.filter((one) => one.id !== id);
    this.draw();
  }

  draw() {
    this.root.hidden = !this.list.length;
    this.page.drawer.tell('invitations', this.list.length > 0);
    this.root.replaceChildren(...this.list.map((one) => this.card(one)));
  }

  card(one) {
    const answer = (how) => async (event) => {
      for (const control of event.currentTarget.parentElement.children) control.disabled = true;
      await this.answer(one, how);
    };
    return h(
      'div',
      { class: 'invitation' },
      avatar(one.invited_by),
      h('p', {}, words(one)),
      h('div', { class: 'invitation-answer' }, button(gettext('Accept'), { class: 'is-primary is-small', press: answer('accept') }), button(gettext('Decline'), { class: 'is-small', press: answer('decline') })),
    );
  }

  async answer(one, how) {
    try {
      const joined = await this.page.api.answerInvitation(one.id, how);
      this.forget(one.id);
      if (joined) await this.join(joined.conversation);
    } catch (error) {
      this.page.complain(error);
      if (error.status === 404 || error.status === 409) this.forget(one.id);
      else this.draw();
    }
  }

  async join(id) {
    const { updated_at: at, ...conversation } = await this.page.api.conversation(id);
    this.page.sidebar.touched(id, conversation);
    this.page.joined(id, conversation.agent);
  }
}

const words = ({ invited_by: by, agent }) => interpolate(gettext('%(name)s invites you to a conversation with %(agent)s.'), { name: by.name, agent });
