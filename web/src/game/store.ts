// store.ts - the state of one game on a page: which document, which moment, how it is looked at.
//
// A GameStore is told of documents and events by whoever has them (load.ts, the feed, a file); it asks
// for a view that it hasn't got by `fetchView`.
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { GameDoc, GameEvent, Phase, Seat } from '../doc.ts';
import type { Clock } from '../follow.ts';
import { Course, type Table } from '../model.ts';
import { growRows, type Row } from '../rows.ts';
import { seatView } from '../seat_view.ts';
import { kept, keep } from '../settings.ts';
import type { Tab } from './hash.ts';

export type ViewChoice = 'public' | 'all' | number;

export const viewName = (view: ViewChoice): string => (typeof view === 'number' ? `seat:${view}` : view);

function viewOf(doc: GameDoc): ViewChoice {
  return doc.view.kind === 'seat' ? (doc.view.seat ?? 1) : doc.view.kind;
}

/** A document's events with the rows of its log. Grows as one. */
export class Telling {
  readonly course: Course;
  readonly rows: Row[] = [];

  constructor(doc: GameDoc) {
    this.course = new Course(doc);
    growRows(this.rows, this.course);
  }

  append(events: readonly GameEvent[], phases: readonly Phase[], seats: readonly Seat[]): boolean {
    if (!this.course.append(events, phases, seats)) return false;
    growRows(this.rows, this.course);
    return true;
  }
}

export class GameStore {
  private readonly tellings = new Map<string, Telling>();
  readonly telling = signal<Telling>(new Telling(nothing));
  readonly view = signal<ViewChoice>('public');
  /** Counts what was added to the document, so that what depends on its length is drawn anew. */
  readonly grown = signal(0);
  readonly cursor = signal(0);
  /** The furthest moment that was seen: how much of the course may be drawn. */
  readonly reached = signal(0);
  readonly dragging = signal(false);
  /** The cursor as the log follows it: while a hand drags, it waits until the hand rests. */
  readonly resting = signal(0);
  readonly tab = signal<Tab>('log');
  readonly speed = signal(1);
  readonly playing = signal(false);
  readonly hovered = signal(0);
  /** Follows a running game; off as soon as one goes back. */
  readonly following = signal(false);
  readonly status = signal<GameDoc['status']>('finished');
  /** Of a running game: who is asked to speak, and how much time there is. */
  readonly typing = signal(0);
  readonly clock = signal<Clock | null>(null);
  /** Fetches a view that isn't there. Absent in exported files. */
  fetchView: ((view: ViewChoice) => Promise<GameDoc>) | null = null;
  /** Who sits at this browser, 0 = nobody. */
  ownSeat = 0;
  /** An operator may see everything of a running game. */
  isOperator = false;
  private restTimer: ReturnType<typeof setTimeout> | undefined;

  readonly course: ReadonlySignal<Course> = computed(() => {
    void this.grown.value;
    return this.telling.value.course;
  });
  readonly doc: ReadonlySignal<GameDoc> = computed(() => this.course.value.doc);
  /** Whether thoughts of players can be shown: the tab is there. */
  readonly hasMind: ReadonlySignal<boolean> = computed(() => {
    const doc = this.doc.value;
    if (this.fetchView === null || (this.status.value === 'running' && !this.isOperator)) return false;
    return doc.division === 'maw' || doc.contest?.minds === true || doc.seats.some((seat) => /^(model|llm)/.test(seat.kind ?? ''));
  });
  readonly table: ReadonlySignal<Table> = computed(() => {
    void this.grown.value;
    return this.telling.value.course.tableAt(this.cursor.value);
  });
  readonly last: ReadonlySignal<number> = computed(() => {
    void this.grown.value;
    return Math.max(0, this.telling.value.course.length - 1);
  });

  /** Takes a document in; its view becomes what is shown. */
  show(doc: GameDoc): void {
    this.put(doc);
    batch(() => {
      this.status.value = doc.status;
      this.switchTo(viewOf(doc));
    });
  }

  /** Takes a document in without showing it. */
  put(doc: GameDoc): void {
    this.tellings.set(viewName(viewOf(doc)), new Telling(doc));
  }

  /** Forgets all documents: another game comes. */
  reset(): void {
    this.tellings.clear();
    batch(() => {
      this.telling.value = new Telling(nothing);
      this.cursor.value = 0;
      this.resting.value = 0;
      this.reached.value = 0;
      this.playing.value = false;
    });
  }

