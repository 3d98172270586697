/** The few lines between us and the DOM: elements are made from data and text, never from markup. */

const SVG = 'http://www.w3.org/2000/svg';
const SPRITE = new URL('../icons.svg', import.meta.url).href;

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === 'data') Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false && child !== ''));
  return element;
}

/** `h('button', {class: 'button', on: {click}}, 'Text', child)`. */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** The same for SVG. */
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** A picture from the sprite; decoration only, so always beside words or a label. */
export const icon = (name, extra = '') =>
  svg('svg', { class: `icon ${extra}`.trim(), 'aria-hidden': 'true', focusable: 'false' }, svg('use', { href: `${SPRITE}#${name}` }));

/** A button that is a button. */
export const button = (label, { class: kind = '', icon: picture, press, ...rest } = {}) =>
  h('button', { type: 'button', class: `button ${kind}`.trim(), on: { click: press }, ...rest }, picture && icon(picture), h('span', {}, label));

/** A button that shows a picture only; its name is its label and its tooltip. */
export const iconButton = (label, picture, press, kind = '') =>
  h('button', { type: 'button', class: `icon-button ${kind}`.trim(), 'aria-label': label, title: label, on: { click: press } }, icon(picture));

/** Draw parts of `root` anew, and leave the focus with whatever took the place of what had it. */
export function keepingFocus(root, draw) {
  const had = root.contains(document.activeElement) ? document.activeElement : null;
  draw();
  if (!had || had.isConnected) return;
  const alike = [...root.querySelectorAll(had.tagName)].find((one) => !one.disabled && signOf(one) === signOf(had));
  (alike ?? root.querySelector('button, a[href], input'))?.focus();
}

const signOf = ({ value, title, textContent }) => [value, title, textContent].join('\n');

/** The JSON a template left with `json_script`. */
export function pageData(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/** Copy text, then say so on the button for a moment. */
export async function copyFrom(control, text, done) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  const label = control.querySelector('span');
  const before = label?.textContent;
  control.classList.add('is-done');
  if (label) label.textContent = done;
  setTimeout(() => {
    control.classList.remove('is-done');
    if (label) label.textContent = before;
  }, 1600);
}

/** For pages served over plain HTTP, where the clipboard API does not exist. */
function copyBySelection(text) {
  const area = h('textarea', { class: 'visually-hidden', 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
