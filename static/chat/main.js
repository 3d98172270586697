/**
 * The chat page. Reads what the template left, joins the parts, and draws when something changed:
 * line (`socket.js`) -> talks -> store -> transcript. Addresses: `/t/<slug>/` is a new conversation, `/t/<slug>/c/<id>/` one of them.
 */

import { Answering } from './answering.js';
import { Api } from './api.js';
import { Banner } from './banner.js';
import { titleOf as callTitle } from './cards.js';
import { Composer } from './composer.js';
import { DebatePage } from './debate-page.js';
import { toast } from './dialogs.js';
import { h, pageData } from './dom.js';
import { setUpDrawer } from './drawer.js';
import { Group } from './group.js';
import { drawEmpty, drawSkeleton } from './empty.js';
import { gettext, interpolate } from './i18n.js';
import { Kept } from './keep.js';
import { plainText } from './markdown.js';
import { Scenarios } from './scenarios.js';
import { Scrolling } from './scrolling.js';
import { Sidebar } from './sidebar.js';
import { Line } from './socket.js';
import { isBusy, isLoaded } from './store.js';
import { newKey, Talks } from './talks.js';
import { Transcript } from './transcript.js';
import { refusalSentence } from './words.js';
import { reminderNotes } from '../reminders/notes.js';
import { askSoon } from '../review/badge.js';

const REFUSED = 2;
const ANNOUNCED_LENGTH = 700;
const $ = (id) => document.getElementById(id);

class ChatPage {
  constructor(data) {
    this.data = data;
    this.me = data.user;
    this.agents = data.agents;
    this.chosen = data.agents[0];
    this.root = `/t/${data.tenant.slug}/`;
    this.api = new Api(data.tenant.slug);
    this.kept = new Kept(data.tenant.slug, this.me.id);
    this.drawer = setUpDrawer();
    this.reminders = reminderNotes({ isSeen: ({ conversation }) => this.looksAt(conversation) });
    this.countWaiting = askSoon(`${this.root}review/queue.json`);
    this.talks = new Talks({
      kept: this.kept,
      me: this.me,
      changed: (...change) => this.changed(...change),
      opened: (...made) => this.madeNew(...made),
      lost: (id, error) => this.lostTalk(id, error),
    });
    this.sidebar = new Sidebar($('sidebar'), this, data.conversations);
    this.transcript = new Transcript($('transcript'), this);
    this.scrolling = new Scrolling($('scroll'), $('column'), $('jump'));
    this.composer = new Composer($('composer'), this);
    this.scenarios = new Scenarios($('scenario'), this.kept);
    this.answering = new Answering($('answering'), this.kept);
    this.debate = new DebatePage(this);
    this.group = new Group(this);
    this.banner = new Banner($('line-state'), () => this.line.hurry());
    this.line = this.talks.line = this.openLine();
    this.listen();
    const id = data.conversation?.id ?? '';
    if (this.composer.early) this.kept.keepDraft(id, this.composer.early);
    this.show(id, { agent: data.conversation?.agent });
  }

