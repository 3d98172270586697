/**
 * The strip over a debate: the question, which round it is and who has the word, and what a person can do while it moves.
 */

import { roundOf, stageOf } from './debate.js';
import { avatar } from './debate-speakers.js';
import { roundWords, stageWords, steerWords } from './debate-words.js';
import { button, h, icon } from './dom.js';
import { gettext, interpolate, ngettext } from './i18n.js';

const ENDED = new Set(['done', 'stopped']);
const RESTS = new Set(['paused', 'stopped', 'waits']);
const WORKS = new Set(['thinks', 'speaks', 'acts', 'summarising']);

export class DebateHead {
  /** `page`: {steer(what), mayStop(), stop(), textUrl()}. */
  constructor(root, page) {
    Object.assign(this, { root, page, key: '' });
    this.words = h('span', { class: 'debate-words', dir: 'auto' });
    this.pictures = h('span', { class: 'debate-pictures' });
    const label = h('span', { class: 'debate-label' }, gettext('Question'));
    this.question = h('button', { type: 'button', class: 'debate-question', 'aria-expanded': 'false', on: { click: () => this.unfold() } }, label, this.words, this.pictures, icon('chevron', 'turn'));
    this.faces = h('div', { class: 'debate-faces' });
    this.round = h('strong', {});
    this.steps = h('span', { class: 'debate-steps', 'aria-hidden': 'true' });
    this.stage = h('span', { class: 'debate-stage' });
    this.controls = h('div', { class: 'debate-controls', role: 'group', 'aria-label': gettext('The debate') });
    const where = h('div', { class: 'debate-where' }, h('div', { class: 'debate-round' }, this.round, this.steps), this.stage);
    root.replaceChildren(h('div', { class: 'debate-inner' }, this.question, h('div', { class: 'debate-row' }, this.faces, where, this.controls)));
  }

  unfold(isOpen = !this.root.classList.contains('is-unfolded')) {
    this.root.classList.toggle('is-unfolded', isOpen);
    this.question.setAttribute('aria-expanded', String(isOpen));
  }

  /** `shown`: keys of the branch, as `treeOf` gives them. */
  draw(state, debate, shown) {
    this.root.hidden = !debate;
    if (!debate) return;
    const stage = stageOf(state, debate, shown);
    const round = roundOf(state, debate, shown);
    const isMoving = state.moving !== null;
    const question = state.entries[`m:${debate.question}`];
    const key = JSON.stringify([debate, stage, round, isMoving, question?.text]);
    if (key === this.key) return;
    this.key = key;
    this.drawQuestion(question);
    this.drawWhere(debate, stage, round);
    this.drawControls(debate, isMoving, stage.what);
  }

  drawQuestion(question) {
    const count = question?.attachments?.length ?? 0;
    this.words.textContent = question?.text || (count ? gettext('What is to be seen in the picture?') : '');
    this.pictures.replaceChildren(...(count ? [icon('image'), h('span', {}, interpolate(ngettext('%(count)s picture', '%(count)s pictures', count), { count }))] : []));
  }

  drawWhere(debate, stage, round) {
    const speaking = WORKS.has(stage.what) && stage.what !== 'summarising' ? stage.persona?.slug : '';
    this.faces.replaceChildren(...debate.personas.map((one) => avatar(one, one.slug === speaking ? 'is-speaking' : '')));
    this.round.textContent = roundWords(debate, round);
    const isEnded = ENDED.has(stage.what) || stage.what === 'summarising';
    this.steps.className = `debate-steps ${debate.mode === 'ai' ? 'is-open' : ''}`;
    this.steps.replaceChildren(...stepsOf(debate, round, isEnded));
    const asked = debate.status === 'active' ? steerWords(debate.steer) : '';
    this.stage.className = `debate-stage is-${stage.what}`;
    this.stage.replaceChildren(WORKS.has(stage.what) ? h('i', { class: 'spin', 'aria-hidden': 'true' }) : icon(PICTURES[stage.what] ?? 'info'), h('span', {}, stageWords(stage)), asked && h('span', { class: 'chip is-warn' }, icon('clock'), asked));
  }

  drawControls(debate, isMoving, what) {
    const hadFocus = this.controls.contains(document.activeElement) && document.activeElement.dataset.act;
    this.controls.replaceChildren(...this.offered(debate, isMoving, what));
    if (hadFocus) (this.controls.querySelector(`[data-act=${hadFocus}]:not(:disabled)`) ?? this.controls.querySelector('button'))?.focus();
  }

  save = () => h('a', { class: 'button is-small', href: this.page.textUrl(), download: true, title: gettext('Save as text') }, icon('download'), h('span', {}, gettext('Save as text')));

  offered({ status, steer }, isMoving, what) {
    const one = (act, words, picture, press, more = {}) => button(words, { class: 'is-small', icon: picture, press, 'data-act': act, title: words, ...more });
    if (isMoving && status === 'active') {
      return [
        steer === 'pause'
          ? one('pause', gettext('Do not pause'), 'play', () => this.page.steer('resume'))
          : one('pause', gettext('Pause'), 'pause', () => this.page.steer('pause'), { disabled: steer !== '' }),
        one('summarise', gettext('Summarise now'), 'sum', () => this.page.steer('summarise'), { disabled: steer === 'summarise' }),
        this.page.mayStop() && one('stop', gettext('Stop'), 'stop', () => this.page.stop()),
      ].filter(Boolean);
    }
    if (!isMoving && RESTS.has(what)) {
      return [
        one('resume', gettext('Resume'), 'play', () => this.page.steer('resume')),
        one('summarise', gettext('Summarise now'), 'sum', () => this.page.steer('summarise')),
      ];
    }
    return status === 'done' ? [this.save()] : [];
  }
}

const PICTURES = { paused: 'pause', failed: 'alert', asks: 'gate', done: 'check', stopped: 'stop', waits: 'clock' };

function stepsOf({ mode, rounds, most }, round, isEnded) {
  const count = Math.max(mode === 'ai' ? most : rounds, round);
  return [...Array(count).keys()].map((at) => h('i', { class: at + 1 < round || (at + 1 === round && isEnded) ? 'is-done' : at + 1 === round ? 'is-now' : null }));
}
