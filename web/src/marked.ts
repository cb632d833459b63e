// marked.ts - a text in pieces, those that were looked for marked. Pure.

/** The text with the places that were looked for marked: text nodes only. */
export function markedParts(text: string, words: readonly string[]): { text: string; hit: boolean }[] {
  const lower = text.toLowerCase();
  const marks: [number, number][] = [];
  // Where small letters are longer than capitals the places would shift: then nothing is marked.
  if (lower.length === text.length)
    for (const word of words) {
      const wanted = word.toLowerCase();
      for (let at = lower.indexOf(wanted); wanted && at >= 0; at = lower.indexOf(wanted, at + wanted.length)) marks.push([at, at + wanted.length]);
    }
  marks.sort((a, b) => a[0] - b[0]);
  const parts: { text: string; hit: boolean }[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    if (to <= at) continue;
    if (from > at) parts.push({ text: text.slice(at, from), hit: false });
    parts.push({ text: text.slice(Math.max(from, at), to), hit: true });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), hit: false });
  return parts;
}
