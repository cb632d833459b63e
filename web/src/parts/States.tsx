// States.tsx - what stands where something would: on its way, nothing there.
import type { ComponentChildren } from 'preact';
import { t } from '../words_shared.ts';
import { Mark } from './TopBar.tsx';

export const Loading = () => (
  <div class="loading" role="status"><span class="spinner" aria-hidden="true" />{t('loadingThing')}</div>
);

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="blank">
    <Mark />
    <h2>{title}</h2>
    {children}
  </div>
);
