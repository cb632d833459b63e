// Mind.tsx - the tab of what players thought, up to the moment: the decisions of the monitor, each
// with a way to its line.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get } from '../api.ts';
import { DecisionRow, unfolded } from '../pages/Mind.tsx';
import { shown } from '../parts/shown.ts';
import { decisionsAt } from '../mind_figures.ts';
import type { MindData } from '../shapes.ts';
import { t } from '../words.ts';
import { exported } from '../opened.ts';
import { OpinionLines } from './OpinionLines.tsx';
import type { GameStore } from './store.ts';

const shownAtOnce = 40;

export function MindTab({ game }: { game: GameStore }) {
  const mind = useSignal<MindData | null>(null);
  const trouble = useSignal('');
  const id = game.doc.value.id;
  useEffect(() => {
    get<MindData>(`games/${encodeURIComponent(id)}/mind`).then(
      (got) => { mind.value = got; },
      (error: unknown) => { trouble.value = error instanceof Error ? error.message : String(error); });
  }, [id]);
  void game.grown.value;
  const course = game.course.value;
  if (trouble.value !== '') return <p class="nothing">{t('noMind')}<br /><span class="note">{shown(trouble.value)}</span></p>;
  if (!mind.value) return <p class="nothing">{t('loading')}</p>;
  const past = decisionsAt(mind.value.decisions, (anchor) => course.anchor(anchor), game.resting.value);
  const { value } = mind;
  return (
    <div class="tabbody mindtab" tabIndex={0} role="region" aria-label={t('tab_mind')}>
      <label class="check"><input type="checkbox" checked={unfolded.value} onChange={(change) => { unfolded.value = (change.currentTarget as HTMLInputElement).checked; }} /> {t('mindUnfold')}</label>
      {!exported.value && <p class="note"><a href={`/web/mind/${encodeURIComponent(id)}`}>{t('actMind')}</a></p>}
      <OpinionLines mind={value} course={course} until={game.resting.value} />
      {past.length === 0 ? <p class="nothing">{t('mindNothing')}</p> : (
        <ol class="decisions">{past.slice(0, shownAtOnce).map((decision, i) => <DecisionRow key={past.length - i} decision={decision} mind={value} />)}</ol>
      )}
    </div>
  );
}
