/** Plain sentences for states and codes of the wire. */

import { gettext, interpolate, localised, ngettext } from './i18n.js';

/** status -> [words, tone, icon]; the tone colours, icon and words carry the meaning. */
/** `error`: the code a failed call ended with. */
export function statusWords(status, error = '') {
  // What stands there already is no failure to whoever reads.
  if (status === 'failed' && error === 'duplicate') return [gettext('Already there'), '', 'info'];
  if (status === 'failed' && error === 'cancelled') return [gettext('Cancelled'), '', 'x'];
  const table = {
    writing: [gettext('Preparing'), '', 'spin'],
    checking: [gettext('Checking'), '', 'spin'],
    proposed: [gettext('Preparing …'), '', 'spin'],
    cleared: [gettext('Starting'), '', 'spin'],
    approved: [gettext('Approved, starting'), '', 'spin'],
    claimed: [gettext('Running'), '', 'spin'],
    queued: [gettext('Waiting for its turn'), '', 'hourglass'],
    working: [gettext('Working in the background'), '', 'spin'],
    cancelling: [gettext('Being cancelled'), '', 'spin'],
    asking: [gettext('Waiting for your correction'), 'warn', 'edit'],
    held: [gettext('Waiting for approval'), 'warn', 'gate'],
    succeeded: [gettext('Done'), 'good', 'check'],
    failed: [gettext('Failed'), 'bad', 'alert'],
    unknown: [gettext('Outcome unknown'), 'warn', 'question'],
    rejected: [gettext('Had to be mended'), 'warn', 'alert'],
    refused: [gettext('Not allowed'), 'bad', 'ban'],
    denied: [gettext('Rejected'), 'bad', 'x'],
    expired: [gettext('Expired'), '', 'hourglass'],
    withdrawn: [gettext('Withdrawn'), '', 'x'],
    lapsed: [gettext('Lapsed'), '', 'hourglass'],
  };
  return table[status] ?? [status, '', 'info'];
}

export function riskWords(risk) {
  const table = {
    SAFE: [gettext('Safe'), 'good', 'shield-check', gettext('Runs without asking: it changes nothing, or nothing that matters.')],
    CONFIRM: [gettext('Asks first'), 'warn', 'gate', gettext('Runs only after you agree.')],
    CRITICAL: [gettext('Critical'), 'bad', 'shield-alert', gettext('Runs only after you agree and prove that it is you.')],
  };
  return table[risk] ?? [risk ?? '', '', 'info', ''];
}

/** What became of a call, for statuses whose word alone leaves a question. `wasAsked`: for corrected arguments. */
export function outcomeSentence(status, wasAsked = false) {
  if (wasAsked && status === 'withdrawn') return gettext('The arguments were not corrected, so nothing was done.');
  if (wasAsked && status === 'expired') return gettext('Nobody corrected the arguments in time, so nothing was done.');
  const table = {
    proposed: gettext('It is being looked up what exactly would be done. After that it is asked about.'),
    expired: gettext('Nobody decided in time, so nothing was done.'),
    withdrawn: gettext('The question was withdrawn because the conversation went on. Nothing was done.'),
    lapsed: gettext('The approval was not valid any more when the call was about to run. Nothing was done.'),
    denied: gettext('Nothing was done.'),
    unknown: gettext('The answer was lost on the way. It may or may not have been done: please check before you ask for it again.'),
    refused: gettext('This call was not allowed. Nothing was done.'),
    rejected: gettext('The arguments were not accepted, and the model was told what is wrong. Nothing was done.'),
  };
  return table[status] ?? '';
}

