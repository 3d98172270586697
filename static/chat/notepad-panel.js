/**
 * The notepad beside the talk: entries under their kinds, who noted them in which turn, and a slider over everything it
 * ever said. New changes light up as they come. Below the talk on a narrow screen, where it opens and closes.
 */

import { changeWords, countWords, kindWords, turnWords } from './debate-words.js';
import { avatar } from './debate-speakers.js';
import { flash, linkCitations } from './debate-citations.js';
import { button, h, icon, iconButton } from './dom.js';
import { gettext, interpolate } from './i18n.js';
import { drawMarkdown } from './markdown.js';
import { byKind, changeTo, notepadAt } from './notepad.js';

const NARROW = matchMedia('(max-width: 1099px)');

export class NotepadPanel {
  /** `page`: {jump(kind, n, debate)}. */
  constructor(root, page) {
    Object.assign(this, { root, page, debate: null, notepad: null, at: null, seen: 0 });
    this.count = h('span', { class: 'notepad-count' });
    this.toggle = h('button', { type: 'button', class: 'notepad-toggle', 'aria-expanded': 'false', 'aria-controls': 'notepad-body', on: { click: () => this.open(!this.isOpen) } }, icon('clipboard'), h('span', {}, gettext('Notepad')), this.count, icon('chevron', 'turn'));
    this.title = h('h2', { class: 'notepad-title' }, this.toggle);
    this.list = h('div', { class: 'notepad-list', tabindex: '-1' });
    this.body = h('div', { class: 'notepad-body', id: 'notepad-body' }, this.history(), this.list);
    root.replaceChildren(this.title, this.body);
    NARROW.addEventListener('change', () => this.open(!NARROW.matches));
    this.open(!NARROW.matches);
  }

  history() {
    const go = (step) => this.show(this.version + step);
    this.slider = h('input', { type: 'range', min: '1', step: '1', 'aria-label': gettext('Version of the notepad'), on: { input: () => this.show(Number(this.slider.value)) } });
    this.back = iconButton(gettext('Previous version'), 'chevron', () => go(-1), 'is-before');
    this.next = iconButton(gettext('Next version'), 'chevron', () => go(1), 'is-next');
    this.said = h('p', { class: 'notepad-said' });
    this.now = button(gettext('Back to now'), { class: 'is-small', press: () => this.show(null) });
    this.past = h('div', { class: 'notepad-past' }, h('div', { class: 'notepad-slide' }, this.back, this.slider, this.next), this.said, this.now);
    return this.past;
  }

  open(isOpen) {
    this.isOpen = isOpen;
    this.root.classList.toggle('is-open', isOpen);
    this.toggle.setAttribute('aria-expanded', String(isOpen));
    this.body.hidden = !isOpen;
    this.toggle.disabled = !NARROW.matches;
  }

  get newest() {
    return this.notepad?.version ?? 0;
  }

  /** The version that is shown. */
  get version() {
    return this.at ?? this.newest;
  }

  /** `debate` and its notepad, as the store has them; nothing is drawn while they stand as they were. `isLive`: all of the past is here. */
  draw(debate, notepad, isLive) {
    const other = debate?.id !== this.debate?.id;
    const isNews = this.isLive && !other;
    this.isLive = isLive;
    if (!other && notepad === this.notepad && debate?.personas === this.debate?.personas) return;
    const before = isNews ? this.newest : (notepad?.version ?? 0);
    Object.assign(this, { debate, notepad, seen: before, at: other ? null : this.at });
    this.fill();
  }

  /** Go to a version; null follows what comes. */
  show(version) {
    if (version !== null && (version < 1 || version > this.newest)) return;
    this.at = version === this.newest ? null : version;
    this.seen = this.newest;
    this.fill();
  }

  fill() {
    const entries = this.notepad ? notepadAt(this.notepad, this.version) : [];
    this.count.textContent = entries.length ? countWords(entries.length) : '';
    this.fillHistory();
    const focused = this.list.contains(document.activeElement) ? document.activeElement.closest('[data-note]')?.dataset.note : null;
    this.list.replaceChildren(...(entries.length ? byKind(entries).map((group) => this.group(group)) : [this.empty()]));
    if (focused) this.entryOf(focused)?.focus({ preventScroll: true });
  }

