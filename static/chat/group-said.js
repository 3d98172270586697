/** What several people add to what is said: whose words they are, whom they mention, who came and went. */

import { h } from './dom.js';
import { avatar } from './group-avatar.js';
import { pieces } from './group-words.js';
import { gettext, interpolate } from './i18n.js';

/** Name who said it, when it was somebody else; returns whether it was. */
export function saidBy(element, label, { author }, page) {
  const isTheirs = Boolean(author) && author.id !== page.me.id;
  element.replaceChildren(...(isTheirs ? [avatar(author), author.name] : []));
  label.textContent = isTheirs ? interpolate(gettext('%(name)s said:'), author) : gettext('You said:');
  return isTheirs;
}

/** The text as nodes: whom the server found mentioned is marked, and the agent's name. */
export function withMentions({ text, mentions, author }, page) {
  const { name, slug } = page.agent();
  const people = Object.values(mentions ?? {});
  const mine = mentions?.[page.me.id];
  return pieces(text, [...people, name, slug]).map((one) => (one.name ? h('span', { class: `mention ${mine && one.name === mine && author?.id !== page.me.id ? 'is-me' : ''}`.trim() }, one.text) : one.text));
}

const LEFT = {
  true: ({ person, by }) => interpolate(gettext('%(by)s removed %(name)s'), { by: by.name, name: person.name }),
  false: ({ person }) => interpolate(gettext('%(name)s left'), person),
};

export const PEOPLE_NOTES = {
  joined: ({ person, by }) => (by ? interpolate(gettext('%(name)s joined, invited by %(by)s'), { name: person.name, by: by.name }) : interpolate(gettext('%(name)s joined'), person)),
  left: (entry) => LEFT[Boolean(entry.by)](entry),
  owner: ({ person }) => interpolate(gettext('%(name)s is the owner now'), person),
  'answers-always': () => gettext('The agent now answers every message'),
  'answers-addressed': () => gettext('The agent now answers only when it is addressed'),
};
