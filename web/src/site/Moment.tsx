// Moment.tsx - a moment as a reader sees it: own zone, the contest's beside when clocks differ.
import { fullTime, shortTime, spanText } from '../times.ts';
import { siteNow } from './clock.ts';
import { dateText, knownZone, msOf, offsetAt, readersZone } from './dates.ts';
import { t } from './words.ts';

/** In full, for dates that somebody must keep. */
export function Moment({ at, zone }: { at: string | number | undefined; zone: string }) {
  const ms = typeof at === 'number' ? at : msOf(at);
  if (Number.isNaN(ms)) return null;
  const other = knownZone(zone) && offsetAt(zone, ms) !== offsetAt(readersZone(), ms);
  return (
    <span class="moment">
      <time dateTime={new Date(ms).toISOString()}>{dateText(ms)}</time>
      {other && <span class="note"> · {dateText(ms, zone)}</span>}
    </span>
  );
}

/** Short, for lists; `exact`: with the time of day, however long ago. */
export function When({ at, exact }: { at: string | undefined; exact?: boolean }) {
  const ms = msOf(at);
  return Number.isNaN(ms) ? null : <time dateTime={new Date(ms).toISOString()} title={fullTime(ms)}>{exact ? dateText(ms) : shortTime(ms, siteNow())}</time>;
}

/** "in 3 days", "2 h ago". */
export function Ahead({ ms }: { ms: number }) {
  const now = siteNow();
  return <>{ms > now ? t('inTime', { time: spanText(ms - now) }) : t('agoTime', { time: spanText(now - ms) })}</>;
}
