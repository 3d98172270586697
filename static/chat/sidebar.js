/** The list of conversations: search, new, rename, delete, export, more. */

import { button, h, icon } from './dom.js';
import { confirmDialog } from './dialogs.js';
import { gettext, interpolate, language, ngettext } from './i18n.js';

const SEARCH_AFTER = 220;

export class Sidebar {
  /** `page`: {api, drawer, urlOf(id), agents, go(id), removed(id), renamed(id, title), complain(error)}. */
  constructor(root, page, items) {
    this.page = page;
    this.list = root.querySelector('.list');
    this.search = root.querySelector('input[type=search]');
    this.items = items;
    this.current = null;
    this.waiting = new Set();
    this.cursor = items.length >= 20 ? 'first' : null;
    this.found = null;
    this.search.addEventListener('input', () => this.searchSoon());
    this.draw();
  }

  draw() {
    this.page.drawer.tell('list', this.hasNews);
    if (this.list.querySelector('form')) return; // a title is being written; saving or leaving draws
    const focused = this.focused();
    const open = this.list.querySelector('details[open]')?.closest('[data-id]')?.dataset.id;
    this.list.replaceChildren(...this.parts());
    const menu = open && this.rowOf(open)?.querySelector('details');
    if (menu) menu.open = true; // somebody is about to press something in it
    if (focused) controlsOf(this.rowOf(focused.id))[focused.at]?.focus();
  }

  get hasNews() {
    return this.waiting.size > 0 || this.items.some((one) => one.id !== this.current && (one.unread > 0 || one.mentioned));
  }

  /** Which control of which row has the focus: drawing again gives it to its successor. */
  focused() {
    const row = this.list.contains(document.activeElement) && document.activeElement.closest('[data-id]');
    return row ? { id: row.dataset.id, at: controlsOf(row).indexOf(document.activeElement) } : null;
  }

  rowOf(id) {
    return this.list.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  /** Back to where something of the menu was chosen. */
  focusMenu(id) {
    this.rowOf(id)?.querySelector('summary').focus();
  }

  parts() {
    const items = this.found ?? this.items;
    const parts = [];
    let day = '';
    for (const item of items) {
      const heading = dayOf(item.updated_at);
      if (heading !== day) parts.push(h('h2', { class: 'list-day' }, heading));
      day = heading;
      parts.push(this.row(item));
    }
    if (!items.length) parts.push(h('p', { class: 'list-empty' }, this.found ? gettext('Nothing found.') : gettext('Your conversations will be listed here.')));
    if (this.cursor && !this.found) parts.push(h('div', { class: 'list-more' }, button(gettext('Show older'), { class: 'is-small is-wide', press: () => this.more() })));
    return parts;
  }

  row(item) {
    const current = item.id === this.current;
    const link = h('a', { href: this.page.urlOf(item.id), 'aria-current': current ? 'page' : null, on: { click: (event) => this.follow(event, item) } }, titleOf(item), this.agentLine(item));
    const news = !current && (item.unread > 0 || item.mentioned) && newsOf(item);
    return h('div', { class: `list-item ${current ? 'is-current' : ''}`, data: { id: item.id } }, this.waiting.has(item.id) && h('i', { class: 'list-dot', title: gettext('Something waits for you here') }), link, news, this.menu(item));
  }

  agentLine(item) {
    return this.page.agents.length > 1 && h('small', {}, this.page.agents.find((agent) => agent.slug === item.agent)?.name ?? item.agent);
  }

  follow(event, item) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    this.page.go(item.id);
  }

  menu(item) {
    const label = interpolate(gettext('Actions for “%(title)s”'), { title: titleOf(item) });
    const entry = (words, picture, press, kind = '') => h('button', { type: 'button', class: `menu-item ${kind}`, on: { click: press } }, icon(picture), words);
    return h(
      'details',
      { class: 'menu', on: { toggle: (event) => placeMenu(event.currentTarget, this.list) } },
      h('summary', { class: 'icon-button', 'aria-label': label, title: label }, icon('more')),
      h(
        'div',
        { class: 'menu-list' },
        isOwned(item) && entry(gettext('Rename'), 'edit', () => this.rename(item)),
        h('a', { class: 'menu-item', href: this.page.api.exportUrl(item.id), download: `conversation-${item.id}.json` }, icon('download'), gettext('Export as JSON')),
        h('a', { class: 'menu-item', href: this.page.api.exportUrl(item.id, 'markdown'), download: `conversation-${item.id}.md` }, icon('download'), gettext('Export as text')),
        isOwned(item) && entry(gettext('Delete'), 'trash', () => this.remove(item), 'is-danger'),
      ),
    );
  }

