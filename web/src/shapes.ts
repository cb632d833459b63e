// shapes.ts - what the server tells pages beside game documents: docs/spec/web.md 5, 6.4, 9.
import type { Role, Winner } from './doc.ts';

export interface LiveTable {
  id: string;
  name?: string;
  division: string;
  rules: string;
  players: number;
  day: number;
  night: boolean;
  lang?: string;
  over?: boolean;
  began_ms?: number;
  contest?: string;
  room?: string;
}

export interface GameRow {
  id: string;
  name?: string;
  division: string;
  rules: string;
  players: number;
  began_ms?: number;
  at_ms?: number; // of its file, where the log has no time
  status: string;
  contest?: string;
  stage?: number; // of the contest, from 0
  game?: number; // of the stage, from 0, as its log
  session?: string;
  round?: number;
  void?: boolean; // counts no more
  winner?: Winner;
  days?: number;
}

export interface ContestRow {
  id: string;
  name?: string;
  division?: string;
  played: number;
  planned?: number;
  complete?: boolean;
  trouble?: string;
  at_ms?: number;
  eta_ms?: number;
}

export interface SessionRow {
  id: string;
  name?: string;
  rounds: number;
  at_ms?: number;
}

export type RoomState = 'open' | 'ready' | 'playing' | 'over';

export interface Guest {
  id: number;
  name: string;
  here?: boolean; // not told while a game is played
}

/** A room in a list. */
export interface RoomRow {
  code: string;
  title?: string;
  state: RoomState;
  division: string;
  players: number;
  people: number;
  seated?: number;
  queue?: number;
  game?: string;
}

export interface Room {
  code: string;
  state: RoomState;
  title?: string;
  division: string;
  rules: string;
  players: number;
  people: number;
  language?: string;
  fill?: string; // bot, model
  start?: 'full' | 'after' | 'hand';
  start_after_ms?: number;
  names_hidden?: boolean;
  delay_ms?: number;
  held?: boolean;
  seats?: Guest[];
  queue?: Guest[];
  starts_ms?: number; // while it counts down
  opens_ms?: number; // when it is over: until it is open again
  game?: string;
  games?: number;
  watching?: number;
  trouble?: string;
  url?: string;
  you?: { id: number; name: string; place: 'none' | 'queue' | 'seat'; before?: number; playing?: boolean; seat?: number; away?: boolean };
}

export interface HomeData {
  now_ms?: number;
  operator?: boolean;
  open?: boolean; // logs may be read for who asks
  search?: boolean;
  live?: LiveTable[];
  rooms?: RoomRow[];
  contests?: ContestRow[];
  sessions?: SessionRow[];
  games?: GameRow[];
}

export interface GamesData {
  games: GameRow[];
  next?: string;
}

export interface SessionData {
  id: string;
  name?: string;
  rounds: { round: number; game: string; status: string; players?: number; winner?: Winner; days?: number }[];
  seats: { name: string; agent?: string; points?: (number | null)[]; total?: number }[];
}

export interface Hit {
  game: string;
  a?: string;
  day?: number;
  seat?: number;
  name?: string;
  kind?: string;
  text: string;
}

export interface SearchData {
  hits: Hit[];
  next?: string;
  total?: number;
  more?: boolean; // total is where the counting stopped
  building?: boolean;
}

export interface OperatorData {
  rooms: RoomRow[];
  offers?: { divisions?: string[]; rules?: Record<string, string[]>; fill?: string[] };
}

export interface Decision {
  seat: number;
  t_ms?: number;
  a?: string;
  task?: string;
  source?: string;
  action?: string;
  message?: string;
  target?: string | number;
  reason?: string;
  thought?: string;
  raw?: string; // the answer as it came
  reasoning?: string; // what the model thought before, where its server tells
  finish?: string;
  line?: string; // what it wanted to say, where a filter changed or held it back
  first_raw?: string; // the answer before, that could not be used
  first_wrong?: string;
  tries?: number;
  took_ms?: number;
  latency_ms?: number;
  requests?: number;
  retries?: number;
  prompt_tokens?: number;
  cached_tokens?: number;
  reasoning_tokens?: number;
  answer_tokens?: number;
  outcome?: string;
  why?: string;
  suppressed?: boolean | string;
  flagged?: string; // what a filter that only tells has found
  trouble?: string;
  prompt?: number;
  cost?: number;
  role?: Role;
}

/** One request as it was sent; it begins with the first `same` messages of the line of prompt `as`. */
export interface PromptLine {
  prompt: number;
  as?: number;
  same?: number;
  messages?: { role: string; content: string }[];
  [more: string]: unknown;
}

/** Whom a model would have voted for, and how sure it was, in percent, that this one is a wolf. */
export interface Opinion {
  seat: number;
  t_ms?: number;
  a?: string; // the last event before it was asked
  target: number;
  sure: number;
  lines?: number; // that it had heard
}

export interface MindSeat {
  seat: number;
  name: string;
  model?: string;
  kind?: string;
  decisions?: number;
  by_model?: number;
  repaired?: number;
  by_rule?: number;
  by_demo?: number;
  prompt_tokens?: number;
  answer_tokens?: number;
  cost?: number;
  latency_p50_ms?: number;
  latency_p95_ms?: number;
  leaks?: number;
  suppressed?: number;
}

export interface MindData {
  format: string;
  version: number;
  game: string;
  live?: boolean;
  players?: number; // of the table, whose colours seats have; not all of them decide
  currency?: string;
  seats: MindSeat[];
  decisions: Decision[];
  prompts?: { seat: number; lines: PromptLine[] }[];
  opinions?: Opinion[];
}
