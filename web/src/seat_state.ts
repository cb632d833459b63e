// seat_state.ts - what a person at a seat is asked, and what became of the answers.
//
// For:    SeatPage. Pure: time is an argument, what is to be sent is returned.
// Source: docs/spec/web.md 6.2. An answer has the number of its ask and a key of its own: what is
//         sent again does nothing twice, and nothing is said at another occasion than it was typed for.
import type { FeedMessage } from './feed.ts';
import type { LengthRules } from './length.ts';

export const GUARD_MS = 300;

export type AskKind = 'talk' | 'whisper' | 'vote' | 'divine' | 'guard' | 'attack' | 'role_wish' | 'query_role' | 'whisper_to';

export interface Ask {
  game: string;
  ask: number;
  kind: AskKind;
  targets: number[];
  at: number; // when it came
  until?: number; // absent: no limit
  total?: number; // the time it had when it came first
  standing: boolean;
  withdraw: boolean;
  revote: boolean;
  may: string[];
  length?: LengthRules;
  maxChars?: number;
  turnsLeft?: number;
  skipsLeft?: number;
  answered?: Answer; // taken; the ask is still open
}

export interface Answer {
  target?: number;
  text?: string;
  role?: string;
}

export interface Pending {
  key: string;
  message: FeedMessage;
  at: number;
}

/** What came of an answer, for the composer to say. */
export interface Outcome {
  kind: AskKind;
  taken: boolean;
  sent: Answer;
  text?: string; // as it was recorded
  code?: string;
  error?: string;
}

const speech: readonly AskKind[] = ['talk', 'whisper', 'whisper_to'];
export const isSpeech = (kind: AskKind): boolean => speech.includes(kind);

const kinds: readonly string[] = ['talk', 'whisper', 'vote', 'divine', 'guard', 'attack', 'role_wish', 'query_role', 'whisper_to'];

const whole = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);

function readAsk(message: FeedMessage, now: number, before: Ask | undefined): Ask | undefined {
  const number = whole(message.ask);
  if (number === undefined || typeof message.kind !== 'string' || !kinds.includes(message.kind)) return undefined;
  const ask: Ask = {
    game: String(message.game ?? ''),
    ask: number,
    kind: message.kind as AskKind,
    targets: Array.isArray(message.targets) ? message.targets.filter((each): each is number => Number.isInteger(each)) : [],
    at: before?.at ?? now,
    standing: message.standing === true,
    withdraw: message.withdraw === true,
    revote: message.revote === true,
    may: Array.isArray(message.may) ? message.may.map(String) : [],
  };
  const left = whole(message.left_ms);
  if (left !== undefined) {
    ask.until = now + left;
    ask.total = Math.max(before?.total ?? left, left);
  }
  if (typeof message.length === 'object' && message.length !== null) {
    const { rule, ...length } = message.length as LengthRules & { rule?: string };
    ask.length = rule === 'seat' || rule === 'lowest' ? { ...length, which: rule } : length;
  }
  const counts = { maxChars: whole(message.max_chars), turnsLeft: whole(message.turns_left), skipsLeft: whole(message.skips_left) };
  for (const [name, value] of Object.entries(counts)) if (value !== undefined) ask[name as keyof typeof counts] = value;
  const answered = (message.answered as Answer | undefined) ?? before?.answered;
  if (answered) ask.answered = answered;
  return ask;
}

export class SeatState {
  asks: Ask[] = [];
  outcome: Outcome | undefined;
  areYouThere = false;
  private pending = new Map<string, Pending>();
  private nextKey = 0;

  constructor(private salt: string) {}

  /** The ask for speech that is to be shown: of several the one with less time. */
  get speech(): Ask | undefined {
    return this.asks.filter((ask) => isSpeech(ask.kind)).sort((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity))[0];
  }

  get choices(): Ask[] {
    return this.asks.filter((ask) => !isSpeech(ask.kind));
  }

  isPending(ask: number): boolean {
    return [...this.pending.values()].some((each) => each.message.ask === ask);
  }

  /** A new ask is not answered by a press that was meant for another thing. */
  guarded(ask: Ask, now: number): boolean {
    return now - ask.at < GUARD_MS;
  }

