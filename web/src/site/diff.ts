// diff.ts - two texts side by side, line by line. Pure.

export interface DiffLine {
  kind: 'same' | 'out' | 'in';
  text: string;
}

/** The shortest way from `before` to `after`: by the longest common subsequence of what lies between equal ends. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const x = a.slice(head, a.length - tail);
  const y = b.slice(head, b.length - tail);
  const wide = y.length + 1;
  const best = new Uint32Array((x.length + 1) * wide);
  for (let i = x.length - 1; i >= 0; i--)
    for (let j = y.length - 1; j >= 0; j--)
      best[i * wide + j] = x[i] === y[j] ? (best[(i + 1) * wide + j + 1] as number) + 1 : Math.max(best[(i + 1) * wide + j] as number, best[i * wide + j + 1] as number);
  const made: DiffLine[] = a.slice(0, head).map((text) => ({ kind: 'same', text }));
  let i = 0;
  let j = 0;
  while (i < x.length || j < y.length) {
    if (i < x.length && j < y.length && x[i] === y[j]) {
      made.push({ kind: 'same', text: x[i] as string });
      i++;
      j++;
    } else if (i < x.length && (j >= y.length || (best[(i + 1) * wide + j] as number) >= (best[i * wide + j + 1] as number))) made.push({ kind: 'out', text: x[i++] as string });
    else made.push({ kind: 'in', text: y[j++] as string });
  }
  return [...made, ...a.slice(a.length - tail).map((text): DiffLine => ({ kind: 'same', text }))];
}

/** What changed with `around` lines before and behind; null where lines are left out. */
export function shortDiff(lines: readonly DiffLine[], around = 2): (DiffLine | null)[] {
  const near = lines.map((_, at) => lines.slice(Math.max(0, at - around), at + around + 1).some((line) => line.kind !== 'same'));
  const made: (DiffLine | null)[] = [];
  lines.forEach((line, at) => {
    if (near[at]) made.push(line);
    else if (made.length > 0 ? made[made.length - 1] !== null : near.includes(true)) made.push(null);
  });
  return made;
}
