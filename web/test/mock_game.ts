// mock_game.ts - a game that runs by script: events with who may know them, views, asks to one seat.
import type { GameDoc, GameEvent, Phase, Role, Seat } from '../src/doc.ts';

export type Frame = Record<string, unknown>;
type Told = Omit<GameEvent, 'n'>;

/** Of the public view, a seat's, or all. */
export const seatOf = (view: string): number | undefined => (view.startsWith('seat:') ? Number(view.slice(5)) : undefined);

export class MockGame {
  readonly boot: string;
  events: Told[] = [];
  phases: (Omit<Phase, 'first'> & { at: number })[] = [];
  status: GameDoc['status'] = 'running';
  day = 0;
  night = false;
  action = 'talk';
  asks = new Map<number, Frame>();
  lastAsk = 0;
  answers: Frame[] = [];
  dead = new Set<number>();
  clock: { until: number; paused: boolean } | undefined;
  changed: (from: number) => void = () => {};
  told: (seat: number, frame: Frame) => void = () => {};
  /** Why a sentence of the protocol language is none. */
  wrong: (text: string) => string | undefined = () => undefined;

  constructor(
    readonly id: string,
    readonly division: GameDoc['division'],
    readonly lang: GameDoc['lang'],
    readonly seats: { name: string; role: Role; agent: string; mates?: number[] }[],
    readonly rules = 'aiwolf-2021',
    readonly talk = 'turns',
  ) {
    this.boot = Math.floor(Math.random() * 0xffffffff).toString(16).padStart(8, '0');
  }

  phase(action: Phase['action'], night = this.night): void {
    this.action = action;
    this.night = night;
    this.phases.push({ day: this.day, night, action, at: this.events.length });
  }

  add(...events: Told[]): void {
    const from = this.events.length;
    for (const event of events) {
      if (event.kind === 'execute' || event.kind === 'death') this.dead.add(event.seat as number);
      this.events.push(event);
    }
    this.changed(from);
  }

  private visible(event: Told, view: string): boolean {
    const seat = seatOf(view);
    return view === 'all' || this.status === 'finished' || !event.to || (seat !== undefined && event.to.includes(seat));
  }

  viewEvents(view: string): GameEvent[] {
    return this.events.filter((event) => this.visible(event, view)).map((event, n) => {
      const { to, ...rest } = event;
      return { n, ...rest, ...(view === 'all' && to ? { to } : {}) } as GameEvent;
    });
  }

  viewPhases(view: string): Phase[] {
    const made: Phase[] = [];
    for (const { at, ...phase } of this.phases) {
      const first = this.events.slice(0, at).filter((event) => this.visible(event, view)).length;
      if (this.events.slice(at).some((event) => this.visible(event, view))) made.push({ ...phase, first });
    }
    return made.filter((phase, i) => made[i + 1]?.first !== phase.first);
  }

  viewSeats(view: string): Seat[] {
    const me = seatOf(view);
    const open = view === 'all' || this.status === 'finished';
    return this.seats.map((each, i) => {
      const seat = i + 1;
      const knows = open || me === seat || (me !== undefined && (each.mates ?? []).includes(me));
      return { seat, name: each.name, ...(open ? { agent: each.agent } : {}), ...(knows ? { role: each.role } : {}) };
    });
  }

  doc(view: string): GameDoc {
    const seat = seatOf(view);
    const kind = view === 'all' ? 'all' : seat === undefined ? 'public' : 'seat';
    return {
      format: 'warg-game', version: 1, id: this.id, division: this.division, lang: this.lang, status: this.status,
      view: seat === undefined ? { kind } : { kind, seat }, source: { form: 'live', name: this.id },
      rules: { name: this.rules, players: this.seats.length, talk: this.talk, votes_public: true },
      began_ms: 1795372145658, seats: this.viewSeats(view), phases: this.viewPhases(view), events: this.viewEvents(view),
    };
  }

  feedId(view: string): string {
    return `${this.boot}.${this.viewEvents(view).length}`;
  }

  /** What a reader with `after` lacks; null: it must fetch the document anew. */
  frameAfter(view: string, after: string | undefined): Frame | null {
    const [boot, n] = (after ?? '').split('.');
    if (boot !== this.boot) return null;
    const events = this.viewEvents(view);
    const from = Number(n);
    const phases = this.viewPhases(view).filter((phase) => phase.first >= from);
    return { type: 'events', game: this.id, view, id: this.feedId(view), events: events.slice(from), phases, seats: [] };
  }

  clockFrame(): Frame | undefined {
    if (!this.clock) return undefined;
    return { type: 'clock', game: this.id, action: this.night ? 'night' : this.action, left_ms: Math.max(0, this.clock.until - Date.now()), paused: this.clock.paused };
  }

  /** Asks a seat; its number. */
  ask(seat: number, what: Frame): number {
    const ask = ++this.lastAsk;
    const made: Frame = { type: 'ask', game: this.id, ask, seat, until: Date.now() + Number(what.left_ms ?? 0), ...what };
    this.asks.set(ask, made);
    this.told(seat, this.askFrame(made));
    return ask;
  }

  askFrame(ask: Frame): Frame {
    const { seat: _, until, ...rest } = ask;
    return 'left_ms' in rest ? { ...rest, left_ms: Math.max(0, Number(until) - Date.now()) } : rest;
  }

  unask(ask: number): void {
    const open = this.asks.get(ask);
    this.asks.delete(ask);
    if (open) this.told(Number(open.seat), { type: 'unask', game: this.id, ask });
  }

  /** An answer: taken or refused. */
  answer(seat: number, message: Frame): Frame {
    const ask = this.asks.get(Number(message.ask));
    const reply = { ask: message.ask, key: message.key, game: this.id };
    if (!ask || ask.seat !== seat) return { type: 'refused', ...reply, code: 'stale', error: 'This question is over.' };
    const targets = ask.targets as number[] | undefined;
    if (targets && message.target !== undefined && message.target !== 0 && !targets.includes(Number(message.target)))
      return { type: 'refused', ...reply, code: 'dead-target', error: `Seat ${message.target} cannot be chosen.`, targets };
    const why = this.division === 'protocol' && typeof message.text === 'string' ? this.wrong(message.text) : undefined;
    if (why !== undefined) return { type: 'refused', ...reply, code: 'no-sentence', error: why };
    this.answers.push(message);
    const text = typeof message.text === 'string' ? cut(message.text, ask) : undefined;
    if (!ask.standing && !(ask.kind === 'vote' && ask.changes)) this.asks.delete(Number(message.ask));
    return { type: 'taken', ...reply, kind: message.kind, ...(text === undefined ? { target: message.target } : { text }) };
  }
}

function cut(text: string, ask: Frame): string {
  const most = (ask.length as { per_talk?: number } | undefined)?.per_talk;
  return most === undefined ? text : [...text].slice(0, most).join('');
}
