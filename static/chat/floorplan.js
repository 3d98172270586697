/** The way to a shop, drawn: floors as tabs, stores and areas, the target lit, the route as running water. SVG by DOM calls only. */

import { h, svg } from './dom.js';
import { gettext, interpolate, named } from './i18n.js';

let drawnPlans = 0;

export function drawFloorPlan(directive) {
  const plans = directive.plans ?? [];
  if (!plans.length) return null;
  drawnPlans += 1;
  const id = `plan-${drawnPlans}`;
  const stage = h('div', { class: 'plan-scroll', id: `${id}-stage`, role: plans.length > 1 ? 'tabpanel' : null, tabindex: '0', 'aria-label': gettext('Floor plan, scrolls') });
  const show = (plan) => {
    stage.replaceChildren(drawFloor(plan, directive, labelsOf(plan, plans)));
    requestAnimationFrame(() => centre(stage, plan));
  };
  const tabs = plans.length > 1 ? floorTabs(plans, id, show) : null;
  const first = plans.find((plan) => String(plan.floor) === String(directive.floor)) ?? plans[0];
  tabs?.select(first);
  show(first);
  return h(
    'figure',
    { class: 'plan' },
    h('div', { class: 'plan-head' }, h('strong', {}, named(directive, 'title') || gettext('Floor plan')), tabs?.element),
    stage,
    h('figcaption', {}, inWords(plans, directive)),
  );
}

function floorTabs(plans, id, show) {
  const buttons = plans.map((plan) =>
    h('button', { type: 'button', role: 'tab', 'aria-controls': `${id}-stage`, on: { click: () => select(plan, true) } }, floorName(plan)),
  );
  function select(plan, focus = false) {
    buttons.forEach((one, at) => {
      const chosen = plans[at] === plan;
      one.setAttribute('aria-selected', String(chosen));
      one.tabIndex = chosen ? 0 : -1;
      if (chosen && focus) one.focus();
    });
    if (focus) show(plan);
  }
  const arrows = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = buttons.indexOf(document.activeElement);
    select(plans[(at + step + plans.length) % plans.length], true);
  };
  return { element: h('div', { class: 'plan-tabs', role: 'tablist', 'aria-label': gettext('Floors'), on: { keydown: arrows } }, buttons), select };
}

const floorName = (plan) => named(plan) || interpolate(gettext('Floor %(floor)s'), { floor: plan.floor });

/** A target is a store's or area's id, or an object that has one. */
const targetId = (plan) => (plan.target && typeof plan.target === 'object' ? plan.target.id : plan.target);

function drawFloor(plan, directive, labels) {
  const { width = 120, height = 64 } = plan;
  const label = `${named(directive, 'title')}. ${floorName(plan)}.`;
  return svg(
    'svg',
    { class: 'floor', viewBox: `-2 -2 ${width + 4} ${height + 4}`, role: 'img', 'aria-label': label },
    svg('rect', { class: 'hall', x: 1, y: 1, width: width - 2, height: height - 2, rx: 2.5 }),
    (plan.areas ?? []).map((one) => area(one, plan.stores ?? [])),
    (plan.stores ?? []).map((one) => store(one, one.id === targetId(plan))),
    lonelyTarget(plan),
    route(plan.path ?? []),
    ends(plan, labels),
  );
}

const box = (one, kind) => svg('rect', { class: kind, x: one.x, y: one.y, width: one.w, height: one.h, rx: 1.2 });

/** An area with no store in it says its own name. */
function area(one, stores) {
  const holds = (shop) => shop.x >= one.x && shop.x < one.x + one.w && shop.y >= one.y && shop.y < one.y + one.h;
  const label = stores.some(holds) ? null : svg('text', { class: 'store-name', x: one.x + one.w / 2, y: one.y + one.h / 2 }, ...lines(named(one), one));
  return svg('g', {}, svg('title', {}, named(one)), box(one, 'area'), label);
}


function store(one, isTarget) {
  const name = svg('text', { class: 'store-name', x: one.x + one.w / 2, y: one.y + one.h / 2 }, ...lines(named(one), one));
  return svg('g', { class: isTarget ? 'is-target' : '' }, svg('title', {}, named(one)), box(one, 'store'), name);
}

