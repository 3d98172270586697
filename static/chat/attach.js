/**
 * Pictures to be sent: chosen, dropped or pasted, uploaded at once, shown above the composer until they go out with a
 * message. Each talk has its own. What a file is, the server decides; its words stand beside the picture.
 */

import { Chip } from './attached.js';
import { toast } from './dialogs.js';
import { h } from './dom.js';
import { gettext, interpolate } from './i18n.js';
import { send } from './uploading.js';

const MOST = 8;
const LARGEST = 10 * 1024 * 1024;
const PASSING = new Set([0, 429, 502, 503, 504]);

export class Attachments {
  /** `page`: {api, read(words)}; `changed` is called whenever what could be sent is different. */
  constructor(form, page, changed) {
    Object.assign(this, { page, changed });
    this.button = form.querySelector('.attach');
    this.input = form.querySelector('input[type=file]');
    this.list = document.getElementById('attached');
    this.kept = new Map();
    this.talk = '';
    this.reason = '';
    this.button.addEventListener('click', () => (this.reason ? toast(this.reason) : this.input.click()));
    this.input.addEventListener('change', () => {
      this.add([...this.input.files]);
      this.input.value = '';
    });
    document.addEventListener('paste', (event) => this.pasted(event));
    listenToDrops(document.querySelector('.talk'), this);
  }

  get chips() {
    if (!this.kept.has(this.talk)) this.kept.set(this.talk, []);
    return this.kept.get(this.talk);
  }

  /** What goes out with the next message: [{id, name, width, height, media_type, url}]. */
  get ready() {
    return this.chips.filter((chip) => chip.upload).map((chip) => chip.upload);
  }

  get areUploading() {
    return this.chips.some((chip) => chip.state === 'uploading');
  }

  /** Why the message cannot go yet; '' when nothing is in its way. */
  get waits() {
    if (this.areUploading) return gettext('Pictures are being uploaded …');
    if (this.chips.some((chip) => chip.state === 'failed')) return gettext('Remove what could not be uploaded, then send the rest.');
    if (this.chips.length && this.reason) return this.reason;
    return '';
  }

  /** Show those of another talk. */
  open(talk) {
    this.talk = talk;
    this.draw();
  }

  /** The new talk got its id. */
  moved(id) {
    if (this.talk === '') {
      this.kept.set(id, this.chips);
      this.kept.delete('');
      this.talk = id;
    }
  }

  /** Whether the agent sees pictures. */
  allow({ name, seesImages }) {
    const reason = seesImages ? '' : interpolate(gettext('%(agent)s cannot see pictures.'), { agent: name });
    if (reason === this.reason && this.button.title) return;
    this.reason = reason;
    this.button.title = reason || gettext('Add pictures');
    this.button.setAttribute('aria-disabled', String(Boolean(reason)));
    this.changed();
  }

  add(files) {
    if (!files.length) return;
    if (this.reason) return toast(this.reason);
    const room = MOST - this.chips.length;
    if (files.length > room) toast(interpolate(gettext('A message has at most %(count)s pictures.'), { count: MOST }));
    for (const file of files.slice(0, Math.max(0, room))) this.begin(file);
    this.draw();
  }

  begin(file) {
    const chip = new Chip(file, { remove: (one) => this.remove(one), again: (one) => this.upload(one) });
    this.chips.push(chip);
    this.upload(chip);
  }

  async upload(chip) {
    if (chip.file.size > LARGEST) return this.failed(chip, gettext('This picture is larger than 10 MB. Send a smaller one.'), false);
    chip.uploading();
    this.changed();
    const under = send(`${this.page.api.root}/uploads`, chip.file, (share) => chip.progress(share));
    chip.stop = under.stop;
    try {
      chip.uploaded(await under.answer);
      this.changed();
    } catch (error) {
      if (chip.state === 'removed') return;
      const words = error.detail || gettext('It could not be uploaded. Check the connection.');
      this.failed(chip, words, PASSING.has(error.status));
    }
  }

  failed(chip, words, again) {
    chip.failed(words, again);
    this.page.read(`${chip.name}: ${words}`);
    this.changed();
  }

  remove(chip) {
    const chips = this.chips;
    const at = chips.indexOf(chip);
    if (at < 0) return;
    chips.splice(at, 1);
    if (chip.upload) this.page.api.ask('DELETE', `/uploads/${chip.upload.id}`).catch(() => {});
    chip.close();
    this.draw();
    (chips[Math.min(at, chips.length - 1)]?.removeButton ?? this.button).focus();
  }

  /** Take what is ready: it goes out now. */
  take() {
    const taken = this.ready;
    for (const chip of this.chips.splice(0)) chip.close();
    this.draw();
    return taken;
  }

  /** A message was taken back: its pictures, too. They are uploaded and stand here again. */
  restore(uploads = []) {
    for (const upload of uploads) {
      const chip = new Chip({ name: upload.name, size: 0 }, { remove: (one) => this.remove(one), again: () => {} });
      chip.uploaded(upload);
      this.chips.push(chip);
    }
    this.draw();
  }

  draw() {
    this.list.hidden = !this.chips.length;
    this.list.replaceChildren(...this.chips.map((chip) => chip.element));
    this.changed();
  }

  /** A picture in the clipboard; where there is text as well (a word processor's), the text is meant. */
  pasted(event) {
    const { files, types } = event.clipboardData ?? {};
    const elsewhere = event.target.closest?.('dialog, input, .gate, #sidebar');
    if (!files?.length || elsewhere || types.includes('text/plain')) return;
    event.preventDefault();
    this.add([...files]);
  }
}

/** Files dropped anywhere on the talk. Without this the browser would leave the page and show the file. */
function listenToDrops(talk, attachments) {
  const veil = h('div', { class: 'drop-here', hidden: true, 'aria-hidden': 'true' }, h('p', {}));
  talk.append(veil);
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  const over = (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = attachments.reason ? 'none' : 'copy';
    veil.firstElementChild.textContent = attachments.reason || gettext('Drop pictures here');
    veil.hidden = false;
  };
  talk.addEventListener('dragenter', over);
  talk.addEventListener('dragover', over);
  talk.addEventListener('dragleave', (event) => {
    if (!talk.contains(event.relatedTarget)) veil.hidden = true;
  });
  addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    veil.hidden = true;
    if (talk.contains(event.target)) attachments.add([...event.dataTransfer.files]);
  });
}
