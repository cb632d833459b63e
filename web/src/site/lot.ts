// lot.ts - a team's lot of a stage: 32 bytes by this browser, of which the server gets a digest until
// versions are frozen (docs/spec/contest-operations.md 11.1). No DOM but storage.
import { keep, kept } from '../kept.ts';
import { bytesOfHex, hex } from './merkle.ts';

export const LOT_BYTES = 32;

/** SHA-256("warg-lot-v1" 00 team 00 lot), in hex. */
export async function lotEntry(team: string, lot: Uint8Array): Promise<string> {
  const head = new TextEncoder().encode(`warg-lot-v1\0${team}\0`);
  const all = new Uint8Array(head.length + lot.length);
  all.set(head);
  all.set(lot, head.length);
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', all)));
}

export const drawLot = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(LOT_BYTES));

const place = (contest: string, team: string, stage: string): string => `lot.${contest}.${team}.${stage}`;

export const keepLot = (contest: string, team: string, stage: string, lot: Uint8Array): void => keep(place(contest, team, stage), hex(lot));

/** The lot that this browser has kept, if it is the one of `entry`. */
export async function keptLot(contest: string, team: string, stage: string, entry: string): Promise<string> {
  const text = kept(place(contest, team, stage)) ?? '';
  return (await isLot(team, text, entry)) ? text : '';
}

export async function isLot(team: string, text: string, entry: string): Promise<boolean> {
  const bytes = bytesOfHex(text);
  return bytes !== null && bytes.length === LOT_BYTES && (await lotEntry(team, bytes)) === entry;
}

/** The file that a team keeps: readable, and one line that is the secret. */
export const lotFile = (contest: string, team: string, stage: string, lot: Uint8Array, entry: string): string =>
  `# warg: the lot of a team. Keep it secret until the versions of its stage are frozen; then open it.\n# contest ${contest}\n# team ${team}\n# stage ${stage}\n# entry ${entry}\n${hex(lot)}\n`;

/** The lot in such a file, or in a line that somebody pastes. */
export const lotInText = (text: string): string => text.split('\n').map((line) => line.trim()).find((line) => /^[0-9a-fA-F]{64}$/.test(line))?.toLowerCase() ?? '';
