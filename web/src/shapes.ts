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
  action: string;
  alive: number;
  names: string[]; // by seat
  dead?: number[];
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
  status: string;
  contest?: string;
  session?: string;
  rounds?: number;
  winner?: Winner;
  days?: number;
}

export interface ContestRow {
  id: string;
  name?: string;
  division?: string;
  played: number;
  planned?: number;
  running?: boolean;
  eta_ms?: number;
}

export type RoomState = 'OPEN' | 'READY' | 'PLAYING' | 'OVER';

export interface Guest {
  guest: number;
  name: string;
  away?: boolean;
  seat?: number;
}

export interface Room {
  code: string;
  name?: string;
  state: RoomState;
  held?: boolean;
  division: string;
  rules: string;
  players: number;
  people: number;
  taken?: number; // in lists, where the guests are not told
  fill?: string;
  lang?: string;
  names_hidden?: boolean;
  delay_ms?: number;
  listed?: boolean;
  kept?: boolean;
  start?: 'full' | 'after' | 'hand';
  start_ms?: number;
  game?: string;
  url?: string;
  watchers?: number;
  guests?: Guest[];
  queue?: number;
  you?: { guest: number; name: string; queue?: number; seat?: number };
}

export interface HomeData {
  now_ms?: number;
  operator?: boolean;
  open?: boolean; // logs may be read for who asks
  search?: boolean;
  live?: LiveTable[];
  rooms?: Room[];
  contests?: ContestRow[];
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
  building?: boolean;
}

export interface OperatorData {
  rooms: Room[];
  offers?: { divisions?: string[]; rules?: Record<string, string[]>; fill?: string[] };
}

export interface SeatData {
  room?: string;
  state?: RoomState;
  game?: string;
  seat?: number;
  name?: string;
  queue?: number;
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
  raw?: string;
  took_ms?: number;
  latency_ms?: number;
  requests?: number;
  retries?: number;
  prompt_tokens?: number;
  answer_tokens?: number;
  outcome?: string;
  why?: string;
  suppressed?: boolean | string;
  trouble?: string;
  prompt?: number;
  cost?: number;
  role?: Role;
}

export interface MindData {
  format: string;
  version: number;
  game: string;
  live?: boolean;
  currency?: string;
  seats: { seat: number; name: string; model?: string; kind?: string; state?: string; cost?: number }[];
  decisions: Decision[];
  prompts?: { number: number; messages?: { role: string; content: string }[]; text?: string }[];
}
