/** The browser's own notifications: only where the person switched them on by a click, and only while the page is not seen. */

const WANTED = 'sluice.reminders.notify';
const ICON = new URL('../favicon.svg', import.meta.url).href;

export const isThere = () => 'Notification' in globalThis && globalThis.isSecureContext;

export function isOn() {
  try {
    return isThere() && Notification.permission === 'granted' && localStorage.getItem(WANTED) === 'yes';
  } catch {
    return false;
  }
}

/** Ask the browser, in answer to a click; whether it is on now. */
export async function switchOn() {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  localStorage.setItem(WANTED, 'yes');
  return true;
}

export function switchOff() {
  localStorage.removeItem(WANTED);
}

/** One notification, however many tabs tell of it. */
export function tell({ occurrence, content }, url) {
  if (!isOn() || document.visibilityState === 'visible') return;
  try {
    const shown = new Notification(content, { tag: occurrence, icon: ICON });
    shown.addEventListener('click', () => {
      window.focus();
      location.assign(url);
    });
  } catch {
    // Some phones allow these to service workers only; the note on the page is there.
  }
}