  rename(item) {
    const row = this.rowOf(item.id);
    const input = h('input', { class: 'input', 'aria-label': gettext('New title'), maxlength: 120, value: item.title ?? '' });
    const leave = () => {
      row.replaceChildren();
      this.draw();
      this.focusMenu(item.id);
    };
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation(); // or the drawer goes as well
      leave();
    });
    const save = async (event) => {
      event.preventDefault();
      const title = input.value.trim();
      leave();
      if (title && title !== item.title) await this.saveTitle(item, title);
    };
    row.replaceChildren(h('form', { on: { submit: save } }, input, h('button', { class: 'icon-button', 'aria-label': gettext('Save') }, icon('check'))));
    input.focus();
    input.select();
  }

  async saveTitle(item, title) {
    try {
      await this.page.api.rename(item.id, title);
      this.titled(item.id, title);
      this.page.renamed(item.id, title);
    } catch (error) {
      this.page.complain(error);
    }
    this.draw();
  }

  async remove(item) {
    const sure = await confirmDialog({
      title: gettext('Delete this conversation?'),
      text: interpolate(gettext('“%(title)s” will be gone for everyone in it. This cannot be undone.'), { title: titleOf(item) }),
      yes: gettext('Delete'),
    });
    if (!sure) return this.focusMenu(item.id);
    const at = [...this.list.querySelectorAll('.list-item')].indexOf(this.rowOf(item.id));
    try {
      await this.page.api.remove(item.id);
      this.forget(item.id);
      this.page.removed(item.id);
      this.focusNear(at);
    } catch (error) {
      this.page.complain(error);
    }
  }

  /** The row that had the focus is gone: the one in its place gets it. */
  focusNear(at) {
    if (document.activeElement !== document.body) return;
    const links = this.list.querySelectorAll('.list-item > a');
    (links[Math.min(at, links.length - 1)] ?? this.search).focus();
  }

  forget(id) {
    this.items = this.items.filter((one) => one.id !== id);
    this.found = this.found?.filter((one) => one.id !== id) ?? null;
    this.draw();
  }

  select(id) {
    this.current = id;
    this.waiting.delete(id);
    this.read(id);
    this.draw();
  }

  /** Nothing is new there any more. */
  read(id) {
    this.counted?.delete(id);
    this.change(id, { unread: 0, mentioned: false });
  }

  /** Something was said there; one number counts once. */
  async unread(id, seq) {
    this.counted ??= new Map();
    if (seq <= (this.counted.get(id) ?? 0)) return;
    this.counted.set(id, seq);
    const old = this.items.find((one) => one.id === id);
    const values = old ? { unread: (old.unread ?? 0) + 1 } : await this.page.api.conversation(id).catch(() => null);
    if (values) this.touched(id, values);
  }

  mentioned(id) {
    this.change(id, { mentioned: true });
  }

  change(id, values) {
    const isNews = (one) => Object.entries(values).some(([name, value]) => (one[name] || null) !== (value || null));
    const known = [...this.items, ...(this.found ?? [])].filter((one) => one.id === id);
    if (!known.some(isNews)) return;
    const renew = (one) => (one.id === id ? { ...one, ...values } : one);
    this.items = this.items.map(renew);
    this.found = this.found?.map(renew) ?? null;
    this.draw();
  }

  /** A conversation moved: it goes to the top; one not listed yet is added. */
  touched(id, values = {}) {
    const old = this.items.find((one) => one.id === id) ?? { id, title: '' };
    const item = { ...old, ...values, updated_at: new Date().toISOString() };
    this.items = [item, ...this.items.filter((one) => one.id !== id)];
    this.draw();
  }

  titled(id, title) {
    const rename = (one) => (one.id === id ? { ...one, title } : one);
    this.items = this.items.map(rename);
    this.found = this.found?.map(rename) ?? null;
    this.draw();
  }

  waits(id) {
    if (id === this.current) return;
    this.waiting.add(id);
    this.draw();
  }

  searchSoon() {
    clearTimeout(this.searchTimer);
    this.searchTimer = setTimeout(() => this.searchNow(), SEARCH_AFTER);
  }

  async searchNow() {
    this.asking?.abort();
    const search = this.search.value.trim();
    if (!search) {
      this.found = null;
      return this.draw();
    }
    this.asking = new AbortController();
    try {
      const { results } = await this.page.api.conversations({ search, signal: this.asking.signal });
      this.found = results;
      this.draw();
    } catch (error) {
      if (error.name !== 'AbortError') this.page.complain(error);
    }
  }

  /** The page came with the newest twenty; the API's cursor begins at its own first page. */
  async more() {
    try {
      const { results, next } = await this.page.api.conversations({ cursor: this.cursor === 'first' ? '' : this.cursor });
      const known = new Set(this.items.map((one) => one.id));
      const news = results.filter((one) => !known.has(one.id));
      this.items = [...this.items, ...news];
      this.cursor = next;
      if (next && !news.length) return await this.more();
      this.draw();
    } catch (error) {
      this.page.complain(error);
    }
  }
}

/** The list scrolls, and would cut off a menu near its end: such a menu opens upwards. */
function placeMenu(menu, list) {
  const room = list.getBoundingClientRect().bottom - menu.getBoundingClientRect().bottom;
  menu.classList.toggle('opens-up', menu.open && room < 170);
}

const controlsOf = (row) => [...(row?.querySelectorAll('a, summary, button') ?? [])];

const isOwned = (item) => item.is_owner ?? true;

/** How much is new, and whether somebody called them. */
function newsOf({ unread, mentioned }) {
  const words = interpolate(ngettext('%(count)s unread message', '%(count)s unread messages', unread), { count: unread });
  return h('span', { class: `list-news ${mentioned ? 'is-mention' : ''}`.trim(), title: mentioned ? gettext('You were mentioned here') : words }, h('span', { 'aria-hidden': 'true' }, mentioned ? '@' : '', unread > 99 ? '99+' : unread || ''), h('span', { class: 'visually-hidden' }, mentioned ? gettext('You were mentioned here') : words));
}

const titleOf = (item) => item.title || gettext('New conversation');

function dayOf(at) {
  const date = new Date(at ?? Date.now());
  const today = new Date();
  const days = Math.round((new Date(today.toDateString()) - new Date(date.toDateString())) / 86400000);
  if (days <= 0) return gettext('Today');
  if (days === 1) return gettext('Yesterday');
  if (days < 7) return gettext('Last seven days');
  return new Intl.DateTimeFormat(language(), { month: 'long', year: 'numeric' }).format(date);
}