  /** How many events of a view are here. */
  lengthOf(view: ViewChoice): number {
    return this.tellings.get(viewName(view))?.course.length ?? 0;
  }

  get hasAll(): boolean {
    return this.tellings.has('all');
  }

  /** The views that can be chosen. A running game's secrets are not asked for: the server has the say. */
  get choices(): ViewChoice[] {
    const seats = this.doc.value.seats.map((seat) => seat.seat);
    if (this.hasAll || (this.fetchView !== null && (this.status.value !== 'running' || this.isOperator))) return ['public', 'all', ...seats];
    const made: ViewChoice[] = ['public', ...seats.filter((seat) => seat === this.ownSeat || this.tellings.has(viewName(seat)))];
    return this.tellings.has('public') || this.fetchView !== null ? made : made.slice(1);
  }

  /** Shows another view of the same moment. Rejects with a sentence when it may not be had. */
  async choose(view: ViewChoice): Promise<void> {
    const name = viewName(view);
    const all = this.tellings.get('all');
    if (!this.tellings.has(name) && all && view !== 'all') this.put(seatView(all.course.doc, view === 'public' ? 0 : view));
    if (!this.tellings.has(name)) {
      if (!this.fetchView) throw new Error('no such view');
      const got = await this.fetchView(this.status.value === 'running' ? view : 'all');
      this.put(got);
      if (viewName(viewOf(got)) !== name) return this.choose(view);
    }
    this.switchTo(view);
    if (view !== 'public' && this.status.value !== 'running') keep(`shown.${this.doc.value.id}`, '1');
  }

  private switchTo(view: ViewChoice): void {
    const next = this.tellings.get(viewName(view));
    if (!next) return;
    const before = this.telling.value.course;
    const cursor = before.length > 0 ? sameMoment(before, this.cursor.value, next.course) : this.cursor.value;
    batch(() => {
      this.telling.value = next;
      this.view.value = view;
      this.reached.value = before.length > 0 ? sameMoment(before, this.reached.value, next.course) : 0;
      this.go(cursor);
    });
  }

  /** Whether roles were shown here before. */
  get wasShown(): boolean {
    return kept(`shown.${this.doc.value.id}`) === '1';
  }

  /** What came from the feed for one view. False: the document must be fetched anew. */
  append(view: ViewChoice, events: readonly GameEvent[], phases: readonly Phase[], seats: readonly Seat[]): boolean {
    const telling = this.tellings.get(viewName(view));
    if (!telling || !telling.append(events, phases, seats)) return false;
    if (telling !== this.telling.value) return true;
    batch(() => {
      this.grown.value++;
      if (this.following.value) this.go(telling.course.length - 1);
    });
    return true;
  }

  /** Moves to event `n`. */
  go(n: number): void {
    const to = Math.max(0, Math.min(n, this.telling.value.course.length - 1));
    batch(() => {
      this.cursor.value = to;
      this.reached.value = Math.max(this.reached.value, to);
      if (this.status.value === 'running') this.following.value = to === this.telling.value.course.length - 1;
      clearTimeout(this.restTimer);
      if (this.dragging.value) this.restTimer = setTimeout(() => { this.resting.value = this.cursor.value; }, 90);
      else this.resting.value = to;
    });
  }

  goTo(anchor: string): void {
    this.go(this.telling.value.course.at(anchor));
  }

  drop(): void {
    batch(() => {
      this.dragging.value = false;
      this.go(this.cursor.value);
    });
  }
}

// The same moment in another view: the same anchor, or of the nearest event before that both have.
function sameMoment(from: Course, n: number, to: Course): number {
  if (n >= from.length - 1) return to.length - 1;
  const known = new Map(to.doc.events.map((event, at) => [event.a, at]));
  for (let at = n; at >= 0; at--) {
    const found = known.get(from.event(at)?.a ?? '');
    if (found !== undefined) return found;
  }
  return 0;
}

const nothing: GameDoc = {
  format: 'warg-game', version: 1, id: '', division: 'protocol', lang: 'aiwolf', status: 'finished', view: { kind: 'public' },
  source: { form: 'live', name: '' }, rules: { name: '', players: 0, talk: 'turns' }, seats: [], phases: [], events: [],
};
