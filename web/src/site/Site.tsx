// Site.tsx - which page of the contest site is shown. To add one: route.ts, a file in pages/, a row here.
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Toasts } from '../parts/Toast.tsx';
import { Lost } from './Frame.tsx';
import { here } from './go.ts';
import { findMe } from './me.ts';
import { placeOf, type PageName } from './route.ts';
import { Home } from './pages/Home.tsx';
import { Login } from './pages/Login.tsx';
import { Missing } from './pages/Missing.tsx';

/** What a page is given by its address. */
export interface PageProps {
  contest: string;
  id: string;
}

const pages: Partial<Record<PageName, ComponentType<PageProps>>> = {
  home: Home,
  login: Login,
};

export function Site() {
  useEffect(() => void findMe(), []);
  const { page, contest, id } = placeOf(here.value.path);
  const Page = pages[page] ?? Missing;
  return (
    <>
      <Lost />
      <Page key={`${page} ${contest} ${id}`} contest={contest} id={id} />
      <Toasts />
    </>
  );
}
