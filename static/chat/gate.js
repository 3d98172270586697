/**
 * The closed gate: a call that runs only if a person says so. It shows exactly what was stored (hidden characters made
 * visible, long values in boxes of their own), counts down, and sends the digest of what it showed. Enter never
 * approves by accident, and buttons wake a moment after the card appears, so that a click meant for something else
 * does not land here. One gate is about one digest: when the question changes, another takes its place.
 */

import { changesOf } from './changes.js';
import { askedBy } from './debate-speakers.js';
import { button, h, icon } from './dom.js';
import { Editing, keptAs } from './editing.js';
import { GrantOffer } from './granting.js';
import { gettext, interpolate, localised, ngettext } from './i18n.js';
import { argumentsTable, mends, moment, noted, riskChip, shown, timeLeft } from './parts.js';
import { changeList, drawAgain, drawPreview } from './preview.js';
import { reasonsOf, refusalSentence, untold } from './words.js';

const WAKE_AFTER = 600;
// What the server says of these is more exact than our own sentence.
const ownWords = new Set(['proof_wrong', 'locked_out', 'conflict', 'forbidden', 'bad_request', 'reason_needed']);
const open = new Set();
setInterval(() => open.forEach((gate) => gate.tick()), 1000);

export class Gate {
  constructor(page, call) {
    this.page = page;
    this.call = call;
    this.confirmation = call.confirmation;
    this.deadline = Date.parse(this.confirmation.decideBy);
    this.busy = false;
    this.awake = false;
    setTimeout(() => this.wake(), WAKE_AFTER);
    this.build(call);
    open.add(this);
    this.tick();
    if (page.kept.form(keptAs(this.confirmation))) this.edit();
  }

  close() {
    open.delete(this);
    this.editing?.destroy();
  }

  isAbout = ({ confirmation }) => confirmation.digest === this.confirmation.digest;

  /** Decided, here or elsewhere, or about something else now: say so to whoever is typing here. */
  answered() {
    this.page.kept.keepForm(keptAs(this.confirmation), null);
    if (this.editing && !this.busy && !this.sent) this.page.tell(gettext('What you were changing has moved on elsewhere.'));
  }

  build(call) {
    const { risk, ceremony } = this.confirmation;
    const critical = risk === 'CRITICAL';
    this.title = h('strong', { id: `gate-${call.id}` });
    this.clock = h('time', { class: 'gate-clock', datetime: this.confirmation.decideBy, title: moment(this.confirmation.decideBy) });
    this.error = h('p', { class: 'field-error', role: 'alert', id: `gate-error-${call.id}` });
    this.proof = this.proofField(ceremony, call.id);
    this.approveButton = button(critical ? gettext('Approve and run') : gettext('Approve'), {
      class: critical ? 'is-critical' : 'is-primary', icon: 'check', press: () => this.approve(),
    });
    this.rejectButton = button(gettext('Reject'), { icon: 'x', press: () => this.askWhy() });
    this.editButton = hasArguments(this.confirmation) ? button(gettext('Change and approve'), { icon: 'edit', press: () => this.edit() }) : null;
    this.buttons = h('div', { class: 'gate-buttons' }, this.approveButton, this.rejectButton, this.editButton);
    this.why = this.rejectForm(call.id);
    this.said = h('p', { class: 'gate-said' });
    this.offer = this.confirmation.canGrant ? new GrantOffer(call, { approve: (grant) => this.approve({ grant }), others: () => this.otherNames() }) : null;
    this.asShown = h('div', { class: 'gate-shown' }, this.facts(call));
    this.forEditing = h('div', { hidden: true });
    this.editButtons = h('div', { hidden: true });
    this.element = h(
      'section',
      { class: `gate ${critical ? 'is-critical' : ''}`, 'aria-labelledby': `gate-${call.id}`, tabindex: '-1' },
      h('div', { class: 'gate-head' }, icon('gate'), this.title, this.clock),
      h('div', { class: 'gate-body' }, drawAgain(this.confirmation), this.asShown, this.forEditing, this.said, this.proof, this.error, this.editButtons, this.buttons, this.offer?.element, this.why),
    );
  }

