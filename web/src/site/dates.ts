// dates.ts - the dates of a contest: in the reader's own zone with the contest's zone beside. Pure but
// for the reader's zone and language.
import { lang } from '../settings.ts';
import type { ContestRow, State } from './shapes.ts';

const made = new Map<string, Intl.DateTimeFormat>();

function format(zone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${lang.value} ${zone ?? ''} ${JSON.stringify(options)}`;
  const old = made.get(key);
  if (old) return old;
  const fresh = new Intl.DateTimeFormat(lang.value === 'ja' ? 'ja-JP' : 'en-GB', { ...options, ...(zone ? { timeZone: zone } : {}) });
  made.set(key, fresh);
  return fresh;
}

/** Whether this machine knows a zone of this name. */
export function knownZone(zone: string | undefined): zone is string {
  if (!zone) return false;
  try {
    format(zone, {});
    return true;
  } catch {
    return false;
  }
}

const long: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' };

/** "Wed, 21 Jul 2027, 17:00 CEST": in the reader's zone, or in `zone`. */
export const dateText = (ms: number, zone?: string): string => format(knownZone(zone) ? zone : undefined, long).format(ms);

/** By how much the clock of a zone is before UTC at a moment, in ms. */
export function offsetAt(zone: string, ms: number): number {
  const fields = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' }).formatToParts(ms);
  const field = (type: string): number => Number(fields.find((each) => each.type === type)?.value);
  return Date.UTC(field('year'), field('month') - 1, field('day'), field('hour'), field('minute'), field('second')) - Math.floor(ms / 1000) * 1000;
}

/** The moment at which clocks of `zone` show "2027-07-21T24:00" or "2027-07-21T09:30"; NaN for anything else. */
export function momentIn(zone: string, wall: string): number {
  const fields = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)/.exec(wall)?.slice(1).map(Number);
  if (!fields) return NaN;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = fields;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  // The offset before and behind a change of clocks may differ: the second look is at the right one.
  const first = asUtc - offsetAt(zone, asUtc);
  return asUtc - offsetAt(zone, first);
}

/** What clocks of `zone` show: "2027-07-21T09:30", as a field for dates has it. */
export const wallIn = (zone: string, ms: number): string => new Date(ms + offsetAt(zone, ms)).toISOString().slice(0, 16);

export const readersZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A text of the API as ms; NaN when there is none. */
export const msOf = (text: string | undefined | null): number => (text ? Date.parse(text) : NaN);

/** The contest's zone, which the API has beside its dates or among them. */
export const zoneOf = (contest: ContestRow): string => contest.zone ?? contest.dates?.['zone'] ?? 'UTC';

/** Which date begins which state. */
export const begins: readonly (readonly [State, string])[] = [
  ['OPEN', 'opens'], ['FROZEN', 'submission_closes'], ['PRELIMINARY', 'preliminary'], ['REVISION', 'preliminary_stops'], ['FINAL', 'revision_closes'],
  ['JUDGING', 'final_stops'], ['APPEALS', 'judging_closes'], ['PUBLISHED', 'appeals_close'], ['ARCHIVED', 'retention_ends'],
];

export interface Step {
  state: State;
  date: string; // the name of the date that begins it
  ms: number; // NaN: by hand, or when something is done
  done: boolean;
  now: boolean;
}

const order: readonly State[] = ['DRAFT', 'OPEN', 'FROZEN', 'PRELIMINARY', 'REVISION', 'FINAL', 'JUDGING', 'APPEALS', 'PUBLISHED', 'ARCHIVED'];

interface Course extends ContestRow {
  stages?: { name: string }[];
  tracks?: unknown[];
}

/** The states that a contest goes through, with their dates: without a preliminary or judges where it has none. */
export function courseOf(contest: Course): Step[] {
  const dates = contest.dates ?? {};
  const preliminary = contest.stages ? contest.stages.length > 1 || 'preliminary_stops' in dates : 'preliminary_stops' in dates;
  const judged = (contest.tracks?.length ?? 0) > 0 || 'judging_closes' in dates;
  const at = order.indexOf(contest.state);
  return order.slice(1, -1)
    .filter((state) => state === contest.state || ((preliminary || (state !== 'PRELIMINARY' && state !== 'REVISION')) && (judged || state !== 'JUDGING')))
    .map((state) => {
      let date = begins.find(([each]) => each === state)?.[1] ?? '';
      if (state === 'FINAL' && !preliminary) date = 'preliminary';
      if (state === 'APPEALS' && !judged) date = 'final_stops';
      return { state, date, ms: msOf(dates[date]), done: at > order.indexOf(state), now: contest.state === state };
    });
}

/** The next date that lies ahead, of those that move the contest. */
export function nextDate(contest: Course, now: number): Step | undefined {
  if (contest.state === 'CANCELLED') return undefined;
  return courseOf(contest).find((step) => !step.done && !step.now && step.ms > now);
}
