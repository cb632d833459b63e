// matrices.ts - ballots, claims and stances up to a moment, as tables of cells. Pure.
import type { GameDoc, GameEvent, Role, Saying } from './doc.ts';

/** One ballot: who voted for whom. */
export interface BallotColumn {
  kind: 'vote' | 'attack_vote';
  day: number;
  round: number;
  first: number;
  /** By voter: the event of the vote. */
  votes: Map<number, GameEvent>;
}

export function ballots(doc: GameDoc, until: number): BallotColumn[] {
  const columns: BallotColumn[] = [];
  for (let n = 0; n <= until && n < doc.events.length; n++) {
    const event = doc.events[n] as GameEvent;
    if ((event.kind !== 'vote' && event.kind !== 'attack_vote') || !event.seat) continue;
    const round = event.round ?? 0;
    let column = columns[columns.length - 1];
    if (!column || column.kind !== event.kind || column.day !== event.day || column.round !== round)
      columns.push((column = { kind: event.kind, day: event.day, round, first: n, votes: new Map() }));
    column.votes.set(event.seat, event);
  }
  return columns;
}

export interface Verdict {
  wolf: boolean;
  kind: 'DIVINED' | 'IDENTIFIED' | 'GUARDED';
  n: number;
}

export interface Claims {
  /** Who has claimed a role or told a result, in the order of the first time. */
  judges: { seat: number; role: Role | null; n: number }[];
  claimed: Map<number, { role: Role; n: number }>;
  /** By judge * 256 + target. */
  verdicts: Map<number, Verdict>;
  /** Targets of whom one says human, another one wolf; judges that said both. */
  disputed: Set<number>;
  contrary: Set<number>;
}

export const cellKey = (row: number, column: number): number => row * 256 + column;

function takeVerdict(claims: Claims, seat: number, says: Saying, n: number): void {
  const target = says.target ?? 0;
  if (target === 0 || (says.kind !== 'DIVINED' && says.kind !== 'IDENTIFIED' && says.kind !== 'GUARDED')) return;
  const key = cellKey(seat, target);
  const before = claims.verdicts.get(key);
  const wolf = says.species === 'WEREWOLF';
  if (before && before.kind !== 'GUARDED' && says.kind !== 'GUARDED' && before.wolf !== wolf) claims.contrary.add(key);
  if (before && says.kind === 'GUARDED') return;
  if (!before || before.wolf !== wolf || before.kind !== says.kind) claims.verdicts.set(key, { wolf, kind: says.kind, n });
}

export function claimsAt(doc: GameDoc, until: number): Claims {
  const claims: Claims = { judges: [], claimed: new Map(), verdicts: new Map(), disputed: new Set(), contrary: new Set() };
  for (let n = 0; n <= until && n < doc.events.length; n++) {
    const event = doc.events[n] as GameEvent;
    const seat = event.seat ?? 0;
    if (!event.says || seat === 0 || event.kind !== 'talk') continue;
    for (const says of event.says) {
      if (says.kind === 'COMINGOUT' && says.role && (says.target ?? seat) === seat) {
        if (claims.claimed.get(seat)?.role !== says.role) claims.claimed.set(seat, { role: says.role, n });
      } else takeVerdict(claims, seat, says, n);
    }
  }
  const judging = new Map<number, number>();
  for (const [key, verdict] of claims.verdicts) {
    const judge = key >> 8;
    judging.set(judge, Math.min(judging.get(judge) ?? verdict.n, verdict.n));
  }
  for (const [seat, claim] of claims.claimed)
    if (claim.role !== 'VILLAGER') judging.set(seat, Math.min(judging.get(seat) ?? claim.n, claim.n));
  claims.judges = [...judging].map(([seat, n]) => ({ seat, role: claims.claimed.get(seat)?.role ?? null, n })).sort((a, b) => a.n - b.n || a.seat - b.seat);
  const said = new Map<number, boolean>();
  for (const [key, verdict] of claims.verdicts) {
    if (verdict.kind === 'GUARDED') continue;
    const target = key & 255;
    if (said.has(target) && said.get(target) !== verdict.wolf) claims.disputed.add(target);
    said.set(target, verdict.wolf);
  }
  return claims;
}

export type StanceKind = 'voted' | 'wants' | 'suspects' | 'wolf' | 'human' | 'agrees' | 'disagrees' | 'guards';

export interface Stance {
  kind: StanceKind;
  n: number;
}

const stanceOf: Partial<Record<Saying['kind'], StanceKind>> = {
  ESTIMATE: 'suspects', VOTE: 'wants', VOTED: 'voted', AGREE: 'agrees', DISAGREE: 'disagrees', GUARDED: 'guards',
};

/** The last public thing that a seat said or did about another one, by who * 256 + about. */
export function stancesAt(doc: GameDoc, until: number): Map<number, Stance> {
  const made = new Map<number, Stance>();
  const set = (seat: number, target: number | undefined, kind: StanceKind, n: number): void => {
    if (seat > 0 && target && target !== seat) made.set(cellKey(seat, target), { kind, n });
  };
  for (let n = 0; n <= until && n < doc.events.length; n++) {
    const event = doc.events[n] as GameEvent;
    const seat = event.seat ?? 0;
    if (event.kind === 'vote') set(seat, event.target, 'voted', n);
    else if (event.kind === 'standing') set(seat, event.target, 'wants', n);
    if (event.kind !== 'talk') continue;
    for (const says of event.says ?? []) {
      if (says.kind === 'DIVINED' || says.kind === 'IDENTIFIED') set(seat, says.target, says.species === 'WEREWOLF' ? 'wolf' : 'human', n);
      else {
        const kind = stanceOf[says.kind];
        if (kind) set(seat, says.target, kind, n);
      }
    }
  }
  return made;
}
