/**
 * The people of the conversation that is shown: who takes part, who is writing, who has read how far. The log says who
 * comes and goes; the list itself and what is only true for a moment come from the API and by notices.
 */

import { toast } from './dialogs.js';
import { h, icon } from './dom.js';
import { avatar } from './group-avatar.js';
import { Mentions } from './group-mentions.js';
import { seenWords, typingWords } from './group-words.js';
import { gettext, interpolate } from './i18n.js';
import { PeopleDialog } from './people.js';
import { Invitations } from './people-invitations.js';

const TYPING_EVERY = 3000;
const TYPING_FOR = 6000;
const READ_AFTER = 700;
const FACES = 3;
const NOBODY = { people: [], invitations: [], answers: 'always' };
const $ = (id) => document.getElementById(id);

export class Group {
  /** `page`: {me, data, api, line, talks, sidebar, agent(), urlOf(id), go(id), complain(error), draw(), gone(id, why)}. */
  constructor(page) {
    this.page = page;
    this.here = NOBODY;
    this.id = '';
    this.typing = new Map();
    this.typedAt = 0;
    this.marked = new Map();
    this.replyTo = null;
    this.button = $('people');
    this.button.addEventListener('click', () => this.dialog.open());
    this.dialog = new PeopleDialog(this);
    this.mentions = new Mentions($('composer'), this);
    this.invitations = new Invitations($('invitations'), page);
    document.addEventListener('visibilitychange', () => this.markRead());
    addEventListener('focus', () => this.markRead());
  }

  get api() {
    return this.page.api;
  }

  get others() {
    return this.here.people.filter(({ id }) => id !== this.page.me.id);
  }

  get isGroup() {
    return this.here.people.length > 1;
  }

  get isOwner() {
    return this.here.people.some((one) => one.id === this.page.me.id && one.is_owner);
  }

  /** The agent answers only who addresses it. */
  get isOnlyAddressed() {
    return this.isGroup && this.here.answers === 'addressed';
  }

  /** Who can be mentioned: the others, and the agent. */
  get mentionable() {
    const { slug, name } = this.page.agent();
    return this.isGroup ? [...this.others, { id: `agent:${slug}`, name, slug, isAgent: true }] : [];
  }

  isMine = (person) => !person || person.id === this.page.me.id;
  mayStop = ({ moving, askers }) => this.isOwner || !askers[moving] || askers[moving] === this.page.me.id;
  nameOf = (id) => this.here.people.find((one) => one.id === id)?.name ?? '';

  show(id) {
    this.id = id;
    this.here = NOBODY;
    this.loadedAt = -1;
    this.typing.clear();
    this.reply(null);
    this.dialog.close();
    if (id) this.load();
    this.draw(this.page.talks.state);
  }

  async load() {
    const { id } = this;
    this.loadedAt = this.page.talks.state.peopleAt;
    try {
      const here = await this.api.people(id);
      if (id !== this.id) return;
      this.here = here;
      this.page.draw();
      this.dialog.draw();
    } catch (error) {
      if (error.status !== 404) this.page.complain(error);
    }
  }

  // Notices

  /** Whether this was about people. */
  heard(kind, data) {
    const hear = { typing: this.hearTyping, read: this.hearRead, invitation: this.hearInvitation, said: this.hearSaid, mention: this.hearMention, removed: this.hearRemoved }[kind];
    hear?.call(this, data);
    return Boolean(hear);
  }

  hearTyping({ conversation, person }) {
    if (conversation !== this.id || person.id === this.page.me.id) return;
    clearTimeout(this.typing.get(person.id)?.timer);
    this.typing.set(person.id, { name: person.name, timer: setTimeout(() => this.stopsTyping(person.id), TYPING_FOR) });
    this.drawTyping();
  }

  stopsTyping(id) {
    clearTimeout(this.typing.get(id)?.timer);
    if (this.typing.delete(id)) this.drawTyping();
  }

  hearRead({ conversation, person, seq }) {
    if (person.id === this.page.me.id) this.page.sidebar.read(conversation);
    if (conversation !== this.id) return;
    this.here = { ...this.here, people: this.here.people.map((one) => (one.id === person.id ? { ...one, read_seq: Math.max(one.read_seq, seq) } : one)) };
    this.drawSeen(this.page.talks.state);
  }

  hearInvitation({ invitation, status, conversation }) {
    if (!conversation) this.invitations.heard(invitation, status);
    else if (conversation === this.id) this.load();
  }

  hearSaid({ conversation, seq, by }) {
    if (by) this.stopsTyping(by.id);
    if (conversation === this.id && document.visibilityState === 'visible') return;
    this.page.sidebar.unread(conversation, seq);
  }

