/** How far a job has come, in a line. */

import { gettext, language } from './i18n.js';

/** A percentage as the viewer's language writes it. */
const percentWords = (percent) => new Intl.NumberFormat(language(), { style: 'percent' }).format(percent / 100);

/** All that a job's picture knows of what was said: its end when the picture was whole, and what came since. */
export const outputOf = ({ output, said }) => [...(output ? [output] : []), ...(said ?? [])].join('\n');

/** `{percent, words}` of a job that stands at `status`. */
export function jobWords(status, { percent, words }) {
  if (status === 'queued') return gettext('It waits for a free worker.');
  const done = percent === null ? [] : [percentWords(percent)];
  const said = status === 'cancelling' ? [gettext('It has been asked to end.')] : words ? [words] : [];
  return [...done, ...said].join(' · ');
}
