// linked.ts - finds the names of seats in a text: exact names, longest first, on word boundaries.
// Pure: the text comes back in pieces, no mark-up is made and no regular expression out of a name.

export type Piece = string | { seat: number; text: string };

// Two characters of one kind side by side are one word. Kanji and hiragana stand beside names
// without a blank, so they bound nothing.
function wordKind(char: string | undefined): number {
  if (char === undefined) return 0;
  if (/[\p{Script=Latin}\p{Nd}_]/u.test(char)) return 1;
  if (/[\p{Script=Katakana}ー]/u.test(char)) return 2;
  return 0;
}

const bounded = (text: string, at: number, length: number): boolean => {
  const before = wordKind(text[at - 1]);
  const after = wordKind(text[at + length]);
  return (before === 0 || before !== wordKind(text[at])) && (after === 0 || after !== wordKind(text[at + length - 1]));
};

/** `names` by seat number; [0] and holes are no names. */
export function linked(text: string, names: readonly (string | undefined)[]): Piece[] {
  const order = names
    .map((name, seat) => ({ name: name ?? '', seat }))
    .filter((each) => each.name !== '' && each.seat > 0 && text.includes(each.name))
    .sort((a, b) => b.name.length - a.name.length || a.seat - b.seat);
  if (order.length === 0) return [text];
  const pieces: Piece[] = [];
  let begin = 0;
  for (let at = 0; at < text.length; ) {
    const found = order.find((each) => text.startsWith(each.name, at) && bounded(text, at, each.name.length));
    if (!found) {
      at++;
      continue;
    }
    const start = at > begin && text[at - 1] === '@' ? at - 1 : at;
    if (start > begin) pieces.push(text.slice(begin, start));
    at += found.name.length;
    pieces.push({ seat: found.seat, text: text.slice(start, at) });
    begin = at;
  }
  if (begin < text.length) pieces.push(text.slice(begin));
  return pieces;
}
