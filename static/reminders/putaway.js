/** Which notes a person put away or saw in this browser, for one place. All its tabs share it. */

const MOST = 60;

export function keptFor(root, me) {
  return new PutAway(`sluice.${root}.${me}.reminders`);
}

class PutAway {
  constructor(name) {
    this.name = name;
    this.read();
  }

  /** From when on this browser wants to hear of what fired; nothing before it was here first. */
  get since() {
    return this.state.since;
  }

  begin(now) {
    if (!this.since) this.write({ since: now });
  }

  isAway = (occurrence) => this.state.away.includes(occurrence);
  isSeen = (occurrence) => this.state.seen.includes(occurrence);

  /** Nobody has to see it any more, in no tab. */
  putAway(occurrence) {
    this.write({ away: [...this.state.away, occurrence].slice(-MOST) });
  }

  /** It was before somebody's eyes: pages that are opened later need not show it. */
  see(occurrence) {
    this.write({ seen: [...this.state.seen, occurrence].slice(-MOST) });
  }

  /** Another tab put one away. */
  onChange(listener) {
    addEventListener('storage', ({ key }) => {
      if (key !== this.name) return;
      this.read();
      listener();
    });
  }

  read() {
    const nothing = { since: '', away: [], seen: [] };
    try {
      this.state = { ...nothing, ...JSON.parse(localStorage.getItem(this.name)) };
    } catch {
      this.state ??= nothing;
    }
  }

  /** Storage can be full or forbidden; the page works on without it. */
  write(values) {
    this.read();
    Object.assign(this.state, values);
    try {
      localStorage.setItem(this.name, JSON.stringify(this.state));
    } catch {
      // What is on screen is still there.
    }
  }
}
