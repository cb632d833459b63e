// model.ts - the table at each event of a game: who lives, who claims what, who votes for whom.
//
// Pure: a document in, plain values out; no DOM. A Course grows while a game runs. tableAt(n) starts
// at a copy that was kept at every 256th event, so a jump costs at most 255 steps.
import type { GameDoc, GameEvent, Phase, Role, Seat, Winner } from './doc.ts';

export interface SeatState {
  alive: boolean;
  cause: '' | 'attacked' | 'executed' | 'cursed' | 'left';
  diedDay: number;
  /** The event that says so, -1 while alive. */
  diedAt: number;
  role: Role | null;
  claim: Role | null;
  claimAt: number;
}

export interface Arrow {
  from: number;
  to: number;
  kind: 'vote' | 'attack_vote' | 'divine' | 'guard' | 'identify' | 'standing';
  n: number;
}

export interface Table {
  /** The event that was the last to happen; -1 before the first. */
  n: number;
  day: number;
  night: boolean;
  action: Phase['action'];
  /** By seat number; [0] is nobody. */
  seats: SeatState[];
  alive: number;
  /** What is being said. */
  talk: GameEvent | null;
  /** Who has just said nothing, or 0. */
  silent: number;
  arrows: Arrow[];
  /** Standing votes by seat, 0 = none. */
  standing: number[];
  /** Who is attacked in this night, or 0. */
  attacked: number;
  faulty: number;
  winner: Winner | null;
}

const keptEach = 256;

export const isArrowVote = (kind: Arrow['kind']): boolean => kind === 'vote' || kind === 'attack_vote' || kind === 'standing';

function copyOf(table: Table): Table {
  return {
    ...table,
    seats: table.seats.map((seat) => ({ ...seat })),
    arrows: table.arrows.slice(),
    standing: table.standing.slice(),
  };
}

function firstTable(doc: GameDoc, count: number): Table {
  const seats: SeatState[] = [];
  for (let seat = 0; seat <= count; seat++)
    seats.push({ alive: seat > 0, cause: '', diedDay: 0, diedAt: -1, role: null, claim: null, claimAt: -1 });
  for (const seat of doc.seats) {
    const state = seats[seat.seat];
    if (state) state.role = seat.role ?? null;
  }
  return {
    n: -1, day: doc.phases[0]?.day ?? doc.events[0]?.day ?? 0, night: false, action: 'dawn', seats, alive: doc.seats.length,
    talk: null, silent: 0, arrows: [], standing: seats.map(() => 0), attacked: 0, faulty: 0, winner: null,
  };
}

function addArrow(table: Table, arrow: Arrow): void {
  const same = table.arrows.findIndex((each) => each.kind === arrow.kind && each.from === arrow.from && isArrowVote(each.kind));
  if (same >= 0) table.arrows.splice(same, 1);
  table.arrows.push(arrow);
}

// A ballot's first vote takes the arrows of the ballot before away; so does what is not a vote.
function addVote(table: Table, event: GameEvent, before: GameEvent | undefined): void {
  const kind = event.kind as 'vote' | 'attack_vote';
  const sameBallot = before !== undefined && before.kind === kind && before.day === event.day && (before.round ?? 0) === (event.round ?? 0);
  if (!sameBallot) table.arrows = kind === 'vote' ? [] : table.arrows.filter((each) => each.kind !== 'attack_vote');
  if (event.seat && event.target) addArrow(table, { from: event.seat, to: event.target, kind, n: event.n });
}

function kill(table: Table, event: GameEvent, cause: SeatState['cause']): void {
  const state = table.seats[event.seat ?? event.target ?? 0];
  if (!state || !state.alive) return;
  state.alive = false;
  state.cause = cause;
  state.diedDay = event.day;
  state.diedAt = event.n;
  table.alive--;
}

function setRole(table: Table, event: GameEvent): void {
  const state = table.seats[event.seat ?? 0];
  if (state && event.role) state.role = event.role;
}

function heard(table: Table, event: GameEvent): void {
  if (event.quiet) {
    table.silent = event.seat ?? 0;
    if (!table.night) table.arrows = [];
    return;
  }
  table.talk = event;
  if (!table.night) table.arrows = [];
  for (const says of event.says ?? []) {
    const state = table.seats[event.seat ?? 0];
    if (says.kind !== 'COMINGOUT' || !state || !says.role || (says.target ?? event.seat) !== event.seat) continue;
    state.claim = says.role;
    state.claimAt = event.n;
  }
}

function apply(table: Table, event: GameEvent, before: GameEvent | undefined): void {
  table.n = event.n;
  table.silent = 0;
  table.faulty = 0;
  if (event.kind !== 'fault' && event.kind !== 'notice' && event.kind !== 'talk' && event.kind !== 'whisper') table.talk = null;
  switch (event.kind) {
    case 'day':
    case 'night':
      table.arrows = [];
      table.attacked = 0;
      table.standing.fill(0);
      break;
    case 'talk':
    case 'whisper':
      heard(table, event);
      break;
    case 'vote':
    case 'attack_vote':
      addVote(table, event, before);
      break;
    case 'standing':
      if (event.seat) table.standing[event.seat] = event.target ?? 0;
      table.arrows = table.standing.flatMap((to, from) => (to > 0 ? [{ from, to, kind: 'standing' as const, n: event.n }] : []));
      break;
    case 'divine':
    case 'guard':
    case 'identify':
      if (!table.arrows.every((each) => each.kind !== 'vote')) table.arrows = [];
      if (event.seat && event.target) addArrow(table, { from: event.seat, to: event.target, kind: event.kind, n: event.n });
      break;
    case 'attack':
      table.attacked = event.target ?? 0;
      break;
    case 'execute':
      kill(table, event, 'executed');
      break;
    case 'death':
      kill(table, event, event.cause ?? 'attacked');
      break;
    case 'role':
    case 'reveal':
      setRole(table, event);
      break;
    case 'fault':
      table.faulty = event.seat ?? 0;
      break;
    case 'end':
      table.arrows = [];
      table.winner = event.winner ?? 'NONE';
      break;
    default:
      break;
  }
}

