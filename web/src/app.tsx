// app.tsx - the frame of every page: which one it is, and what lies over all of them.
import { shownDocs } from './opened.ts';
import { GamePage } from './game/GamePage.tsx';
import { Open } from './pages/Open.tsx';
import { DropAnywhere, openHere } from './parts/Drop.tsx';
import { Lost } from './parts/Lost.tsx';
import { Toasts } from './parts/Toast.tsx';
import { pageAt } from './routes.tsx';

export function App() {
  const { page: Page, id } = pageAt(location.pathname);
  return (
    <>
      <Lost />
      {shownDocs.value.length > 0 ? <GamePage id="" /> : openHere.value ? <Open id="" /> : <Page id={id} />}
      <DropAnywhere />
      <Toasts />
    </>
  );
}