/** Names are broken to fit their box: about one em a CJK character, half of one for the others. */
function lines(name, { x, w, h: tall }) {
  const room = Math.max(3, (w - 1.5) / 1.25);
  const words = /[\u3400-\u9fff]/.test(name) ? [...name] : name.split(' ').map((word) => `${word} `);
  const wide = (text) => [...text].reduce((sum, one) => sum + (one > '\u2e80' ? 2 : 1), 0);
  const rows = [''];
  for (const word of words) {
    if (rows.at(-1) && wide(rows.at(-1) + word.trimEnd()) > room) rows.push('');
    rows[rows.length - 1] += word;
  }
  const shown = rows.slice(0, Math.max(1, Math.floor(tall / 2.9)));
  const first = -((shown.length - 1) * 2.9) / 2;
  return shown.map((row, at) => svg('tspan', { x: x + w / 2, dy: at ? 2.9 : first }, row.trim()));
}

/** A target that is no store of this floor (an area, a facility) is drawn by its rectangle or point. */
function lonelyTarget({ target_rect: rect, stores, ...plan }) {
  if (!rect || (stores ?? []).some((one) => one.id === targetId(plan))) return null;
  const { x, y, w, h: tall } = Array.isArray(rect) ? { x: rect[0], y: rect[1], w: rect[2], h: rect[3] } : rect;
  return svg('rect', { class: 'target', x, y, width: w, height: tall, rx: 1.2, opacity: 0.32 });
}

function route(path) {
  if (path.length < 2) return null;
  const d = path.map(([x, y], at) => `${at ? 'L' : 'M'}${x} ${y}`).join('');
  const [endX, endY] = path.at(-1);
  return [svg('path', { class: 'route-bed', d }), svg('path', { class: 'route', d }), svg('circle', { class: 'end', cx: endX, cy: endY, r: 1.3 })];
}

/** What the two ends of a floor's part of the route are called. */
function labelsOf(plan, plans) {
  const way = plans.filter((one) => one.path?.length > 1);
  const at = way.indexOf(plan);
  const words = (format, other) => other && interpolate(format, { floor: floorName(other) });
  return { start: words(gettext('From %(floor)s'), way[at - 1]) || gettext('Start'), end: at < 0 ? '' : words(gettext('To %(floor)s'), way[at + 1]) };
}

function ends({ path, entrance, width = 120 }, labels) {
  const from = path?.[0] ?? entrance;
  if (!from) return null;
  const marks = [svg('circle', { class: 'start', cx: from[0], cy: from[1], r: 1.3 })];
  if (!(path?.length > 1)) return marks;
  marks.push(endName(labels.start, from, path[1], width));
  if (labels.end) marks.push(endName(labels.end, path.at(-1), path.at(-2), width));
  return marks;
}

/** Beside an end of the route, on the side the line does not leave to. */
function endName(words, [x, y], [, nextY], width) {
  const below = nextY < y || y < 8;
  return svg('text', { class: 'start-name', x: Math.min(width - 9, Math.max(9, x)), y: y + (below ? 4.4 : -2.6) }, words);
}

function centre(stage, plan) {
  const drawn = stage.firstElementChild;
  const goal = plan.path?.at(-1) ?? plan.entrance;
  if (!drawn || !goal) return;
  const middle = (goal[0] / (plan.width ?? 120)) * drawn.clientWidth;
  stage.scrollLeft = middle - stage.clientWidth / 2;
}

/** The picture told in words, for who does not see it. */
function inWords(plans, directive) {
  const onWay = plans.filter((plan) => plan.path?.length > 1);
  const goal = plans.find((plan) => targetId(plan));
  const target = goal && [...(goal.stores ?? []), ...(goal.areas ?? [])].find((one) => one.id === targetId(goal));
  const name = target ? named(target) : named(directive, 'title');
  if (!onWay.length) return interpolate(gettext('%(name)s is on this plan.'), { name });
  const floors = onWay.map(floorName).join(' → ');
  return interpolate(gettext('Follow the dashed line from the start to %(name)s. Floors on the way: %(floors)s.'), { name, floors });
}