export class Course {
  private readonly kept: Table[] = [];
  private readonly byAnchor = new Map<string, number>();
  readonly seatCount: number;
  readonly names: string[] = [];

  constructor(readonly doc: GameDoc) {
    this.seatCount = Math.max(doc.rules.players, ...doc.seats.map((seat) => seat.seat));
    for (const seat of doc.seats) this.names[seat.seat] = seat.name;
    doc.events.forEach((event, n) => this.byAnchor.set(event.a, n));
  }

  /** How many events there are. */
  get length(): number {
    return this.doc.events.length;
  }

  event(n: number): GameEvent | undefined {
    return this.doc.events[n];
  }

  /** What came from the feed. False when it doesn't follow on what is there: fetch the document anew. */
  append(events: readonly GameEvent[], phases: readonly Phase[], seats: readonly Seat[]): boolean {
    if (events.length > 0 && events[0]?.n !== this.length) return false;
    for (const event of events) {
      this.byAnchor.set(event.a, this.length);
      this.doc.events.push(event);
    }
    this.doc.phases.push(...phases);
    for (const seat of seats) {
      const at = this.doc.seats.findIndex((each) => each.seat === seat.seat);
      if (at >= 0) this.doc.seats[at] = seat;
      this.names[seat.seat] = seat.name;
    }
    return true;
  }

  /** Index of the phase in which event `n` lies, -1 before the first. */
  phaseIndex(n: number): number {
    const phases = this.doc.phases;
    let low = 0;
    let high = phases.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((phases[middle] as Phase).first <= n) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private step(table: Table, n: number): void {
    const event = this.doc.events[n];
    if (!event) return;
    const phase = this.doc.phases[this.phaseIndex(n)];
    const night = phase ? phase.night : event.kind === 'night' ? true : event.kind === 'day' ? false : table.night;
    if (night !== table.night && event.kind !== 'day' && event.kind !== 'night') table.arrows = [];
    table.night = night;
    table.day = event.day;
    table.action = phase?.action ?? 'dawn';
    apply(table, event, this.doc.events[n - 1]);
    table.n = n;
  }

  private keptAt(index: number): Table {
    if (this.kept.length === 0) this.kept.push(firstTable(this.doc, this.seatCount));
    while (this.kept.length <= index) {
      const table = copyOf(this.kept[this.kept.length - 1] as Table);
      const end = this.kept.length * keptEach;
      for (let n = end - keptEach; n < end; n++) this.step(table, n);
      this.kept.push(table);
    }
    return this.kept[index] as Table;
  }

  /** The table when event `n` has just happened. The caller's own; -1 = before the first event. */
  tableAt(n: number): Table {
    const last = Math.min(n, this.length - 1);
    const index = Math.floor((last + 1) / keptEach);
    const table = copyOf(this.keptAt(index));
    for (let each = index * keptEach; each <= last; each++) this.step(table, each);
    return table;
  }

  /** The event of exactly this anchor. */
  anchor(anchor: string): number | undefined {
    return this.byAnchor.get(anchor);
  }

  /** The event that an anchor means; an unknown one means the nearest earlier day. */
  at(anchor: string): number {
    const exact = this.byAnchor.get(anchor);
    if (exact !== undefined) return exact;
    const day = /^d(\d+)(n?)/.exec(anchor);
    if (!day) return 0;
    for (let number = Number(day[1]); number >= 0; number--) {
      const found = this.byAnchor.get(`d${number}`);
      if (found !== undefined) return found;
    }
    return 0;
  }

  /** The next event of the same seat's talk in a direction, or -1. */
  sameSeat(n: number, step: 1 | -1): number {
    const seat = this.doc.events[n]?.seat;
    if (!seat) return -1;
    for (let at = n + step; at >= 0 && at < this.length; at += step) {
      const event = this.doc.events[at] as GameEvent;
      if (event.seat === seat && (event.kind === 'talk' || event.kind === 'whisper') && !event.quiet) return at;
    }
    return -1;
  }

  /** Where the day before or after begins; the ends of the game without one. */
  otherDay(n: number, step: 1 | -1): number {
    const starts = this.dayStarts();
    if (step > 0) return starts.find((first) => first > n) ?? this.length - 1;
    return starts.filter((first) => first < n).pop() ?? 0;
  }

  dayStarts(): number[] {
    const starts: number[] = [];
    let day = -1;
    this.doc.events.forEach((event, n) => {
      if (event.day === day) return;
      day = event.day;
      starts.push(n);
    });
    return starts;
  }
}

/** Votes counted, most first; equal ones by seat. `top` marks all that have the most. */
export interface Count {
  target: number;
  voters: number[];
  top: boolean;
}

export function tally(votes: readonly { from: number; to: number }[]): Count[] {
  const byTarget = new Map<number, number[]>();
  for (const vote of votes) {
    const voters = byTarget.get(vote.to);
    if (voters) voters.push(vote.from);
    else byTarget.set(vote.to, [vote.from]);
  }
  const most = Math.max(0, ...[...byTarget.values()].map((voters) => voters.length));
  return [...byTarget]
    .map(([target, voters]) => ({ target, voters: voters.sort((a, b) => a - b), top: voters.length === most }))
    .sort((a, b) => b.voters.length - a.voters.length || a.target - b.target);
}
