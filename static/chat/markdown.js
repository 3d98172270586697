/**
 * What a model wrote, as Markdown, safely: markdown-it with HTML off, then DOMPurify over an allow-list. Images are
 * never loaded (a picture's address can carry a secret away, T28): they become links. Links say where they lead.
 *
 * While an answer streams only the blocks that changed are drawn again, so a selection in what stands survives.
 */

import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';

import { copyFrom, h, icon } from './dom.js';
import { gettext } from './i18n.js';

const md = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false });
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

const ALIGN = /text-align:\s*(\w+)/;
for (const cell of ['th_open', 'td_open']) {
  md.renderer.rules[cell] = (tokens, at, options, env, self) => {
    const align = ALIGN.exec(tokens[at].attrGet('style') ?? '')?.[1];
    tokens[at].attrs = align ? [['class', `is-${align}`]] : null;
    return self.renderToken(tokens, at, options);
  };
}
md.renderer.rules.image = (tokens, at) => {
  const { escapeHtml } = md.utils;
  const alt = escapeHtml(tokens[at].content || gettext('picture'));
  return `<a class="picture" href="${escapeHtml(tokens[at].attrGet('src') ?? '')}">${alt}</a>`;
};

const ALLOWED = {
  ALLOWED_TAGS: [
    'a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p', 'pre', 's',
    'span', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul',
  ],
  ALLOWED_ATTR: ['href', 'title', 'class', 'start'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/t\/[A-Za-z0-9_-]+\/)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

DOMPurify.addHook('uponSanitizeElement', (node, { tagName }) => {
  // markdown-it makes no <img>; should one appear all the same, its address becomes a link.
  if (tagName === 'img') node.replaceWith(h('a', { href: node.getAttribute('src') ?? '' }, node.getAttribute('alt') || gettext('picture')));
});
DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A' || !node.hasAttribute('href')) return;
  node.setAttribute('rel', 'noopener noreferrer');
  node.setAttribute('target', '_blank');
});

const clean = (html) => DOMPurify.sanitize(html, ALLOWED);

/** Draw `text` into `root` (an element of class `md`). `finished` adds highlighting and copy buttons. */
export function drawMarkdown(root, text, finished) {
  const blocks = blocksOf(text);
  const drawn = root.blocks ?? [];
  let same = 0;
  while (!finished && same < drawn.length && drawn[same].source === blocks[same]?.source) same += 1;
  for (const old of drawn.slice(same)) old.nodes.forEach((node) => node.remove());
  const fresh = blocks.slice(same).map((block) => ({ source: block.source, nodes: draw(block, finished) }));
  for (const block of fresh) root.append(...block.nodes);
  root.blocks = [...drawn.slice(0, same), ...fresh];
}

/** Top-level blocks with the source lines each came from. */
function blocksOf(text) {
  const env = {};
  const tokens = md.parse(text, env);
  const lines = text.split('\n');
  const blocks = [];
  let start = 0;
  let depth = 0;
  tokens.forEach((token, at) => {
    depth += token.nesting;
    if (depth !== 0) return;
    const range = tokens[start].map ?? [0, 0];
    blocks.push({ source: lines.slice(...range).join('\n'), tokens: tokens.slice(start, at + 1), env });
    start = at + 1;
  });
  return blocks;
}

function draw({ tokens, env }, finished) {
  const fragment = clean(md.renderer.render(tokens, md.options, env));
  fragment.querySelectorAll('a[href]').forEach(nameHost);
  fragment.querySelectorAll('table').forEach((table) => {
    const frame = h('div', { class: 'table', tabindex: '0', role: 'group', 'aria-label': gettext('Table') });
    table.replaceWith(frame);
    frame.append(table);
  });
  fragment.querySelectorAll('pre').forEach((pre) => dressCode(pre, finished));
  return [...fragment.childNodes].filter((node) => node.nodeType !== Node.TEXT_NODE || node.data.trim());
}

/** After a link whose words do not say it: the host it leads to. */
function nameHost(link) {
  let host = '';
  try {
    host = new URL(link.href).host;
  } catch {
    return;
  }
  if (host === window.location.host) return;
  if (link.classList.contains('picture')) link.before(icon('image', 'picture-icon'), ' ');
  const words = link.textContent.trim().replace(/^https?:\/\//, '');
  if (host && !(words === host || words.startsWith(`${host}/`))) link.after(h('span', { class: 'link-host' }, ` (${host})`));
}

function dressCode(pre, finished) {
  const code = pre.querySelector('code');
  const name = /language-([\w+#.-]+)/.exec(code?.className ?? '')?.[1] ?? '';
  const head = h('div', { class: 'code-head' }, h('span', {}, name || gettext('Code')));
  const frame = h('div', { class: 'code' }, head);
  pre.replaceWith(frame);
  pre.setAttribute('tabindex', '0');
  frame.append(pre);
  if (!finished || !code) return;
  const source = code.textContent;
  const copy = h('button', { type: 'button', on: { click: () => copyFrom(copy, source, gettext('Copied')) } }, icon('copy'), h('span', {}, gettext('Copy')));
  head.append(copy);
  highlight(code, source, name);
}

/** Colours come after the words: the highlighter is fetched when the first code block is finished. */
async function highlight(code, source, name) {
  const { default: hljs } = await import('highlight.js');
  if (!hljs.getLanguage(name) || source.length > 60000) return;
  code.replaceChildren(clean(hljs.highlight(source, { language: name, ignoreIllegals: true }).value));
}

/** The words alone, for the screen reader's announcement. */
export const plainText = (text) => clean(md.render(text)).textContent.replace(/\s+/g, ' ').trim();
