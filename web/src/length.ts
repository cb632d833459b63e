// length.ts - how long an utterance is, and what is left of it, by the natural-language division's rules.
//
// For:    the composer, which warns before something is cut. The server stays the judge.
// Source: src/game/length.c, function by function; both are held to tests/web/length.tsv.

export type LengthRules = {
  unit: 'chars' | 'words';
  spaces: boolean;
  per_talk?: number; // absent: no limit
  base?: number;
  mention?: number;
  left?: number; // of the session's allowance; absent: there is none
  which?: 'longest' | 'seat' | 'lowest'; // of several mentions
};

const SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

// A walk over `text` that stops before the unit that exceeds `max`: units counted, UTF-16 offset.
function walk(rules: LengthRules, text: string, max: number): [number, number] {
  let units = 0;
  let inWord = false;
  let at = 0;
  for (const c of text) {
    const space = SPACE.test(c);
    const isUnit = rules.unit === 'words' ? !space && !inWord : rules.spaces || !space;
    inWord = !space;
    if (isUnit && units === max) return [units, at];
    if (isUnit) units++;
    at += c.length;
  }
  return [units, at];
}

export function lengthCount(rules: LengthRules, text: string): number {
  return walk(rules, text, Infinity)[0];
}

function words(text: string): string[] {
  const found: string[] = [];
  let word = '';
  for (const c of text + ' ') {
    if (!SPACE.test(c)) word += c;
    else if (word) {
      found.push(word);
      word = '';
    }
  }
  return found;
}

function trim(rules: LengthRules, text: string, most: number): string {
  const max = Math.max(most, 0);
  if (lengthCount(rules, text) <= max) return text;
  if (max === 0) return '';
  if (rules.unit === 'words') return words(text).slice(0, max).join(' ');
  let end = walk(rules, text, max)[1];
  // White space is free where it is not counted, but the cut is just behind the last letter.
  while (!rules.spaces && end > 0 && SPACE.test(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

// Where the mention that counts begins, and whose it is.
function findMention(rules: LengthRules, text: string, names: readonly string[], speaker: number) {
  let best: { at: number; name: string } | undefined;
  names.forEach((name, i) => {
    if (i + 1 === speaker || !name) return;
    const at = text.indexOf('@' + name);
    if (at < 0) return;
    const which = rules.which ?? 'longest';
    const better =
      !best ||
      (which !== 'lowest' && at < best.at) ||
      (which === 'longest' && at === best.at && name.length > best.name.length);
    if (better) best = { at, name };
  });
  return best;
}

// `lost`: units that are cut off.
export type Cut = { text: string; left: number | undefined; lost: number };

// `text` as it will be recorded, and the session's allowance after it. `names` are those of seats
// 1, 2, ...; the speaker's own is no mention.
export function lengthLimit(rules: LengthRules, text: string, names: readonly string[], speaker: number): Cut {
  const hasLeft = rules.left !== undefined;
  let left = rules.left ?? 0;
  let common = text;
  let tail = '';
  let commonMax = Infinity;
  let tailMax = Infinity;
  let mention: { at: number; name: string } | undefined;
  const charge = (cost: number) => {
    if (hasLeft && cost > 0) left -= cost;
  };

  if (hasLeft || rules.base !== undefined) {
    const base = rules.base ?? 0;
    mention = findMention(rules, text, names, speaker);
    if (mention) {
      common = text.slice(0, mention.at);
      tail = text.slice(mention.at + 1 + mention.name.length);
    }
    commonMax = Math.max(0, base + (hasLeft ? left : 0));
    charge(lengthCount(rules, common) - base);
    if (mention && rules.mention !== undefined) {
      tailMax = Math.max(0, rules.mention + (hasLeft ? left : 0));
      // Only what is kept of the tail is paid for; of the rest above, all of it.
      charge(Math.min(lengthCount(rules, tail), tailMax) - rules.mention);
    }
  }

  let dropTail = false;
  if (rules.per_talk !== undefined) {
    const commonCount = walk(rules, common, commonMax)[0];
    const tailCount = walk(rules, tail, tailMax)[0];
    if (commonCount > rules.per_talk) {
      commonMax = rules.per_talk;
      dropTail = true;
    } else if (tailCount > rules.per_talk - commonCount) {
      tailMax = rules.per_talk - commonCount;
    }
  }
  const head = trim(rules, common, commonMax);
  let lost = lengthCount(rules, common) - lengthCount(rules, head);
  let out = head;
  if (mention && !dropTail) {
    const rest = trim(rules, tail, tailMax);
    lost += lengthCount(rules, tail) - lengthCount(rules, rest);
    out += ` @${mention.name} ${rest}`;
  } else if (mention) {
    lost += lengthCount(rules, text.slice(mention.at));
  }
  return { text: out, left: hasLeft ? left : undefined, lost };
}

export type Remaining = { left: number; over: boolean };

// What is left to write at the end of `text` before something is cut; below zero, what is cut
// already. Undefined without a limit.
export function lengthLeft(rules: LengthRules, text: string, names: readonly string[], speaker: number): Remaining | undefined {
  const limited = rules.per_talk !== undefined || rules.base !== undefined || rules.left !== undefined;
  if (!limited) return undefined;
  const lostWith = (n: number) => lengthLimit(rules, text + (rules.unit === 'words' ? ' x' : 'x').repeat(n), names, speaker).lost;
  const lost = lostWith(0);
  if (lost > 0) return { left: -lost, over: true };
  // Tried out: two allowances and a mention make no sum.
  let low = 0;
  let high = 4096;
  if (lostWith(high) === 0) return undefined;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lostWith(middle) === 0) low = middle;
    else high = middle - 1;
  }
  return { left: low, over: false };
}
