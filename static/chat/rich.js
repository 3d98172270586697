/** What a tool's answer draws: directives are data with a known schema; what is not known is left out. */

import { drawChart } from './chart.js';
import { button, h, icon } from './dom.js';
import { drawFloorPlan } from './floorplan.js';
import { gettext, interpolate, money, named, ngettext } from './i18n.js';
import { drawSources } from './sources.js';

const KINDS = { products: drawProducts, floor_plan: drawFloorPlan, cart: drawCart, order: drawOrder, payment: drawPayment, chart: drawChart, sources: drawSources };

/** An element for a directive, or null. `page.say(text)` sends a message. */
export function drawDirective(directive, page) {
  const drawn = KINDS[directive?.kind]?.(directive, page);
  drawn?.classList.add('rich');
  return drawn ?? null;
}

function drawProducts({ products }, page) {
  return h('ul', { class: 'products' }, (products ?? []).map((one) => h('li', { class: `product ${toneOf(one)}` }, productParts(one, page))));
}

const toneOf = ({ image }) => (/^[a-z]+$/.test(image?.tone ?? '') ? `tone-${image.tone}` : '');

function productParts(product, page) {
  const name = named(product);
  const store = storeOf(product);
  const facts = [
    h('span', {}, named(product, 'brand')),
    product.rating && h('span', {}, icon('star'), h('span', { class: 'visually-hidden' }, gettext('Rating')), ` ${product.rating}`),
    store && h('span', {}, store),
  ];
  return [
    h('div', { class: 'product-tile', 'aria-hidden': 'true' }, product.image?.glyph ?? '🛍'),
    h('div', { class: 'product-words' }, h('h3', {}, name), h('div', { class: 'product-facts' }, facts), h('div', { class: 'product-price' }, money(product.price))),
    h('div', { class: 'product-act' }, chooser(product, name, page)),
  ];
}

/** The store, unless it is called what the brand is. */
function storeOf({ store, brand, brand_zh: brandZh }) {
  const name = typeof store === 'object' ? named(store) : store;
  return [brand, brandZh].includes(name) ? '' : name;
}

/** Sizes to choose from, or one button. Choosing says so in the conversation: the agent does the rest. */
function chooser(product, name, page) {
  if (product.in_stock === false) return h('span', { class: 'chip' }, icon('ban'), gettext('Sold out'));
  const sizes = (product.sizes ?? []).map(sizeOf);
  if (!sizes.length) {
    const press = () => page.say(interpolate(gettext('I’d like the %(name)s'), { name }));
    return button(gettext('Choose'), { class: 'is-small', press, 'aria-label': interpolate(gettext('Choose %(name)s'), { name }) });
  }
  const choose = ({ size, there }) =>
    h('button', {
      type: 'button', disabled: !there, 'aria-label': interpolate(there ? gettext('%(name)s, size %(size)s') : gettext('%(name)s, size %(size)s: sold out'), { name, size }),
      on: { click: () => page.say(interpolate(gettext('I’d like the %(name)s, size %(size)s'), { name, size })) },
    }, size);
  return [h('span', { class: 'sizes-label' }, gettext('Choose a size')), h('div', { class: 'sizes' }, sizes.map(choose))];
}

function sizeOf(given) {
  if (typeof given !== 'object' || given === null) return { size: String(given), there: true };
  const there = given.in_stock !== false && given.stock !== 0;
  return { size: String(given.size ?? named(given, 'label')), there };
}

const lineRow = (line) =>
  h('tr', {}, h('td', {}, named(line), line.label && h('small', {}, named(line, 'label'))), h('td', { class: 'times' }, `× ${line.quantity ?? 1}`), h('td', {}, money(line.total ?? line.price)));

function slip(head, lines, total, foot) {
  return h(
    'section',
    { class: 'slip' },
    h('div', { class: 'slip-head' }, head),
    h('table', {}, h('tbody', {}, (lines ?? []).map(lineRow)), h('tfoot', {}, h('tr', {}, h('th', { colspan: 2, scope: 'row' }, gettext('Total')), h('td', {}, money(total))))),
    foot && h('div', { class: 'slip-foot' }, foot),
  );
}

function drawCart({ lines, total }) {
  const count = (lines ?? []).reduce((sum, line) => sum + Number(line.quantity ?? 1), 0);
  const chip = h('span', { class: 'chip' }, interpolate(ngettext('%(count)s item', '%(count)s items', count), { count }));
  if (!count) return h('section', { class: 'slip' }, h('div', { class: 'slip-head' }, icon('cart'), gettext('Your cart is empty')));
  return slip([icon('cart'), gettext('Your cart'), chip], lines, total);
}

function drawOrder({ order_id: id, number, status, lines, total, address }) {
  const [words, tone] = orderStatus(status);
  const head = [icon('receipt'), h('span', {}, interpolate(gettext('Order %(id)s'), { id: number || id })), h('span', { class: `chip ${tone && `is-${tone}`}` }, words)];
  const where = typeof address === 'object' && address ? Object.values(address).filter((part) => typeof part === 'string').join(', ') : address;
  return slip(head, lines, total, where && [icon('pin'), h('span', {}, where)]);
}

function orderStatus(status) {
  const table = {
    created: [gettext('Placed'), 'good'], placed: [gettext('Placed'), 'good'], pending: [gettext('Waiting for payment'), 'warn'],
    pending_payment: [gettext('Waiting for payment'), 'warn'], unpaid: [gettext('Waiting for payment'), 'warn'], paid: [gettext('Paid'), 'good'],
    shipped: [gettext('Shipped'), 'water'], delivered: [gettext('Delivered'), 'good'], cancelled: [gettext('Cancelled'), 'bad'],
  };
  return table[status] ?? [status, ''];
}

function drawPayment({ order_id: id, amount }) {
  const head = [icon('receipt'), h('span', {}, interpolate(gettext('Payment for order %(id)s'), { id }))];
  return h('section', { class: 'slip' }, h('div', { class: 'slip-head' }, head, amount !== undefined && h('span', { class: 'chip is-warn' }, money(amount))));
}