  fillHistory() {
    const change = changeTo(this.notepad ?? {}, this.version);
    this.past.hidden = !change;
    if (!change) return;
    Object.assign(this.slider, { max: String(this.newest), value: String(this.version) });
    const words = interpolate(gettext('Version %(version)s of %(newest)s'), { version: this.version, newest: this.newest });
    const said = changeWords(change, this.persona(change.by).name);
    this.slider.setAttribute('aria-valuetext', `${words}: ${said}`);
    this.said.replaceChildren(h('strong', {}, words), ` · ${said}`);
    this.back.disabled = this.version <= 1;
    this.next.disabled = this.at === null;
    this.now.hidden = this.at === null;
    this.root.classList.toggle('is-past', this.at !== null);
  }

  persona = (slug) => this.debate?.personas.find((one) => one.slug === slug) ?? { slug, name: slug || gettext('Somebody'), side: 'left', hue: 'slate' };

  empty = () => h('p', { class: 'notepad-empty' }, gettext('Facts, assumptions, questions and things to do are noted here as the two go along.'));

  group([kind, entries]) {
    const [words, picture] = kindWords(kind);
    return h('section', { class: 'notepad-kind' }, h('h3', {}, icon(picture), words), h('ul', {}, entries.map((entry) => this.entry(entry))));
  }

  entry(entry) {
    const text = h(entry.struck ? 's' : 'div', { class: 'md', dir: 'auto' });
    drawMarkdown(text, String(entry.text ?? ''), true);
    const { id } = this.debate;
    linkCitations(text, { find: (kind) => kind === 'T', jump: (kind, n) => this.page.jump(kind, n, id) });
    return h(
      'li',
      { class: this.classOf(entry), data: { note: String(entry.n) }, tabindex: '-1' },
      h('span', { class: 'notepad-n' }, h('span', { class: 'visually-hidden' }, gettext('Note')), ` N${entry.n}`),
      h('div', { class: 'notepad-words' }, text, this.wasBefore(entry), h('p', { class: 'notepad-by' }, this.credit(entry))),
    );
  }

  classOf({ struck, last }) {
    const isNew = last && this.at === null && last.version > this.seen;
    const isTouched = last && this.at !== null && last.version === this.version;
    return ['notepad-entry', struck && 'is-struck', isNew && 'is-new', isTouched && 'is-touched'].filter(Boolean).join(' ');
  }

  /** Looking back, what the shown version changed stands beside what it became. */
  wasBefore({ before, last }) {
    if (this.at === null || before === null || last?.version !== this.version) return null;
    return h('p', { class: 'notepad-before' }, h('span', {}, gettext('Before:')), ' ', h('del', {}, before));
  }

  credit({ by, turn, last }) {
    const later = last && last.action !== 'add' ? last : null;
    const words = { change: gettext('changed by %(name)s'), strike: gettext('struck by %(name)s') }[later?.action];
    return [
      avatar(this.persona(by), 'is-small'),
      h('span', {}, this.persona(by).name),
      this.turnLink(turn),
      words && h('span', { class: 'notepad-later' }, interpolate(words, { name: this.persona(later.by).name })),
      words && this.turnLink(later.turn),
    ];
  }

  turnLink(turn) {
    if (!turn) return null;
    const { id } = this.debate;
    const go = (event) => {
      event.preventDefault();
      this.page.jump('T', turn, id);
    };
    return h('a', { class: 'cite', href: `#turn-${turn}`, on: { click: go } }, turnWords(turn));
  }

  entryOf = (n) => this.list.querySelector(`[data-note="${CSS.escape(String(n))}"]`);

  /** Show an entry, at the version of now when the shown one does not have it. */
  jumpTo(n) {
    this.open(true);
    if (!this.entryOf(n)) this.show(null);
    const entry = this.entryOf(n);
    if (entry) flash(entry);
  }
}
