// Mind.tsx - the tab of what players thought: the monitor's page puts it there when it is known.
import { t } from '../words.ts';
import type { GameStore } from './store.ts';

export const MindTab = (_: { game: GameStore }) => <p class="nothing">{t('noMind')}</p>;
