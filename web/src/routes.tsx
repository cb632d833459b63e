// routes.tsx - which page an address below /web/ means, and that of a contest's game. To add a page: a file in pages/, a line here.
import type { ComponentType } from 'preact';
import { GamePage } from './game/GamePage.tsx';
import { ofContest, ofServer } from './game/source.ts';
import { Home } from './pages/Home.tsx';
import { Login } from './pages/Login.tsx';
import { Missing } from './pages/Missing.tsx';
import { Open } from './pages/Open.tsx';
import { Operator } from './pages/Operator.tsx';
import { RoomPage } from './pages/RoomPage.tsx';
import { Search } from './pages/Search.tsx';
import { SeatPage } from './pages/SeatPage.tsx';
import { SessionPage } from './pages/SessionPage.tsx';
import { Mind } from './pages/Mind.tsx';
import { Wall } from './pages/Wall.tsx';
import { base } from './base.ts';

export { base };

const ContestGame = ({ id }: PageProps) => <GamePage id={id} source={ofContest(id) ?? ofServer(id)} />;

/** What a page is given: the part of the path behind its name, '' without one. */
export interface PageProps {
  id: string;
}

// A path is its first word, and what follows is the ID where the row says so.
const routes: { word: string; withId: boolean; page: ComponentType<PageProps> }[] = [
  { word: '', withId: false, page: Home },
  { word: 'g', withId: true, page: GamePage },
  { word: 's', withId: true, page: SessionPage },
  { word: 'r', withId: true, page: RoomPage },
  { word: 'mind', withId: true, page: Mind },
  { word: 'seat', withId: false, page: SeatPage },
  { word: 'wall', withId: false, page: Wall },
  { word: 'open', withId: false, page: Open },
  { word: 'search', withId: false, page: Search },
  { word: 'operator', withId: false, page: Operator },
  { word: 'login', withId: false, page: Login },
];

export function pageAt(path: string): { page: ComponentType<PageProps>; id: string } {
  if (ofContest(path)) return { page: ContestGame, id: path };
  const rest = path.startsWith(base) ? path.slice(base.length) : path === '/web' ? '' : path.slice(1);
  const slash = rest.indexOf('/');
  const word = slash < 0 ? rest : rest.slice(0, slash);
  const id = slash < 0 ? '' : rest.slice(slash + 1);
  const row = routes.find((each) => each.word === word && each.withId === (id !== ''));
  return row ? { page: row.page, id: decoded(id) } : { page: Missing, id: '' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
