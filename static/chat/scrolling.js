/** Stays at the bottom while new text comes, but only for who is already there; others get a button to jump. */

const NEAR = 56;

export class Scrolling {
  constructor(box, content, jump) {
    this.box = box;
    this.jump = jump;
    this.sticks = true;
    this.isAtStart = false;
    box.addEventListener('scroll', () => this.look(), { passive: true });
    jump.querySelector('button').addEventListener('click', () => this.toBottom(true));
    new ResizeObserver(() => this.settle()).observe(content);
    new ResizeObserver(() => this.settle()).observe(box);
  }

  look() {
    const { scrollTop, scrollHeight, clientHeight } = this.box;
    this.sticks = scrollHeight - scrollTop - clientHeight < NEAR;
    this.jump.hidden = this.sticks || this.isAtStart || this.isAsked();
  }

  /** Whether a card that waits for this person is in view: nothing may lie over its buttons. */
  isAsked() {
    const { top, bottom } = this.box.getBoundingClientRect();
    const cards = [...this.box.querySelectorAll('.gate:not(.is-done, .is-quiet)')].map((card) => card.getBoundingClientRect());
    return cards.some((card) => card.bottom > top && card.top < bottom);
  }

  /** After anything changed in height. `isAtStart`: nothing was said yet, so one reads from the beginning. */
  settle(isAtStart = this.isAtStart) {
    if (isAtStart && !this.isAtStart) this.box.scrollTop = 0;
    if (this.isAtStart && !isAtStart) this.sticks = true;
    this.isAtStart = isAtStart;
    if (this.sticks && !isAtStart) this.box.scrollTop = this.box.scrollHeight;
    this.look();
  }

  /** Something came that is taller than the box: its beginning is what one reads first. */
  lookAt(element) {
    if (!this.sticks || element.offsetHeight < this.box.clientHeight) return;
    this.sticks = false;
    element.scrollIntoView({ block: 'start' });
    this.look();
  }

  toBottom(smooth = false) {
    this.sticks = true;
    this.box.scrollTo({ top: this.box.scrollHeight, behavior: smooth ? 'smooth' : 'instant' });
    this.jump.hidden = true;
  }
}
