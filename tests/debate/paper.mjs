// As much of a document as the strip over a debate and its notepad are drawn on, for node: elements that can be read back.
import { register } from 'node:module';

const words = (child) => (child instanceof Drawn ? child.textContent : String(child));

class Drawn {
  constructor(tag) {
    Object.assign(this, { tag, children: [], attributes: {}, dataset: {}, hidden: false, disabled: false, className: '', handlers: {} });
    this.classList = {
      add: (...names) => (this.className = [...new Set([...this.className.split(' '), ...names])].join(' ').trim()),
      toggle: (name, on = !this.className.split(' ').includes(name)) => (this.className = [...this.className.split(' ').filter((one) => one !== name), ...(on ? [name] : [])].join(' ').trim()),
      contains: (name) => this.className.split(' ').includes(name),
    };
  }

  setAttribute(name, value) {
    if (name === 'class') this.className = value;
    else this.attributes[name] = value;
  }

  append(...more) {
    this.children.push(...more.filter((one) => one !== ''));
  }

  replaceChildren(...more) {
    this.children = [];
    this.append(...more);
  }

  addEventListener(name, handler) {
    this.handlers[name] = handler;
  }

  get textContent() {
    return this.children.map(words).join('');
  }

  set textContent(text) {
    this.replaceChildren(String(text));
  }

  contains = () => false;
  querySelector = () => null;
  querySelectorAll = () => [];
}

/** What is drawn, as plain values; hidden parts are not looked into. */
export function read(one) {
  if (!(one instanceof Drawn)) return typeof one === 'string' ? one : one.html;
  const { tag, className, attributes, hidden, disabled, dataset, value, max } = one;
  return hidden ? { tag, hidden } : { tag, className, attributes, disabled, dataset: { ...dataset }, value, max, children: one.children.map(read) };
}

export const sheet = () => new Drawn('div');

/** Before the page's modules are loaded. */
export function layOut() {
  globalThis.Node = { TEXT_NODE: 3 };
  globalThis.NodeFilter = { SHOW_TEXT: 4 };
  globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
  globalThis.document = {
    activeElement: null,
    documentElement: { lang: 'en' },
    createElement: (tag) => new Drawn(tag),
    createElementNS: (_, tag) => new Drawn(tag),
    createTreeWalker: () => ({ nextNode: () => false }),
  };
  nameModules();
}

// In the page an import map names these; the purifier is given a document of its own by the browser tests.
export function nameModules() {
  const purifier = `export default { addHook() {}, sanitize: (html) => ({ querySelectorAll: () => [], childNodes: [{ nodeType: 1, html }] }) };`;
  const named = {
    'markdown-it': new URL('../../static/vendor/markdown-it/markdown-it.js', import.meta.url).href,
    dompurify: `data:text/javascript,${encodeURIComponent(purifier)}`,
  };
  register(`data:text/javascript,${encodeURIComponent(`
    const named = ${JSON.stringify(named)};
    export const resolve = (what, context, next) => named[what] ? { url: named[what], shortCircuit: true } : next(what, context);
  `)}`);
}
