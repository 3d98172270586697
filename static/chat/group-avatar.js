/** A person as a small round picture: their initials in their colour. */

import { h } from './dom.js';
import { initials, toneOf } from './group-words.js';

export const avatar = ({ id, name }, extra = '') =>
  h('span', { class: `face tone-${toneOf(id)} ${extra}`.trim(), 'aria-hidden': 'true', title: name }, initials(name));
