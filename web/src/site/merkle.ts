// merkle.ts - the tree of a ledger, as RFC 9162 has it, and the checkpoint that names its root. No DOM.

const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

async function joined(first: number, ...parts: Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const all = new Uint8Array(1 + parts.reduce((sum, part) => sum + part.length, 0));
  all[0] = first;
  let at = 1;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return sha256(all);
}

export const leafOf = (line: string): Promise<Uint8Array<ArrayBuffer>> => joined(0, new TextEncoder().encode(line));

/** The root over `lines`: whole subtrees wait for a neighbour of their size. */
export async function rootOf(lines: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const waiting: { size: number; hash: Uint8Array<ArrayBuffer> }[] = [];
  const merge = async (): Promise<void> => {
    const right = waiting.pop();
    const left = waiting.pop();
    if (left && right) waiting.push({ size: left.size + right.size, hash: await joined(1, left.hash, right.hash) });
  };
  for (const line of lines) {
    waiting.push({ size: 1, hash: await leafOf(line) });
    while (waiting.length > 1 && waiting[waiting.length - 1]?.size === waiting[waiting.length - 2]?.size) await merge();
  }
  while (waiting.length > 1) await merge();
  return waiting[0]?.hash ?? sha256(new Uint8Array(0));
}

export const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export function bytesOfHex(text: string): Uint8Array<ArrayBuffer> | null {
  const clean = text.trim().toLowerCase();
  if (!/^(?:[0-9a-f]{2})*$/.test(clean)) return null;
  return new Uint8Array((clean.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
}

export interface Checkpoint {
  origin: string;
  size: number;
  root: string; // base64
}

/** The head of a signed note; null when it is none. */
export function checkpointOf(note: string): Checkpoint | null {
  const [origin = '', size = '', root = '', blank] = note.split('\n');
  if (origin === '' || !/^\d{1,15}$/.test(size) || !/^[A-Za-z0-9+/]{43}=$/.test(root) || blank !== '') return null;
  return { origin, size: Number(size), root };
}

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