/** What was noted about a call's arguments before they were checked. */
export function flagWords({ name, detail, after }) {
  if (name === 'coerced') return coercionWords(detail);
  if (isMend({ name }) && detail > 1) return `${mendWords()[name]} ${interpolate(ngettext('(%(count)s place)', '(%(count)s places)', detail), { count: detail })}`;
  const table = {
    ...mendWords(),
    empty: gettext('No arguments were given.'),
    truncated: gettext('The answer was cut off before the arguments were complete.'),
    too_large: gettext('The arguments are larger than 64 KiB.'),
    after_untrusted: gettext('The agent has read outside text: %(value)s'),
    nobody_can_approve: gettext('Nobody here can approve this at the moment: an administrator has to name a reviewer, or the person who asked has to set up a password or two-factor sign-in.'),
    default: gettext('Left out, so the usual value was taken: %(value)s'),
    written_as_text: gettext('The model wrote this call into its text instead of making it.'),
    corrected_by_person: gettext('A person corrected the arguments by hand.'),
    edited: gettext('%(value)s changed the arguments before they were approved.'),
    granted: gettext('Allowed beforehand, so nobody was asked.'),
    unattended: gettext('Asked for by a reminder while nobody was there.'),
    preview_changed: gettext('What it would do changed after it had been approved, so it was asked again.'),
    more: gettext('%(value)s more such changes are not listed.'),
    strict_null: gettext('The model had to write something here and wrote null, which was taken as left out.'),
  };
  const said = name === 'default' ? (after ?? detail) : detail;
  const value = typeof said === 'string' ? said : JSON.stringify(said ?? null);
  return name in table ? interpolate(table[name], { value }) : detail || name;
}

/** Why a call was held or refused, in the viewer's language. */
export const reasonsOf = (checked) => (checked?.reasonsIn ?? checked?.reasons ?? []).map(localised);

/** Flags whose reason is told already need no line of their own. */
const TOLD_BY_REASONS = new Set(['written_as_text']);
export const untold = (flags, reasons) => (reasons?.length ? flags.filter(({ name }) => !TOLD_BY_REASONS.has(name)) : flags);

/** How broken text was made into JSON. */
function mendWords() {
  return {
    fence: gettext('It stood in a code block, which was taken off.'),
    prose: gettext('Words around it were set aside.'),
    quotes: gettext('Quotation marks were put right.'),
    unquoted: gettext('Quotation marks were missing.'),
    commas: gettext('Commas were put right.'),
    comments: gettext('Comments were taken out.'),
    literals: gettext('True, false and nothing were written in another language’s way.'),
    brackets: gettext('Closing brackets were missing at the end.'),
    escapes: gettext('Special characters in texts were put right.'),
    encoded: gettext('The whole was JSON written as a text, and was unpacked.'),
  };
}

/** How a value was made into what the tool takes. */
function coercionWords(detail) {
  const table = {
    text_to_number: gettext('A text was read as the number it holds.'),
    text_to_integer: gettext('A text was read as the whole number it holds.'),
    text_to_boolean: gettext('A text was read as yes or no.'),
    number_to_integer: gettext('A number without a fraction was read as a whole number.'),
    number_to_text: gettext('A number was written as text.'),
    wrapped_in_list: gettext('A single value was put into a list.'),
    parsed_json_text: gettext('JSON written as a text was unpacked.'),
  };
  return table[detail] ?? gettext('The value was brought into the form the tool takes.');
}

/** Whether the flag says that the arguments were changed, not only looked at. */
export const isMend = ({ name }) => name === 'coerced' || Object.hasOwn(mendWords(), name);

/** What a person should see of the flags without opening the card: [[words, icon, isWarning], …]. */
export function flagMarks(flags) {
  const has = (name) => flags.some((flag) => flag.name === name);
  return [
    flags.some((flag) => flag.contested) ? [gettext('Mended, but could be read otherwise'), 'question', true] : flags.some(isMend) && [gettext('Mended'), 'tool', false],
    has('written_as_text') && [gettext('Written as text'), 'info', true],
    has('corrected_by_person') && [gettext('Corrected by hand'), 'edit', false],
    has('edited') && [gettext('Changed before approval'), 'edit', false],
    has('granted') && [gettext('Allowed beforehand'), 'gate-open', false],
  ].filter(Boolean);
}

/** What is to be said under a message. */
export function warningWords({ code, name, message }) {
  if (code === 'written_call') return interpolate(gettext('The model wrote a call of “%(name)s” into its text. There is no such tool here, so nothing was done.'), { name });
  return message || code;
}

// Where the code alone leaves open what happened, the server's sentence says it, in the language of who asked.
const TOLD_BY_SERVER = new Set(['bad_request', 'empty_reply', 'auth', 'network', 'budget']);

/** Why a run ended in an error, and what a person can do. */
export function runErrorSentence(code, message = '') {
  const table = {
    'The person who asked, or the agent, may not do this any more.': gettext('The person who asked, or the agent, may not do this any more.'),
  };
  return (TOLD_BY_SERVER.has(code) && (table[message] ?? message)) || codeSentence(code);
}

