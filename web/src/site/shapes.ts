// shapes.ts - what docs/contest-api.md says that the server answers. Whatever may be missing is optional.

export type State = 'DRAFT' | 'OPEN' | 'FROZEN' | 'PRELIMINARY' | 'REVISION' | 'FINAL' | 'JUDGING' | 'APPEALS' | 'PUBLISHED' | 'ARCHIVED' | 'CANCELLED';

export interface Both {
  en?: string;
  ja?: string;
}

export interface Items<T> {
  items: T[];
  next?: string;
}

export interface Me {
  id: string;
  login: string;
  name: string;
  mail: string;
  mail_ok?: boolean;
  language: string;
  admin?: boolean;
  csrf: string;
  teams: { contest: string; team: string; captain: boolean }[];
  roles: { contest: string; role: string }[];
}

export interface ContestRow {
  name: string;
  title: Both;
  division: string;
  state: State;
  paused?: boolean;
  zone?: string;
  dates?: Record<string, string>;
  teams?: number;
}

export interface Contest extends ContestRow {
  sentence?: Both;
  next?: State | null; // what its life waits to become
  digest?: string; // of the contest file
  text?: string; // the contest file, for organisers
  register?: { approve?: boolean; members?: number; fields?: string[]; public?: string[] };
  submit?: { languages?: string[]; file_bytes?: number; tree_bytes?: number; entries?: number; versions_per_day?: number; keep?: number };
  stages?: { name: string; parts?: { players: number }[]; min_games?: number; advance?: number; require?: string[] }[];
  tracks?: { name: string; from?: string; to?: string }[];
  windows?: { track: string; from: string; to: string }[];
  publish?: { logs?: string; live?: string };
  me?: { team?: string | null; captain?: boolean; finalist?: boolean; judge?: boolean; organiser?: boolean };
}

export interface TeamRow {
  name: string;
  affiliation?: string;
  state: string;
  organiser?: boolean;
  version?: number | null;
  finalist?: boolean;
}

export interface Version {
  id: string;
  number: number;
  language: string;
  entry?: string;
  note?: string;
  bytes?: number;
  sha256?: string;
  tree?: string;
  state: string;
  why?: string;
  why_ja?: string; // where the server knows it in Japanese; why_code and why_values are for programs
  at?: string;
}

export interface Finding {
  id: string;
  team?: string;
  version?: number;
  rule: string;
  action?: string;
  at?: string;
  text: string;
  evidence?: unknown;
  state: string;
  stage?: string;
  count?: number;
  games?: number;
  game?: string | number;
  day?: number;
  answer?: string;
  decision?: string;
  reason?: string;
}

/* One that its journal can't have: nothing follows from it until somebody closes it. */
export interface FailedRuling {
  id: string;
  team: string;
  about: string;
  stage: string;
  rule?: string;
  number?: number;
  decision: string;
  reason: string;
  at: string;
  why: string;
}

export interface Appeal {
  id: string;
  team?: string;
  about: string;
  object?: string;
  text: string;
  state: string;
  opened?: string;
  closed?: string;
  answer?: string;
  evidence?: unknown;
}

export interface Team {
  name: string;
  state: string;
  finalist?: boolean;
  affiliation?: string;
  consent?: Record<string, boolean>;
  webhook?: string;
  quiet?: string; // kinds of notices that are not sent, blanks between
  members: { id: string; name: string; captain: boolean }[];
  versions: Version[];
  documents: { id?: string; kind: string; number?: number; media?: string; licence?: string; at?: string; bytes?: number }[];
  lots: { stage: string; entry?: string; opened?: boolean }[];
  findings: Finding[];
  appeals: Appeal[];
  notices: Notice[];
  tracks?: TeamTrack[];
}

/** A track that a team has entered. */
export interface TeamTrack {
  track: string;
  state: string;
  qualified?: number; // self-matches without an error, of `needed`
  needed?: number;
  url?: string;
  open?: boolean; // its server runs
  connected?: string[];
  closed?: { code: number; words?: string; why?: string; at?: string };
  away?: { from: string; to: string };
}

export interface Notice {
  id?: string;
  kind: string;
  contest?: string;
  subject?: string;
  text?: string | Both;
  body?: string | Both;
  at?: string;
}

export interface CheckStep {
  step: string;
  ok: boolean;
  verdict?: string;
  ms?: number;
  advice?: string;
  advice_ja?: string;
  text?: string;
  evidence?: string[];
  output?: string[];
  [figure: string]: unknown;
}

export interface Report {
  version?: number;
  verdict: string;
  level?: string;
  tree?: string;
  environment?: string;
  steps: CheckStep[];
  findings?: { rule: string; text: string; step?: string; game?: number; day?: number }[];
  warnings?: string[];
  warnings_ja?: string[];
}

export interface StandingRow {
  rank: number | null;
  team: string;
  games: number;
  wins: number;
  rate: number;
  low?: number;
  high?: number;
  parts?: { players: number; games: number; wins: number }[];
  roles?: { role: string; games: number; wins: number }[];
  faults?: number;
  excused?: number;
  eliminated?: boolean;
}

export interface Standings {
  stages: string[];
  stage: string;
  rows: StandingRow[];
}

export interface ScoreTeam {
  team: string;
  score: number; // 0 always best, 1 always last
  low?: number | null;
  high?: number | null;
  seats?: number;
  place: number;
}

/** What judges' ratings of a track came to. */
export interface TrackScores {
  criteria: Record<string, {
    alpha?: { people?: number | null; models?: number | null; both?: number | null };
    w?: number | null;
    people?: ScoreTeam[] | null;
    models?: { model: string; tau?: number | null; repeat_w?: number | null; position?: number | null; kept_out?: boolean; teams?: ScoreTeam[] | null }[];
  }>;
  totals?: { people?: { team: string; total: number; place: number }[]; models?: { model: string; teams?: { team: string; total: number; place: number }[] }[] };
}

export interface Scores {
  tracks: Record<string, TrackScores | null>;
}

export interface SiteGame {
  id: string;
  stage?: string;
  set?: number;
  game?: number;
  ended?: string;
  winner?: string | null;
  counted?: boolean;
  void?: boolean;
  log?: boolean; // it may be had
  output_kept?: boolean; // what agents printed, a year long
  players?: number;
  teams?: string[]; // in lists
  seats?: { seat: number; team: string; role?: string; won?: boolean; faults?: number }[];
}

export interface Job {
  id: string;
  kind: string;
  state: string;
  stage?: string;
  tries?: number;
  created?: string;
  began?: string;
  ended?: string;
  why?: string;
}

export interface Act {
  id?: string;
  at: string;
  account?: string | null;
  address?: string | null;
  verb: string;
  object?: string | null;
  detail?: string | null;
}

export interface SheetRow {
  id: string;
  criterion: string;
  track?: string;
  state: string;
  calibration?: boolean;
  filled?: number;
  seats?: number;
}

export interface Sheet extends SheetRow {
  scale: 'rank' | 'score';
  text?: string | Both;
  grounds?: string | Both;
  names: string[];
  facts?: Record<string, string | string[]>;
  lines: { line: number; day: number; kind: string; speaker?: string; text: string; translation?: string }[];
  ranks?: Record<string, { rank?: number; score?: number; reason?: string }>;
}

export interface Token {
  id: string;
  label: string;
  scopes: string[];
  ends?: string;
  used?: string;
}

export interface Login {
  id?: string;
  created: string;
  seen?: string;
  ends?: string;
  address?: string;
  here?: boolean;
}
