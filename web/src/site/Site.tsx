// Site.tsx - which page of the contest site is shown. To add one: route.ts, a file in pages/, a row here.
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Toasts } from '../parts/Toast.tsx';
import { Lost } from './Frame.tsx';
import { here } from './go.ts';
import { findMeFirst } from './me.ts';
import { placeOf, type PageName } from './route.ts';
import { Account } from './pages/Account.tsx';
import { Admin } from './pages/Admin.tsx';
import { ContestPage } from './pages/Contest.tsx';
import { GamePage, GamesPage } from './pages/Games.tsx';
import { Home } from './pages/Home.tsx';
import { Invite } from './pages/Invite.tsx';
import { Judge } from './pages/Judge.tsx';
import { LedgerPage } from './pages/Ledger.tsx';
import { Login } from './pages/Login.tsx';
import { Missing } from './pages/Missing.tsx';
import { Organise } from './pages/Organise.tsx';
import { Register } from './pages/Register.tsx';
import { Reset } from './pages/Reset.tsx';
import { SheetPage } from './pages/Sheet.tsx';
import { StandingsPage } from './pages/Standings.tsx';
import { TeamPage } from './pages/Team.tsx';
import { TeamsPage } from './pages/Teams.tsx';

/** What a page is given by its address. */
export interface PageProps {
  contest: string;
  id: string;
}

const pages: Record<PageName, ComponentType<PageProps>> = {
  home: Home,
  login: Login,
  register: Register,
  reset: Reset,
  invite: Invite,
  account: Account,
  admin: Admin,
  contest: ContestPage,
  teams: TeamsPage,
  team: TeamPage,
  standings: StandingsPage,
  games: GamesPage,
  game: GamePage,
  ledger: LedgerPage,
  organise: Organise,
  judge: Judge,
  sheet: SheetPage,
  missing: Missing,
};

export function Site() {
  useEffect(() => void findMeFirst(), []);
  const { page, contest, id } = placeOf(here.value.path);
  const Page = pages[page];
  return (
    <>
      <Lost />
      <Page key={`${page} ${contest} ${id}`} contest={contest} id={id} />
      <Toasts />
    </>
  );
}
