/**
 * What a form has to ask for, as a plan: made from a tool's schema and what was given. Pure; runs in node too.
 *
 * Nodes are `group` (an object with known names), `list`, `text`, `number`, `choice`, and `json` for whatever a form
 * cannot show as fields: that part is written as JSON text. What is allowed is for the server to say.
 */

const DEEPEST = 8;
const MOST_NODES = 2000;
const MOST_OPTIONS = 200;
const LONG_TEXT = 160;

/** The plan for a whole set of arguments. */
export const planOf = (schema, given, templates = {}) =>
  nodeOf(schema, { name: '', given, root: schema, required: true, templates, depth: 0, inList: false, met: [], left: { nodes: MOST_NODES } });

/** Whether fields can show this at all. */
export const hasFields = (plan) => plan.kind === 'group' && plan.children.length > 0;

function nodeOf(schema, at) {
  const refs = [];
  const plain = settled(schema, at.root, refs);
  at.left.nodes -= 1;
  const isTooMuch = at.depth > DEEPEST || at.left.nodes < 0 || refs.some((ref) => at.met.includes(ref));
  const node = {
    name: at.name,
    title: plain.title || at.name,
    about: plain.description ?? '',
    required: at.required,
    inList: at.inList,
    nullable: plain.nullable ?? false,
    otherwise: plain.default,
    example: exampleOf(plain, at),
    template: at.depth === 1 ? at.templates[at.name] : undefined,
  };
  return { ...node, ...(isTooMuch ? { kind: 'json' } : kindOf(plain, { ...at, met: [...at.met, ...refs] })) };
}

/** A right value to write one's own by: the parameter's, or that of the tool's first example. */
function exampleOf(plain, { name, root, depth }) {
  const whole = depth === 1 ? root.examples?.[0] : undefined;
  return plain.examples?.[0] ?? (isNode(whole) && Object.hasOwn(whole, name) ? whole[name] : plain.default);
}

function kindOf(plain, at) {
  const options = optionsOf(plain);
  if (options && options.length <= MOST_OPTIONS) return { kind: 'choice', options };
  if (plain.type === 'string') return { kind: 'text', long: isLong(plain, at) };
  if (plain.type === 'number' || plain.type === 'integer') return { kind: 'number' };
  if (plain.type === 'object' && plain.properties) return groupOf(plain, at);
  if (plain.type === 'array' && isNode(plain.items) && !plain.prefixItems) return listOf(plain, at);
  return { kind: 'json' };
}

function groupOf(plain, at) {
  const below = (name, given, required) => ({ ...at, name, given: isNode(given) && Object.hasOwn(given, name) ? given[name] : undefined, required, depth: at.depth + 1 });
  const children = Object.entries(plain.properties).map(([name, schema]) => nodeOf(schema, below(name, at.given, (plain.required ?? []).includes(name))));
  const more = unknownNames(plain, at.given);
  if (more.length && plain.additionalProperties !== false) {
    if (at.inList) return { kind: 'json' };
    children.push(...more.map((name) => nodeOf({}, below(name, at.given, false))));
  }
  return { kind: 'group', children };
}

function listOf(plain, at) {
  const items = Array.isArray(at.given) ? at.given : [];
  const below = (given) => nodeOf(plain.items, { ...at, name: '', given, required: true, depth: at.depth + 1, inList: true });
  const kinds = items.map(below);
  if (kinds.some((one) => holdsJson(one) && !holdsJson(below(undefined)))) return { kind: 'json' };
  const item = below(undefined);
  return { kind: 'list', item: { ...item, long: kinds.some((one) => one.long) || item.long } };
}

const holdsJson = (node) => node.kind === 'json' || (node.children ?? []).some(holdsJson);

/** Names that were given and that the schema does not know. */
function unknownNames(plain, given) {
  return isNode(given) ? Object.keys(given).filter((name) => !Object.hasOwn(plain.properties, name)) : [];
}

function isLong(plain, { given, name, templates, depth }) {
  const text = typeof given === 'string' ? given : '';
  return plain.maxLength >= LONG_TEXT || text.includes('\n') || text.length > 80 || (depth === 1 && Object.hasOwn(templates, name));
}

/** The values to choose from, if that is what a schema comes to: [{value, title?}]. */
function optionsOf(plain) {
  if (plain.type === 'boolean') return [{ value: true }, { value: false }];
  if (Array.isArray(plain.enum)) return plain.enum.filter((value) => value !== null || !plain.nullable).map((value) => ({ value }));
  if ('const' in plain) return [{ value: plain.const }];
  return plain.options ?? null;
}

/** A schema without references (those followed go into `refs`), with the one alternative left when null is set aside. */
function settled(schema, root, refs) {
  let plain = followed(schema, root, refs);
  const branches = plain.anyOf ?? plain.oneOf;
  if (Array.isArray(branches) && !plain.properties) {
    const { anyOf: _, oneOf: __, ...rest } = plain;
    const real = branches.map((one) => followed(one, root, refs)).filter((one) => one.type !== 'null');
    plain = { ...rest, ...alternativeOf(real), nullable: real.length < branches.length };
  }
  if (!Array.isArray(plain.type)) return plain;
  const types = plain.type.filter((type) => type !== 'null');
  return { ...plain, nullable: types.length < plain.type.length, type: types.length === 1 ? types[0] : undefined };
}

function alternativeOf(branches) {
  if (branches.length === 1) return branches[0].anyOf || branches[0].oneOf ? { type: undefined } : branches[0];
  const isChoice = branches.length && branches.every((one) => 'const' in one);
  return isChoice ? { options: branches.map((one) => ({ value: one.const, title: one.title })) } : { type: undefined };
}

function followed(schema, root, refs) {
  let plain = isNode(schema) ? schema : {};
  for (let hops = 0; typeof plain.$ref === 'string'; hops += 1) {
    if (hops > DEEPEST) return {};
    const { $ref, ...rest } = plain;
    refs.push($ref);
    plain = { ...pointedAt(root, $ref), ...rest };
  }
  return plain;
}

function pointedAt(root, ref) {
  const steps = ref.split('/').slice(1).map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = steps.reduce((here, step) => (isNode(here) && Object.hasOwn(here, step) ? here[step] : undefined), root);
  return isNode(found) ? found : {};
}

export const isNode = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
