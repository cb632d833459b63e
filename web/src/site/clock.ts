// clock.ts - the site's clock, from which pages count days: a rehearsal simulates it, and a browser's may
// be wrong.
import { signal } from '@preact/signals';

/** By how much it is before this browser's, in ms. */
const ahead = signal(0);

const HEARD_MS = 2_000; // its answers have whole seconds, and are on their way

/** What an answer of the server says, as "2027-07-21T09:30:00Z"; null where it says nothing. */
export function hearClock(text: string | null): void {
  const heard = Date.parse(text ?? '') - Date.now();
  if (Math.abs(heard - ahead.value) > HEARD_MS) ahead.value = heard;
}

/** Now, as the site has it, in ms. */
export const siteNow = (): number => Date.now() + ahead.value;
