// Missing.tsx - an address that means nothing here.
import { Mark } from '../../parts/TopBar.tsx';
import { Frame } from '../Frame.tsx';
import { t } from '../words.ts';

export const Missing = () => (
  <Frame title={t('missingTitle')}>
    <div class="blank"><Mark /><p>{t('trouble404')}</p><p class="acts"><a class="button strong" href="/">{t('toHome')}</a></p></div>
  </Frame>
);
