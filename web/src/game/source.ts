// source.ts - where the document of a game comes from, and where its page leads back to: a server of
// games, or a contest's site. Pure.
import { base } from '../base.ts';

export interface GameSource {
  /** The path of a view's document: below /web/api/, or from the root. */
  doc: (view: string) => string;
  /** Where its log is. */
  log: string;
  /** Where the way back leads. */
  home: string;
}

export const ofServer = (id: string): GameSource => ({
  doc: (view) => `games/${encodeURIComponent(id)}/doc?view=${view}`,
  log: `${base}g/${encodeURIComponent(id)}/log`,
  home: base,
});

const contestGame = /^\/([a-z0-9-]{2,32})\/games\/(\d{1,19})\/watch$/;

/** `/cup/games/12/watch`: a game of a contest, which has its own rights to it; null: no such address. */
export function ofContest(path: string): GameSource | null {
  const [, contest = '', id = ''] = contestGame.exec(path) ?? [];
  const api = `/api/v1/contests/${contest}/games/${id}`;
  return contest === '' ? null : { doc: (view) => `${api}/doc?view=${view}`, log: `${api}/log`, home: `/${contest}/games/${id}` };
}