  facts(call) {
    const { arguments: given, proposedArguments: proposed, flags, risk } = this.confirmation;
    const changed = proposed ? changesOf(proposed, given).map(({ path }) => path[0]) : [];
    const reasons = reasonsOf(call.checked);
    return [
      askedBy(call.said),
      h('p', { class: 'gate-what' }, shown(localised(call.checked?.summary) || localised(call.checked?.title) || call.name)),
      h('div', { class: 'gate-tool' }, riskChip(risk), h('span', {}, localised(call.checked?.title)), h('code', {}, call.name)),
      argumentsTable(given ?? call.checked?.arguments, changed),
      changed.length > 0 && h('section', { class: 'gate-noted' }, h('h3', {}, gettext('Changed from what the agent proposed')), changeList(proposed, given)),
      drawPreview(this.confirmation),
      noted(untold(flags ?? [], reasons)).map(([heading, some]) => h('section', { class: 'gate-noted' }, h('h3', {}, heading), mends(some))),
      reasons.length > 0 && h('ul', { class: 'why' }, reasons.map((reason) => h('li', {}, icon('info'), h('span', {}, shown(reason))))),
    ];
  }

  proofField(ceremony, id) {
    if (ceremony !== 'password' && ceremony !== 'code') return null;
    const password = ceremony === 'password';
    this.input = h('input', {
      class: 'input', id: `proof-${id}`, type: password ? 'password' : 'text', autocomplete: password ? 'current-password' : 'one-time-code',
      inputmode: password ? null : 'numeric', maxlength: password ? 4096 : 12, 'aria-describedby': `gate-error-${id}`,
      on: { keydown: (event) => this.guardEnter(event) },
    });
    const label = password ? gettext('Your password, to prove that it is you') : gettext('The code from your authenticator app');
    return h('div', { class: 'proof' }, h('label', { for: `proof-${id}` }, label), this.input);
  }

  /** Enter goes on to the button instead of pressing it. */
  guardEnter(event) {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    this.approveButton.focus();
  }

  rejectForm(id) {
    this.reason = h('input', { class: 'input', id: `why-${id}`, type: 'text', maxlength: 500, autocomplete: 'off' });
    const buttons = h(
      'div',
      { class: 'gate-buttons' },
      button(gettext('Reject'), { class: 'is-danger', press: () => this.reject() }),
      button(gettext('Back'), { press: () => this.askWhy(false) }),
    );
    return h('div', { class: 'reject-why', hidden: true }, h('label', { for: `why-${id}` }, gettext('Why not? The agent is told. (You may leave this empty.)')), this.reason, buttons);
  }

  askWhy(asking = true) {
    this.why.hidden = !asking;
    this.buttons.hidden = asking;
    if (this.offer) this.offer.element.hidden = asking;
    (asking ? this.reason : this.rejectButton).focus();
  }

  // Changing

  /** Show the form in the place of what was to be done, or go back. */
  async edit(isOn = true) {
    this.editing?.destroy();
    this.editing = isOn ? new Editing(this.page, this.call, { approve: (given) => this.approve({ arguments: given }), back: () => this.edit(false) }) : null;
    this.forEditing.replaceChildren(...(isOn ? [this.editing.element] : []));
    this.editButtons.replaceChildren(...(isOn ? [this.editing.buttons] : []));
    for (const part of [this.forEditing, this.editButtons]) part.hidden = !isOn;
    for (const part of [this.asShown, this.buttons, this.offer?.element]) if (part) part.hidden = isOn;
    this.complain('');
    this.tick();
    if (!isOn) return this.editButton.focus();
    try {
      await this.editing.start();
    } catch (error) {
      await this.edit(false);
      this.complain(refusalSentence(error));
    }
  }

  /** What else the tool takes than what this call gives. */
  async otherNames() {
    const { schema } = await this.page.confirmationForm(this.confirmation.id);
    return Object.keys(schema.properties ?? {}).filter((name) => !Object.hasOwn(this.confirmation.arguments ?? {}, name));
  }

  wake() {
    this.awake = true;
    if (open.has(this)) this.tick();
  }

