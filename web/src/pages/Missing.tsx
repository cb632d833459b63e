// Missing.tsx - an address that means nothing here, and the way home.
import { TopBar } from '../parts/TopBar.tsx';
import { base, type PageProps } from '../routes.tsx';
import { t } from '../words.ts';

export const Missing = (_: PageProps) => (
  <div class="screen">
    <TopBar />
    <main class="page empty">
      <h1>{t('missingTitle')}</h1>
      <p>{t('missingText')}</p>
      <p><a class="button" href={base}>{t('toHome')}</a></p>
    </main>
  </div>
);