  hearMention({ conversation, by }) {
    if (conversation === this.id && document.visibilityState === 'visible') return;
    this.page.sidebar.mentioned(conversation);
    toast(interpolate(gettext('%(name)s mentioned you.'), by), { href: this.page.urlOf(conversation), words: gettext('View') });
  }

  hearRemoved({ conversation, why }) {
    this.page.gone(conversation);
    const words = { removed: gettext('You were removed from a conversation.'), deleted: gettext('A conversation was deleted by its owner.') }[why];
    if (words) toast(words);
  }

  // What this person does

  /** They are writing: say so now and then. */
  typed(text) {
    if (!this.isGroup || !text.trim() || Date.now() - this.typedAt < TYPING_EVERY) return;
    this.typedAt = Date.now();
    this.page.line.ask('typing', { conversation: this.id }).catch(() => {});
  }

  sent() {
    this.typedAt = 0;
    this.reply(null);
  }

  /** What they see they have read: told once for what comes together, and only by a page somebody looks at. */
  markRead() {
    clearTimeout(this.readTimer);
    const { id } = this;
    const { saidAt } = this.page.talks.state;
    if (!this.isGroup || !saidAt || saidAt <= (this.marked.get(id) ?? 0) || document.visibilityState !== 'visible') return;
    this.readTimer = setTimeout(() => {
      if (document.visibilityState !== 'visible' || id !== this.id) return;
      this.marked.set(id, saidAt);
      this.page.line.ask('read.mark', { conversation: id, seq: saidAt }).catch(() => this.marked.delete(id));
    }, READ_AFTER);
  }

  /** Answer something the agent said; null to leave it. */
  reply(message) {
    this.replyTo = message;
    const bar = $('reply-to');
    bar.hidden = !message;
    const leave = h('button', { type: 'button', class: 'icon-button', 'aria-label': gettext('Do not reply to this'), on: { click: () => this.reply(null) } }, icon('x'));
    bar.replaceChildren(...(message ? [icon('reply'), h('span', {}, interpolate(gettext('Reply to %(name)s'), { name: this.page.agent().name })), leave] : []));
    if (message) this.page.composer.focus();
  }

  /** What a button says answers what the agent said last. */
  answerLast({ order, entries }) {
    const last = order.findLast((key) => entries[key].kind === 'reply');
    if (this.isOnlyAddressed && last) this.reply(entries[last]);
  }

  // Drawing

  draw(state) {
    if (this.id && state.peopleAt > this.loadedAt && this.loadedAt >= 0) this.load();
    this.drawFaces();
    this.drawTyping();
    this.drawSeen(state);
    $('transcript').classList.toggle('is-addressed', this.isOnlyAddressed);
    const words = this.isOnlyAddressed ? interpolate(gettext('Ask with @%(agent)s'), { agent: this.page.agent().name }) : '';
    if (words || this.invited) this.page.composer.invite(words);
    if (words !== this.invited) this.page.composer.fit();
    this.invited = words;
    this.markRead();
  }

  drawFaces() {
    const { people } = this.here;
    this.button.hidden = !this.id || !people.length;
    const key = people.map(({ id, name }) => id + name).join();
    if (key === this.faces) return;
    this.faces = key;
    const rest = people.length - FACES;
    const words = this.isGroup ? interpolate(gettext('People here: %(names)s'), { names: people.map(({ name }) => name).join(', ') }) : gettext('Add people');
    this.button.replaceChildren(...(this.isGroup ? people.slice(0, FACES).map((one) => avatar(one)) : [icon('people')]), rest > 0 ? h('span', { class: 'face is-more', 'aria-hidden': 'true' }, `+${rest}`) : '');
    this.button.setAttribute('aria-label', words);
    this.button.title = words;
  }

  drawTyping() {
    const names = [...this.typing.values()].map(({ name }) => name);
    $('typing').hidden = !this.isGroup;
    const words = names.length ? typingWords(names) : '';
    if ($('typing').textContent !== words) $('typing').textContent = words;
  }

  drawSeen(state) {
    const by = this.isGroup && state.saidAt ? this.others.filter(({ read_seq: seq }) => seq >= state.saidAt) : [];
    const key = `${this.id} ${state.saidAt} ${by.map(({ id }) => id).join()}`;
    if (key === this.seen) return;
    this.seen = key;
    $('seen').hidden = !by.length;
    $('seen').replaceChildren(...(by.length ? [...by.slice(0, 5).map((one) => avatar(one, 'is-tiny')), h('span', {}, seenWords(by.map(({ name }) => name)))] : []));
  }
}