  update(call) {
    this.confirmation = call.confirmation;
    const agreed = call.decision?.needsReviewer === true;
    const waitsFor = call.checked?.requester;
    const isTheirs = Boolean(waitsFor) && waitsFor.id !== this.page.me.id;
    const forPerson = this.confirmation.by !== 'reviewer' && !agreed;
    const mine = forPerson && !isTheirs;
    this.element.classList.toggle('is-quiet', !mine);
    const again = (this.confirmation.previewBefore ?? null) !== null;
    this.title.textContent = forPerson && isTheirs ? interpolate(gettext('Waits for %(name)s'), waitsFor) : !mine ? gettext('Waiting for a reviewer') : again ? gettext('Please decide again') : gettext('This waits for your decision');
    this.said.textContent = isTheirs ? othersSentence(waitsFor, forPerson) : reviewerSentence(this.confirmation, agreed);
    this.said.hidden = !this.said.textContent;
    if (!mine && this.editing) this.edit(false);
    if (this.proof) this.proof.hidden = !mine;
    if (!mine) for (const part of [this.buttons, this.offer?.element, this.why]) if (part) part.hidden = true;
    this.tick();
  }

  tick() {
    const left = Number.isNaN(this.deadline) ? Infinity : Math.max(0, Math.ceil((this.deadline - Date.now()) / 1000));
    this.clock.hidden = left === Infinity;
    this.clock.textContent = left ? timeLeft(left) : gettext('Time is up');
    const isOff = this.busy || left === 0;
    for (const control of [this.approveButton, this.rejectButton, this.editButton]) if (control) control.disabled = isOff;
    if (this.offer) this.offer.disabled = isOff || !this.awake;
    if (this.editing) this.editing.state = { isOff: isOff || !this.awake, busy: this.busy };
  }

  /** `more`: other arguments, or a standing yes besides. */
  async approve(more = {}) {
    if (this.busy || !this.awake) return;
    const fields = { decision: 'approve', ...more };
    if (this.input) {
      if (!this.input.value.trim()) return this.complain(refusalSentence({ code: 'proof_needed' }));
      fields.proof = this.input.type === 'password' ? { password: this.input.value } : { code: this.input.value.replace(/\s/g, '') };
    }
    await this.send(fields);
  }

  async reject() {
    if (this.busy || !this.awake) return;
    const reason = this.reason.value.trim();
    await this.send({ decision: 'reject', ...(reason ? { reason } : {}) });
  }

  async send(fields) {
    this.setBusy(true);
    this.complain('');
    try {
      await this.page.decide({ confirmation: this.confirmation.id, digest: this.confirmation.digest, ...fields });
      this.sent = true;
      if (this.input) this.input.value = '';
    } catch (error) {
      this.refused(error);
    } finally {
      this.setBusy(false);
    }
  }

  refused(error) {
    const errors = error.more?.errors;
    if (errors && this.editing) return this.complainOfArguments(errors);
    if (this.input) this.input.value = '';
    if (error.code === 'reason_needed') this.askWhy();
    const left = error.more?.triesLeft ?? error.more?.tries_left;
    const words = [ownWords.has(error.code) && error.detail ? error.detail : refusalSentence(error)];
    if (error.code === 'proof_wrong' && left !== undefined) {
      words.push(interpolate(ngettext('%(left)s attempt is left.', '%(left)s attempts are left.', left), { left }));
    }
    this.complain(words.join(' '));
  }

  complainOfArguments(errors) {
    this.setBusy(false);
    this.editing.complain(errors);
  }

  complain(words) {
    this.error.textContent = words;
    if (!this.input) return;
    if (words) {
      this.input.setAttribute('aria-invalid', 'true');
      this.input.focus();
    } else {
      this.input.removeAttribute('aria-invalid');
    }
  }

  setBusy(busy) {
    this.busy = busy;
    this.element.setAttribute('aria-busy', String(busy));
    this.tick();
  }
}

const hasArguments = (confirmation) => Object.keys(confirmation.arguments ?? {}).length > 0;

function othersSentence({ name }, forPerson) {
  return forPerson ? interpolate(gettext('%(name)s asked for this, so only %(name)s decides about it. You can go on talking meanwhile.'), { name }) : gettext('A reviewer decides about this; you can go on talking meanwhile.');
}

function reviewerSentence({ by, needsReviewer }, agreed) {
  if (agreed) return gettext('You agreed. A reviewer has to agree as well; you can go on talking meanwhile.');
  if (by === 'reviewer') return gettext('A reviewer decides about this; you can go on talking meanwhile.');
  return needsReviewer || by === 'user+reviewer' ? gettext('After you, a reviewer has to agree as well.') : '';
}
