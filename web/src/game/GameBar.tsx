// GameBar.tsx - the top of a game's page: which game, whose eyes, and what is shown beside the table.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { clockLeft } from '../follow.ts';
import { shownDocs } from '../opened.ts';
import { Name } from '../parts/Chip.tsx';
import { shown } from '../parts/shown.ts';
import { TopBar } from '../parts/TopBar.tsx';
import { clockText } from '../times.ts';
import { num, t } from '../words.ts';
import { tabs, type Tab } from './hash.ts';
import { seatText } from './moment.ts';
import type { GameStore, ViewChoice } from './store.ts';

function choiceText(game: GameStore, view: ViewChoice): string {
  if (view === 'public') return t('viewPublic');
  if (view === 'all') return t('viewAll');
  const text = seatText(game.course.value, view);
  return /^\d+$/.test(text) ? t('viewSeat', { seat: text }) : text;
}

function ViewSelect({ game, onView }: { game: GameStore; onView: (view: ViewChoice) => void }) {
  const choices = game.choices;
  return (
    <label class="viewchoice">
      <span class="note wide-only">{t('view')}</span>
      <select class="field" aria-label={t('view')} value={String(game.view.value)}
        onChange={(change) => {
          const value = (change.currentTarget as HTMLSelectElement).value;
          onView(value === 'public' || value === 'all' ? value : Number(value));
        }}>
        {choices.map((view) => <option key={String(view)} value={String(view)}>{choiceText(game, view)}</option>)}
      </select>
    </label>
  );
}

export const TabBar = ({ game }: { game: GameStore }) => (
  <div class="tabs" role="tablist" aria-label={t('panels')}>
    {tabs.filter((tab) => tab !== 'mind' || game.hasMind.value).map((tab) => (
      <button key={tab} type="button" role="tab" id={`tab-${tab}`} aria-selected={game.tab.value === tab} aria-controls="panel"
        tabIndex={game.tab.value === tab ? 0 : -1} class="tab" onClick={() => { game.tab.value = tab; }}
        onKeyDown={(key) => moveTab(game, key)}>
        {t(`tab_${tab}`)}
      </button>
    ))}
  </div>
);

function moveTab(game: GameStore, key: KeyboardEvent): void {
  const step = key.key === 'ArrowRight' ? 1 : key.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  key.preventDefault();
  const there: Tab[] = tabs.filter((tab) => tab !== 'mind' || game.hasMind.value);
  const next = there[(there.indexOf(game.tab.value) + step + there.length) % there.length] as Tab;
  game.tab.value = next;
  document.getElementById(`tab-${next}`)?.focus();
}

function RoundSelect({ game, onRound }: { game: GameStore; onRound: (index: number) => void }) {
  const docs = shownDocs.value;
  if (docs.length < 2) return null;
  return (
    <select class="field rounds" aria-label={t('docRound')} value={String(docs.findIndex((doc) => doc.id === game.doc.value.id))}
      onChange={(change) => onRound(Number((change.currentTarget as HTMLSelectElement).value))}>
      {docs.map((doc, i) => <option key={i} value={String(i)}>{shown(doc.id)}</option>)}
    </select>
  );
}

// That it runs, with the time that is left; or the way back to the newest event.
function LivePill({ game }: { game: GameStore }) {
  const clock = game.clock.value;
  const left = useSignal('');
  useEffect(() => {
    if (!clock) {
      left.value = '';
      return;
    }
    const tell = (): void => { left.value = clockText(clockLeft(clock, performance.now())); };
    tell();
    const timer = setInterval(tell, 250);
    return () => clearInterval(timer);
  }, [clock]);
  if (!game.following.value)
    return <button type="button" class="button strong" onClick={() => game.go(game.last.value)}>{t('toLive')}</button>;
  return <span class="pill live"><i /><span>{t('live')}</span>{left.value !== '' && <b role="timer" aria-live="off">{left.value}</b>}</span>;
}

export function GameBar({ game, home, onView, onRound }: { game: GameStore; home: string; onView: (view: ViewChoice) => void; onRound: (index: number) => void }) {
  const doc = game.doc.value;
  const running = game.status.value === 'running';
  const canShow = game.choices.includes('all') && !running;
  const open = game.view.value !== 'public';
  return (
    <TopBar home={home}>
      <h1 class="title" title={shown(doc.id)}><Name text={doc.id} /></h1>
      <RoundSelect game={game} onRound={onRound} />
      <span class="note rules wide-only">{t('rulesPlayers', { rules: shown(doc.rules.name), n: doc.rules.players })}</span>
      {running && <LivePill game={game} />}
      {(doc.status === 'aborted' || doc.status === 'truncated') && <span class="pill wide-only">{t(`status_${doc.status}`)}</span>}
      <ViewSelect game={game} onView={onView} />
      {canShow && (
        <button type="button" class="button reveal wide-only" aria-pressed={open} onClick={() => onView(open ? 'public' : 'all')}>
          {open ? t('hideRoles') : t('showRoles')}
        </button>
      )}
      <span class="space" />
      <TabBar game={game} />
    </TopBar>
  );
}

export const positionText = (game: GameStore): string => num(game.cursor.value + 1);