  /** True when something changed. */
  hear(message: FeedMessage, now: number): boolean {
    switch (message.type) {
      case 'ask': return this.hearAsk(message, now);
      case 'unask':
        this.asks = this.asks.filter((ask) => ask.ask !== message.ask);
        return true;
      case 'taken': return this.hearTaken(message);
      case 'refused': return this.hearRefused(message);
      case 'here?':
        this.areYouThere = true;
        return true;
      case 'reveal':
        this.asks = [];
        this.pending.clear();
        return true;
      default: return false;
    }
  }

  private hearAsk(message: FeedMessage, now: number): boolean {
    const before = this.asks.find((ask) => ask.ask === message.ask);
    const ask = readAsk(message, now, before);
    if (!ask) return false;
    // Numbers only grow: a question of the past that comes late is none.
    if (!before && this.asks.some((each) => each.ask > ask.ask && each.kind === ask.kind)) return false;
    this.asks = [...this.asks.filter((each) => each.ask !== ask.ask && (each.kind !== ask.kind || each.ask > ask.ask)), ask].sort((a, b) => a.ask - b.ask);
    if (!before) this.outcome = this.outcome && !this.outcome.taken ? this.outcome : undefined;
    return true;
  }

  private settle(message: FeedMessage): Pending | undefined {
    const pending = this.pending.get(String(message.key));
    if (pending) this.pending.delete(pending.key);
    return pending;
  }

  private hearTaken(message: FeedMessage): boolean {
    const pending = this.settle(message);
    const ask = this.asks.find((each) => each.ask === message.ask);
    const kind = (ask?.kind ?? pending?.message.kind ?? message.kind) as AskKind;
    const sent = pending ? answerOf(pending.message) : answerOf(message);
    if (ask) {
      if (ask.standing || !isSpeech(ask.kind)) ask.answered = answerOf(pending?.message ?? message);
      else this.asks = this.asks.filter((each) => each !== ask);
    }
    if (pending || !this.outcome) {
      this.outcome = { kind, taken: true, sent };
      if (typeof message.text === 'string') this.outcome.text = message.text;
    }
    return true;
  }

  private hearRefused(message: FeedMessage): boolean {
    const pending = this.settle(message);
    const ask = this.asks.find((each) => each.ask === message.ask);
    if (ask && Array.isArray(message.targets)) ask.targets = message.targets.filter((each): each is number => Number.isInteger(each));
    if (message.code === 'stale') this.asks = this.asks.filter((each) => each.ask !== message.ask);
    if (!pending) return true;
    this.outcome = {
      kind: pending.message.kind as AskKind,
      taken: false,
      sent: answerOf(pending.message),
      code: typeof message.code === 'string' ? message.code : '',
      error: typeof message.error === 'string' ? message.error : '',
    };
    return true;
  }

  /** The message to send; it is kept until the server says what came of it. */
  answer(ask: Ask, answer: Answer, now: number): FeedMessage {
    const key = `${this.salt}${(this.nextKey++).toString(36)}`;
    const message: FeedMessage = { type: 'answer', game: ask.game, ask: ask.ask, kind: ask.kind, key, ...answer };
    this.pending.set(key, { key, message, at: now });
    this.outcome = undefined;
    return message;
  }

  /** After a new connection: what may have got lost, once more and with the same keys. */
  resend(): FeedMessage[] {
    return [...this.pending.values()].map((each) => each.message);
  }

  /** Time is over: the server's clock decided. */
  expire(now: number): boolean {
    const open = this.asks.filter((ask) => ask.until === undefined || ask.until > now - 5000);
    const changed = open.length !== this.asks.length;
    this.asks = open;
    return changed;
  }
}

function answerOf(message: FeedMessage): Answer {
  const made: Answer = {};
  if (typeof message.target === 'number') made.target = message.target;
  if (typeof message.text === 'string') made.text = message.text;
  if (typeof message.role === 'string') made.role = message.role;
  return made;
}

/** Which of 30, 10 and 5 seconds has been passed between two looks at the clock; 0: none. */
export function secondsToSay(before: number, now: number): number {
  for (const mark of [5, 10, 30]) if (before > mark * 1000 && now <= mark * 1000 && now > 0) return mark;
  return 0;
}

/** A number that is typed digit by digit, for the keys 1 to 9: "1" then "2" is 12 where it is a target. */
export function typedTarget(digits: string, targets: readonly number[]): number | undefined {
  for (let from = 0; from < digits.length; from++) {
    const number = Number(digits.slice(from));
    if (targets.includes(number)) return number;
  }
  return undefined;
}
