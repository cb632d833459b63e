// desk.ts - a person's seat in a game: the game as that seat sees it, what is asked, the answers.
//
// For:    SeatPage. The rules of asking are in seat_state.ts; here are the feed and the clock.
// Source: docs/spec/web.md 6.
import { batch, signal } from '@preact/signals';
import type { GameEvent, Phase, Seat } from '../doc.ts';
import { feed, Watch } from '../live.ts';
import { fetchDoc } from '../game/load.ts';
import { ofServer } from '../game/source.ts';
import { GameStore } from '../game/store.ts';
import { keep, kept } from '../settings.ts';
import { SeatState, type Answer, type Ask } from '../seat_state.ts';

export const nowMs = (): number => performance.now();

const salt = (): string => [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export class Desk {
  readonly game = new GameStore();
  readonly state = new SeatState(salt());
  /** Counts what changed in `state`. */
  readonly version = signal(0);
  readonly ready = signal(false);
  readonly ended = signal(false);
  /** The role card is held: what one alone knows is shown. */
  readonly peeks = signal(false);
  readonly watch: Watch;
  private readonly stops: (() => void)[];
  private connected = feed.state === 'open';

  constructor(readonly id: string, readonly seat: number) {
    this.game.ownSeat = seat;
    this.game.fetchView = (view) => fetchDoc(ofServer(id), view);
    feed.keep = true; // hidden or not: somebody sits here
    this.stops = [
      feed.onMessage((message) => {
        if (message.game !== undefined && message.game !== this.id) return;
        if (this.state.hear(message, nowMs())) this.version.value++;
        if (message.type === 'reveal') void this.end();
      }),
      feed.onState(() => this.reconnected()),
    ];
    this.watch = new Watch(id, `seat:${seat}`, {
      show: (doc) => batch(() => {
        this.game.show(doc);
        this.game.following.value = true;
        this.game.go(this.game.last.value);
        this.ready.value = true;
        if (doc.status !== 'running') void this.end();
      }),
      grow: (frame) => {
        const length = this.game.course.peek().length;
        const events = (Array.isArray(frame.events) ? (frame.events as GameEvent[]) : []).filter((event) => event.n >= length);
        const phases = (Array.isArray(frame.phases) ? (frame.phases as Phase[]) : []).filter((phase) => events.length > 0 && phase.first >= length);
        const seats = Array.isArray(frame.seats) ? (frame.seats as Seat[]) : [];
        const goes = this.game.append(this.seat, events, phases, seats);
        if (goes) this.game.go(this.game.last.value);
        return goes;
      },
    });
  }

  stop(): void {
    feed.keep = false;
    this.watch.stop();
    for (const stop of this.stops) stop();
  }

  get me(): Seat | undefined {
    return this.game.doc.value.seats.find((seat) => seat.seat === this.seat);
  }

  get name(): string {
    return this.me?.name ?? '';
  }

  answer(ask: Ask, answer: Answer): boolean {
    if (this.state.guarded(ask, nowMs())) return false;
    const message = this.state.answer(ask, answer, nowMs());
    feed.send(message);
    this.version.value++;
    return true;
  }

  /** "Are you there?" - yes. */
  here(): void {
    this.state.areYouThere = false;
    feed.send({ type: 'here' });
    this.version.value++;
  }

  tick(): void {
    if (this.state.expire(nowMs())) this.version.value++;
  }

  private reconnected(): void {
    const open = feed.state === 'open';
    // What was sent into a connection that was lost already goes once more, by its key.
    if (open && !this.connected) for (const message of this.state.resend()) feed.send(message);
    this.connected = open;
  }

  // Over: everything may be seen, and is.
  private async end(): Promise<void> {
    if (this.ended.value) return;
    this.ended.value = true;
    try {
      this.game.status.value = 'finished';
      await this.game.choose('all');
      this.game.go(this.game.last.value);
    } catch {
      // The server keeps it back, or is away: the seat's own view stays.
    }
  }
}

// ---- drafts: they outlive a reload, and the next ask ----

interface Draft {
  game: string;
  text: string;
}

export function keptDraft(game: string, kind: string): string {
  try {
    const draft = JSON.parse(kept(`draft.${kind}`) ?? 'null') as Draft | null;
    return draft?.game === game ? String(draft.text) : '';
  } catch {
    return '';
  }
}

export function keepDraft(game: string, kind: string, text: string): void {
  keep(`draft.${kind}`, JSON.stringify({ game, text } satisfies Draft));
}