function codeSentence(code) {
  const table = {
    rate_limited: gettext('The model is being asked too often just now. Wait a moment, then try again.'),
    quota_exhausted: gettext('The quota for this model is used up. An administrator can raise it or choose another model.'),
    overloaded: gettext('The model is overloaded at the moment. Try again shortly.'),
    timeout: gettext('The model took too long to answer.'),
    network: gettext('The model could not be reached.'),
    blocked: gettext('The model’s safety filter blocked this answer. Asking in other words may help.'),
    empty_reply: gettext('The model answered with nothing.'),
    max_rounds: gettext('The agent took as many steps as it is allowed without finishing. Tell it how to go on, or ask for less at once.'),
    repeated_call: gettext('The agent kept asking for the same thing, so it was stopped.'),
    budget: gettext('The spending limit is reached. An administrator can raise it.'),
    auth: gettext('The model refused the stored credential. An administrator has to renew it.'),
    bad_request: gettext('The model could not work with this request.'),
    interrupted: gettext('The answer was interrupted.'),
    internal: gettext('Something went wrong on our side. It has been recorded.'),
  };
  return table[code] ?? gettext('The answer could not be finished.');
}

/** Which model wrote a reply, and why it was not the agent's first. */
export function writerWords({ model, demo, fallback }) {
  if (!fallback) return model;
  const name = (!demo && model) || fallback.model;
  return interpolate(gettext('%(model)s (fallback) · %(was)s: %(why)s'), { model: name, was: fallback.was, why: insteadWords(fallback.code) });
}

/** Why another model answers: said of the one that does not. */
function insteadWords(code) {
  const table = {
    quota_exhausted: gettext('quota used up'),
    rate_limited: gettext('asked too often'),
    overloaded: gettext('overloaded'),
    timeout: gettext('took too long'),
    network: gettext('not reached'),
    images: gettext('sees no pictures'),
    context_too_long: gettext('conversation too long for it'),
  };
  return table[code] ?? gettext('could not answer');
}

/** While a person waits: {kind, code, …} of the store's `hold`, `left` in seconds. */
export function holdWords(hold, left) {
  if (hold.kind === 'switched') {
    return interpolate(gettext('%(model)s answers instead of %(was)s: %(why)s.'), { ...hold, why: insteadWords(hold.code) });
  }
  if (hold.kind === 'waiting') {
    const words = left > 0 ? gettext('The limit of requests a minute is reached. Going on in %(left)s s') : gettext('The limit of requests a minute is reached. Going on now');
    return interpolate(words, { left });
  }
  const table = {
    rate_limited: gettext('The model is being asked too often.'),
    overloaded: gettext('The model is busy.'),
    timeout: gettext('The model took too long.'),
    network: gettext('The model could not be reached.'),
    malformed: gettext('The model’s answer could not be read.'),
  };
  const next = left > 0 ? gettext('Trying again in %(left)s s (%(attempt)s of %(of)s)') : gettext('Trying again now (%(attempt)s of %(of)s)');
  return `${table[hold.code] ?? gettext('The model did not answer.')} ${interpolate(next, { ...hold, left })}`;
}

/** Why a frame was refused. */
export function refusalSentence(error) {
  const table = {
    offline: gettext('There is no connection to the server at the moment.'),
    timeout: gettext('The server did not answer in time.'),
    too_large: gettext('This is too long.'),
    unauthenticated: gettext('You are signed out.'),
    forbidden: gettext('You are not allowed to do this.'),
    not_found: gettext('This does not exist any more.'),
    conflict: gettext('This has been decided already.'),
    digest_mismatch: gettext('What was shown is out of date. Reload the page and look again.'),
    expired: gettext('The time to decide is over.'),
    invalid_arguments: gettext('The arguments are not right yet.'),
    reason_needed: gettext('Please say why: the person who asked and the agent are told.'),
    proof_needed: gettext('Please prove that it is you.'),
    proof_wrong: gettext('That is not right.'),
    locked_out: gettext('Too many wrong attempts. Try again in 15 minutes.'),
    rate_limited: gettext('That was too fast. Wait a moment, then try again.'),
    internal: gettext('Something went wrong on our side. It has been recorded.'),
  };
  return table[error.code] ?? error.detail ?? gettext('The server refused this.');
}
