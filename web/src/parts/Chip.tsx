// Chip.tsx - a seat's number in its colour, and its name.
import type { CSSProperties } from 'preact';
import { isNumberName, shown } from './shown.ts';

/** The colours of `count` seats, for the element around all that shows them. */
export function hues(count: number): CSSProperties {
  const made: Record<string, string> = {};
  for (let seat = 1; seat <= Math.max(count, 1); seat++)
    made[`--h${seat}`] = (20 + ((seat - 1) * 360) / Math.max(count, 1)).toFixed(1);
  return made as CSSProperties;
}

export const Chip = ({ seat, faded }: { seat: number; faded?: boolean | undefined }) => (
  <span class={`chip s${seat}${faded ? ' faded' : ''}`}>{seat}</span>
);

export const Name = ({ text }: { text: string }) => <bdi class="name">{shown(text)}</bdi>;

/** Chip and name; a name that only repeats the number is left out. */
export const Who = ({ seat, name, faded }: { seat: number; name: string; faded?: boolean }) => (
  <span class="who">
    <Chip seat={seat} faded={faded} />
    {!isNumberName(name) && <> <Name text={name} /></>}
  </span>
);
