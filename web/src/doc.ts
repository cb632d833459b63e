// doc.ts - the game document as the server writes it: docs/spec/web/game.schema.json.
export type Role = 'VILLAGER' | 'SEER' | 'MEDIUM' | 'BODYGUARD' | 'WEREWOLF' | 'POSSESSED' | 'FREEMASON' | 'FOX';
export type Species = 'HUMAN' | 'WEREWOLF' | 'ANY';
export type Winner = 'VILLAGER' | 'WEREWOLF' | 'FOX' | 'NONE';
export type Kind =
  | 'role' | 'day' | 'night' | 'talk' | 'whisper' | 'standing' | 'vote' | 'execute' | 'divine' | 'guard'
  | 'attack_vote' | 'attack' | 'identify' | 'death' | 'fault' | 'notice' | 'end' | 'reveal' | 'score';
export type PhaseAction =
  | 'dawn' | 'talk' | 'whisper' | 'vote' | 'divine' | 'guard' | 'attack' | 'night' | 'room' | 'end';

export interface Saying {
  kind: 'COMINGOUT' | 'DIVINED' | 'IDENTIFIED' | 'GUARDED' | 'ESTIMATE' | 'VOTE' | 'VOTED' | 'AGREE' | 'DISAGREE';
  target?: number;
  role?: Role;
  species?: Species;
  day?: number;
  about?: string;
}

export interface Fault {
  kind: string;
  at?: string;
  after_ms?: number;
  detail?: string;
}

export interface GameEvent {
  n: number;
  a: string;
  kind: Kind;
  day: number;
  t_ms?: number;
  seat?: number;
  target?: number;
  text?: string;
  plain?: Partial<Record<string, string>>;
  quiet?: 'skip' | 'over' | 'forced';
  turn?: number;
  idx?: number;
  room?: string;
  says?: Saying[];
  round?: number;
  species?: Species;
  killed?: boolean;
  cause?: 'attacked' | 'executed' | 'cursed' | 'left';
  reason?: string;
  fault?: Fault;
  role?: Role;
  points?: number;
  winner?: Winner;
  humans?: number;
  wolves?: number;
  mind?: number;
  to?: number[];
}

export interface Seat {
  seat: number;
  name: string;
  agent?: string;
  team?: string;
  kind?: string;
  profile?: string;
  role?: Role;
  role_to?: number[];
  side?: string;
  points?: number;
  errored?: boolean;
}

export interface Phase {
  day: number;
  night: boolean;
  action: PhaseAction;
  first: number;
  until_ms?: number;
}

export interface View {
  kind: 'public' | 'seat' | 'all';
  seat?: number;
  blind?: boolean;
}

export interface Belief {
  method: string;
  text: string;
  rows: { a: string; p: number[] }[];
}

export interface GameDoc {
  format: 'warg-game';
  version: 1;
  id: string;
  division: 'protocol' | 'nlp' | 'maw';
  lang: 'aiwolf' | 'ja' | 'en';
  status: 'running' | 'finished' | 'aborted' | 'truncated';
  view: View;
  source: { form: string; name: string; check?: string; why?: string };
  rules: { name: string; players: number; talk: string; votes_public?: boolean; max_day?: number };
  session?: { id: string; round: number; rounds: number };
  contest?: { id: string; stage: number; set: number; game: number; minds?: boolean };
  began_ms?: number;
  ended_ms?: number;
  winner?: Winner;
  seats: Seat[];
  phases: Phase[];
  events: GameEvent[];
  belief?: Belief;
}

/** Why `value` is no document that this page can show, or null. Says it in a sentence. */
export function docTrouble(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'This is not a game document.';
  const doc = value as Partial<Record<keyof GameDoc, unknown>>;
  if (doc.format !== 'warg-game') return 'This is not a game document: its "format" is not "warg-game".';
  if (doc.version !== 1) return `This page reads game documents of version 1; this one has version ${String(doc.version)}.`;
  for (const key of ['seats', 'phases', 'events'] as const)
    if (!Array.isArray(doc[key])) return `This game document has no list of ${key}.`;
  for (const key of ['view', 'rules', 'source'] as const)
    if (typeof doc[key] !== 'object' || doc[key] === null) return `This game document has no "${key}".`;
  if ((doc.seats as unknown[]).length === 0) return 'This game document has no seats.';
  return null;
}

/** The document in `value`. Throws an Error with a sentence. */
export function readDoc(value: unknown): GameDoc {
  const trouble = docTrouble(value);
  if (trouble !== null) throw new Error(trouble);
  return value as GameDoc;
}
