// StatePill.tsx - where a contest stands, in a word.
import type { ContestRow } from './shapes.ts';
import { t } from './words.ts';

export const StatePill = ({ contest }: { contest: ContestRow }) => (
  <span class="pills">
    {contest.paused && <span class="pill warn">{t('paused')}</span>}
    <span class={`pill at-${contest.state}`}>{t(`state_${contest.state}`)}</span>
  </span>
);