  openLine() {
    const { protocol, host } = location;
    return new Line(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws/t/${this.data.tenant.slug}/`, {
      heard: (frame) => (frame.type === 'notice' ? this.notice(frame) : this.talks.heard(frame)),
      changed: (state, code, failures) => this.lineChanged(state, code, failures),
      opened: () => {
        this.talks.lineOpened();
        this.countWaiting();
        this.reminders.opened();
      },
    });
  }

  listen() {
    addEventListener('popstate', () => this.show(idOf(location.pathname)));
    addEventListener('beforeunload', (event) => this.kept.isTypedInto && event.preventDefault());
    for (const link of document.querySelectorAll('[data-new-chat]')) {
      link.addEventListener('click', (event) => {
        event.preventDefault();
        this.go('');
      });
    }
    this.line.connect();
  }

  // Where one is

  urlOf = (id) => (id ? `${this.root}c/${id}/` : this.root);

  go(id) {
    if (this.urlOf(id) !== location.pathname) history.pushState(null, '', this.urlOf(id));
    this.show(id);
  }

  show(id, { agent } = {}) {
    this.talks.open(id);
    if (agent) this.agentOf = { ...this.agentOf, [id]: agent };
    this.transcript.clear();
    this.sidebar.select(id);
    this.reminders.seen(id);
    this.drawer.close();
    this.composer.block(this.agents.length || id ? '' : gettext('There is no agent to talk to yet.'));
    this.composer.fill(this.kept.draft(id));
    this.composer.attachments.open(id);
    this.group.show(id);
    this.draw();
    if (!this.scrolling.isAtStart) this.scrolling.toBottom();
    this.composer.focus();
  }

  madeNew(id, agent, title) {
    this.agentOf = { ...this.agentOf, [id]: agent };
    this.sidebar.touched(id, { agent, title });
    if (this.talks.current !== id) return;
    this.scenarios.moved(id);
    this.composer.attachments.moved(id);
    this.answering.moved(id);
    history.pushState(null, '', this.urlOf(id));
    this.sidebar.select(id);
    this.group.show(id);
    this.draw();
  }

  lostTalk(id, error) {
    if (error.code !== 'not_found') return this.complain(error);
    this.sidebar.forget(id);
    toast(gettext('This conversation does not exist any more.'));
    if (this.talks.current === id) this.go('');
  }

  removed(id) {
    this.talks.forget(id);
    if (this.talks.current === id) this.go('');
  }

  /** They take part there no more. */
  gone(id) {
    this.sidebar.forget(id);
    this.removed(id);
  }

  /** They take part there from now on. */
  joined(id, agent) {
    this.agentOf = { ...this.agentOf, [id]: agent };
    this.go(id);
  }

  renamed(id, title) {
    if (this.talks.current === id) this.drawTitle(title);
  }

  // What the parts ask for

  isOnline = () => this.line.isOpen;
  agentName = () => this.agent().name;

  agent() {
    const slug = this.talks.current ? (this.agentOf?.[this.talks.current] ?? this.sidebar.items.find((one) => one.id === this.talks.current)?.agent) : this.chosen?.slug;
    return this.agents.find((one) => one.slug === slug) ?? { slug, name: slug ?? gettext('Agent'), suggestions: [], isDemo: false };
  }

  send(text, attachments = []) {
    this.scrolling.sticks = true;
    this.talks.send(text, this.agent().slug, this.options, attachments, this.group.replyTo?.id);
    this.group.sent();
    if (this.talks.current) this.sidebar.touched(this.talks.current);
    this.scrolling.toBottom();
  }

  say(text) {
    this.group.answerLast(this.talks.state);
    this.send(text);
    this.composer.focus();
  }

  typed(text) {
    this.kept.keepDraft(this.talks.current, text);
    this.group?.typed(text);
  }

  stop = () => this.tryTo('run.stop', { run: this.talks.state.moving });
  retry = (run) => this.tryTo('run.retry', { run });
  edit = (message, text, key) => this.tryTo('message.edit', { conversation: this.talks.current, message, text, key });
  regenerate = (message) => this.tryTo('message.regenerate', { conversation: this.talks.current, message, key: newKey() });
  goTo = (message) => this.tryTo('branch.switch', { conversation: this.talks.current, message });
  decide = (fields) => this.line.ask('confirmation.decide', fields);
  confirmationForm = (id) => this.api.confirmationForm(id);
  cancelJob = (call) => this.tryTo('job.cancel', { call });
  submitInput = (fields) => this.line.ask('input.submit', fields);
  resend = (key) => this.talks.resend(key);
  discard = (key) => {
    const { text, attachments } = this.talks.discard(key);
    this.composer.attachments.restore(attachments);
    this.composer.fill([text, this.composer.text.value].filter(Boolean).join('\n'));
  };

  async tryTo(type, fields) {
    try {
      await this.line.ask(type, fields);
      return true;
    } catch (error) {
      this.complain(error);
      return false;
    }
  }

  complain(error) {
    toast(refusalSentence(error));
  }

  tell = (words) => toast(words);
  looksAt = (id) => id === this.talks.current && document.visibilityState === 'visible' && this.scrolling.sticks;
  lookAt = (element) => this.scrolling.lookAt(element);

  // What comes

  changed(id, before, after) {
    if (after.title !== before.title) this.sidebar.titled(id, after.title);
    if (id !== this.talks.current) return;
    if (isLoaded(before)) this.announce(before, after);
    this.draw();
  }

  /** What goes along with every message: the scenario, and what is to answer. */
  get options() {
    const options = { ...this.scenarios.options, ...(this.agent().debate ? this.debate.options : this.answering.options) };
    return Object.keys(options).length ? options : undefined;
  }

  notice({ kind, data }) {
    if (/^(review|confirmation)/.test(kind)) this.countWaiting();
    if (kind === 'budget') return toast(gettext('Most of a monthly limit is used up.'), { href: `${this.root}usage/`, words: gettext('View') });
    if (kind === 'alert') return this.alert(data);
    if (kind === 'reminder') return this.reminders.heard(data);
    if (this.group.heard(kind, data)) return;
    if (!data?.conversation || data.conversation === this.talks.current) return;
    this.sidebar.waits(data.conversation);
    const words = { confirmation: gettext('Something waits for your decision.'), correction: gettext('A call waits for arguments corrected by you.'), job: gettext('A background task has ended.') }[kind.split('.')[0]];
    if (words) toast(words, { href: this.urlOf(data.conversation), words: gettext('View') });
  }

  /** Only admins are told; where they look is the console's first page. */
  alert({ provider, credential }) {
    const words = credential ? gettext('The provider %(provider)s refuses the credential “%(credential)s”.') : gettext('The provider %(provider)s refuses the installation’s own credential.');
    toast(interpolate(words, { provider, credential }), { href: `${this.root}admin/`, words: gettext('View') });
  }

  lineChanged(state, code, failures) {
    this.banner.show(state, code);
    if (state === 'signed-out') location.assign(`/accounts/login/?next=${encodeURIComponent(location.pathname)}`);
    if (state === 'not-a-member') this.composer.block(gettext('You do not belong to this place any more.'));
    this.wasOpen ||= state === 'open';
    if (failures === REFUSED && !this.wasOpen) this.askWhyNot();
    this.transcript.draw(this.talks.state);
    this.transcript.lineChanged();
  }

  /** A refused handshake does not say why; the API does. */
  async askWhyNot() {
    try {
      await this.api.conversations();
    } catch (error) {
      if (error.status === 401 || error.status === 403) location.reload();
    }
  }

  // Drawing

  redraw() {
    clearTimeout(this.redrawTimer);
    this.redrawTimer = setTimeout(() => this.draw(), 220);
  }

  draw() {
    const { state } = this.talks;
    const something = state.order.length > 0 || state.outbox.length > 0;
    const loading = this.talks.current && !isLoaded(state) && !something;
    $('transcript').hidden = !something;
    this.drawInstead(something ? null : loading ? 'loading' : 'empty');
    if (something) this.transcript.draw(state);
    this.drawSuggestions(state);
    this.drawTitle(state.title);
    this.scenarios.show(this.talks.current, this.agent().scenarios);
    this.answering.show(this.talks.current, this.agent());
    this.debate.draw(state, this.agent());
    this.composer.attachments.allow(this.agent());
    this.group.draw(state);
    this.composer.moving(state.moving !== null && this.group.mayStop(state));
    this.scrolling.settle(!something && !loading);
  }

  drawInstead(what) {
    const key = what === 'empty' ? `empty ${this.talks.current} ${this.agent().slug}` : what;
    if (this.instead === key) return;
    this.instead = key;
    const drawn = { loading: drawSkeleton, empty: () => this.empty() }[what]?.();
    $('instead').replaceChildren(...(drawn ? [drawn] : []));
  }

  empty() {
    const choose = (agent) => {
      this.chosen = agent;
      this.draw();
      $('instead').querySelector('input:checked')?.focus();
    };
    return drawEmpty({ agents: this.agents, agent: this.agent(), choose: this.talks.current ? null : choose, say: (text) => this.say(text) });
  }

  drawSuggestions(state) {
    const list = isBusy(state) || state.outbox.length ? [] : state.suggestions;
    const key = JSON.stringify(list);
    if (key === this.suggested) return;
    this.suggested = key;
    $('suggestions').hidden = !list.length;
    $('suggestions').replaceChildren(...list.map((text) => h('button', { type: 'button', on: { click: () => this.say(text) } }, text)));
  }

  drawTitle(known) {
    const { current } = this.talks;
    const agent = this.agent();
    const title = known || this.sidebar.items.find((one) => one.id === current)?.title || gettext('New conversation');
    $('talk-title').textContent = title;
    $('talk-agent').textContent = this.agents.length ? agent.name : '';
    $('talk-demo').hidden = !agent.isDemo;
    document.title = `${title} – ${this.data.tenant.name}`;
  }

  /** Finished answers and new questions are read out; single tokens are not. */
  announce(before, after) {
    for (const key of after.order) {
      const [old, now] = [before.entries[key], after.entries[key]];
      if (old === now) continue;
      if (now.kind === 'reply' && now.ended && !old?.ended && now.points) this.read(`${now.said?.persona?.name ?? this.agentName()}: ${plainText(now.text).slice(0, ANNOUNCED_LENGTH)}`);
      if (now.kind === 'reminder' && !old) this.read(`${gettext('Reminder')}: ${now.content}`);
      if (now.kind === 'call' && now.status !== old?.status) this.announceCall(now);
    }
  }

  announceCall(call) {
    const words = { held: gettext('Waiting for your decision: %(what)s'), asking: gettext('Waiting for your correction: %(what)s') }[call.status];
    if (words) this.read(interpolate(words, { what: callTitle(call) }));
  }

  read(words) {
    $('live').append(h('p', {}, words));
    while ($('live').childElementCount > 3) $('live').firstElementChild.remove();
  }
}

const idOf = (path) => /\/c\/([^/]+)\/$/.exec(path)?.[1] ?? '';

new ChatPage(pageData('page-data'));
