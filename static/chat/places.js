/** Where an error belongs: from the paths the server names (`$.items[0].size`) to the fields of a form. Pure. */

const LONGEST_STEP = 60;

/** A path as the server writes it: it cuts long names. */
export const pathOf = (steps) =>
  `$${steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${[...step].slice(0, LONGEST_STEP).join('')}`)).join('')}`;

/** Every place of a form as it is filled now: [{pointer, path, node}], from the outside in. */
export function placesOf(node, filled, pointer = '#', steps = []) {
  const here = { pointer, path: pathOf(steps), node };
  if (node.kind === 'group') return [here, ...node.children.flatMap((child, at) => placesOf(child, filled[`f${at}`], `${pointer}/f${at}`, [...steps, child.name]))];
  if (node.kind === 'list') return [here, ...filled.flatMap((one, at) => placesOf(node.item, one, `${pointer}/${at}`, [...steps, at]))];
  return [here];
}

/**
 * Errors sorted: beside the field they are about or the nearest thing around it (then `below` says what in there), and
 * `general` for the whole.
 */
export function sorted(errors, places) {
  const beside = new Map();
  const general = [];
  for (const error of errors) {
    const path = error.path || '$';
    const place = placeOf(path, places);
    const told = { ...error, below: path.slice(place?.path.length ?? 1).replace(/^\./, '') };
    if (!place || place.pointer === '#') general.push(told);
    else beside.set(place.pointer, [...(beside.get(place.pointer) ?? []), told]);
  }
  return { beside, general };
}

function placeOf(path, places) {
  const holds = (place) => path === place.path || (path.startsWith(place.path) && '.['.includes(path[place.path.length]));
  return places.filter(holds).reduce((best, place) => (best && best.path.length >= place.path.length ? best : place), undefined);
}
