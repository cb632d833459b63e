// route.ts - which page an address of the contest site means. Pure.
//
// Words that are no contest's name are reserved by the server, too. To add a page: a word here, a row
// in Site.tsx, a route of the shell in src/api/api_page.c.

export type PageName =
  | 'home' | 'login' | 'register' | 'reset' | 'invite' | 'account' | 'admin'
  | 'contest' | 'teams' | 'team' | 'standings' | 'games' | 'game' | 'ledger' | 'organise' | 'judge' | 'sheet' | 'missing';

export interface Place {
  page: PageName;
  contest: string; // '' outside a contest
  id: string; // a team's name, a sheet, a secret; '' without one
}

const alone: readonly string[] = ['login', 'register', 'account', 'admin'];
const withSecret: readonly string[] = ['reset', 'invite'];
const inContest: readonly string[] = ['teams', 'standings', 'games', 'ledger', 'organise', 'judge'];
const withId: Readonly<Record<string, PageName>> = { team: 'team', judge: 'sheet', games: 'game' };
export const contestName = /^[a-z0-9-]{2,32}$/;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function placeOf(path: string): Place {
  const parts = path.split('/').filter((part) => part !== '').map(decoded);
  const [first = '', second = '', third = ''] = parts;
  const made = (page: PageName, contest = '', id = ''): Place => ({ page, contest, id });
  if (parts.length === 0) return made('home');
  if (alone.includes(first)) return made(parts.length === 1 ? (first as PageName) : 'missing');
  if (withSecret.includes(first)) return made(parts.length <= 2 ? (first as PageName) : 'missing', '', second);
  if (!contestName.test(first)) return made('missing');
  if (parts.length === 1) return made('contest', first);
  if (parts.length === 2 && inContest.includes(second)) return made(second as PageName, first);
  if (parts.length === 3 && Object.hasOwn(withId, second)) return made(withId[second] as PageName, first, third);
  return made('missing');
}

/** An address of this site: '/cup/team/team%20A'. */
export const pathTo = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;
