// app.tsx - the frame of every page: which one it is, and what lies over all of them.
import { shownDocs } from './opened.ts';
import { GamePage } from './game/GamePage.tsx';
import { Toasts } from './parts/Toast.tsx';
import { pageAt } from './routes.tsx';

export function App() {
  const { page: Page, id } = pageAt(location.pathname);
  return (
    <>
      {shownDocs.value.length > 0 ? <GamePage id="" /> : <Page id={id} />}
      <Toasts />
    </>
  );
}
