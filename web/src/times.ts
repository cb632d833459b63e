// times.ts - points in time and spans, in the page's language and the reader's own zone.
import { lang } from './settings.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function format(key: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${lang.value} ${key}`;
  const made = formats.get(name) ?? new Intl.DateTimeFormat(lang.value === 'ja' ? 'ja-JP' : 'en-GB', options);
  formats.set(name, made);
  return made;
}

const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };

/** "12:04" today, else with the day. */
export function shortTime(ms: number, at = Date.now()): string {
  const when = new Date(ms);
  const now = new Date(at);
  if (when.toDateString() === now.toDateString()) return format('time', clock).format(when);
  if (when.getFullYear() === now.getFullYear()) return format('day', { day: 'numeric', month: 'short', ...clock }).format(when);
  return format('year', { day: 'numeric', month: 'short', year: 'numeric' }).format(when);
}

/** For a title: everything, with the zone. */
export const fullTime = (ms: number): string =>
  format('full', { dateStyle: 'full', timeStyle: 'long' }).format(new Date(ms));

/** "12:04:31". */
export const secondTime = (ms: number): string => format('second', { ...clock, second: '2-digit' }).format(new Date(ms));

/** "0:42", "12:03", "1:02:00": what is left on a clock. */
export function clockText(ms: number): string {
  const all = Math.max(0, Math.ceil(ms / 1000));
  const [h, m, s] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** "5 min", "2 h": a span in one unit, rounded. */
export function spanText(ms: number): string {
  const [value, unit] = ms < 90_000 ? [ms / 1000, 'second'] : ms < 5_400_000 ? [ms / 60_000, 'minute'] : ms < 129_600_000 ? [ms / 3_600_000, 'hour'] : [ms / 86_400_000, 'day'];
  return new Intl.NumberFormat(lang.value === 'ja' ? 'ja-JP' : 'en', { style: 'unit', unit: unit as string, unitDisplay: 'short', maximumFractionDigits: 0 }).format(value as number);
}
