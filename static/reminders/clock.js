/** What clocks show in a time zone, and days from there. Pure. */

/** `{date: "2026-11-24", time: "09:00", weekday: 0}` (0 = Monday) at a moment in a zone; null when there is no such zone. */
export function shownIn(zone, moment) {
  let parts;
  try {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' });
    parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  } catch {
    return null;
  }
  const date = `${parts.year}-${parts.month}-${parts.day}`;
  return { date, time: `${parts.hour}:${parts.minute}`, weekday: weekdayOf(date) };
}

/** A calendar day `days` later. */
export const later = (date, days) => new Date(Date.parse(`${date}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** 0 = Monday to 6 = Sunday. */
export const weekdayOf = (date) => (new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7;

/** What a quick choice (`{minutes}`, `{days, time}` or `{weekday, time}`) means at a moment; null when that is over. */
export function quick({ minutes, days, weekday, time }, zone, now) {
  const here = shownIn(zone, now);
  if (!here) return null;
  // Whole minutes: a time that is nearly there would be over when it is sent.
  if (minutes !== undefined) return shownIn(zone, new Date(Math.ceil((now.getTime() + minutes * 60_000) / 60_000) * 60_000));
  const ahead = days ?? ((weekday - here.weekday + 6) % 7) + 1;
  return ahead === 0 && time <= here.time ? null : { date: later(here.date, ahead), time };
}
