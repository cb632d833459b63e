// GamePage.tsx - one game: the table, the log, its course. From the server by ID, or documents that
// came in an exported file or were opened.
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { GameDoc } from '../doc.ts';
import { exported, shownDocs } from '../opened.ts';
import { toast } from '../parts/Toast.tsx';
import { FaceDefs } from '../parts/Face.tsx';
import { hues } from '../parts/Chip.tsx';
import { TopBar } from '../parts/TopBar.tsx';
import { base, type PageProps } from '../routes.tsx';
import { aloud, lang } from '../settings.ts';
import { t } from '../words.ts';
import { Controls, usePlaying } from './Controls.tsx';
import { Find } from './Find.tsx';
import { GameBar } from './GameBar.tsx';
import { readMoment } from './hash.ts';
import { KeyList } from './KeyList.tsx';
import { useKeys, type KeyActs } from './keys.ts';
import { applyMoment, chooseView, copyLink, loadGame, useAddress } from './load.ts';
import { Log } from './Log.tsx';
import { Menu } from './Menu.tsx';
import { MindTab } from './Mind.tsx';
import { momentSentence } from './moment.ts';
import { Scrubber } from './Scrubber.tsx';
import { ofServer, type GameSource } from './source.ts';
import { Stage } from './Stage.tsx';
import { GameStore, type ViewChoice } from './store.ts';
import { ClaimsTab, Stances, Votes } from './Tabs.tsx';

/** Takes documents of one game in: those of all views, the public one shown first. */
export function showDocs(game: GameStore, docs: readonly GameDoc[]): void {
  const [first] = docs;
  if (!first) return;
  game.reset();
  for (const doc of docs) if (doc.id === first.id) game.put(doc);
  const shownFirst = docs.find((doc) => doc.id === first.id && doc.view.kind === 'public') ?? first;
  game.show(shownFirst);
}

async function showOpened(game: GameStore, docs: readonly GameDoc[]): Promise<void> {
  showDocs(game, docs);
  if (game.hasAll && game.status.value !== 'running') await game.choose('public');
  game.go(0);
  await applyMoment(game, readMoment(location.hash));
}

// The new moment alone, for screen readers, as much of it as they want.
function StatusLine({ game }: { game: GameStore }) {
  const course = game.course.value;
  const event = course.event(game.resting.value);
  const deeds = event && !['talk', 'whisper', 'fault', 'notice'].includes(event.kind);
  const tells = event && (aloud.value === 'all' || (aloud.value === 'deeds' && deeds));
  return <div class="unseen" role="status">{tells ? momentSentence(course, event, true) : ''}</div>;
}

function Panel({ game }: { game: GameStore }) {
  const tab = game.tab.value;
  return (
    <div class="panelbody" id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
      {tab === 'log' && <Log key={`${game.doc.value.id}/${String(game.view.value)}`} game={game} telling={game.telling.value} />}
      {tab === 'votes' && <Votes game={game} />}
      {tab === 'claims' && <ClaimsTab game={game} />}
      {tab === 'stances' && <Stances game={game} />}
      {tab === 'mind' && <MindTab game={game} />}
    </div>
  );
}

/** The page around a store that has a document. */
export function GameFrame({ game, source }: { game: GameStore; source: GameSource | null }) {
  const finding = useSignal(false);
  const listing = useSignal(false);
  const menu = useSignal(false);
  const view = (choice: ViewChoice): void => void chooseView(game, choice);
  const acts: KeyActs = useMemo(() => ({
    view: (choice) => view(choice === game.view.value ? 'public' : choice),
    link: () => void copyLink(game).then((done) => toast(t(done ? 'copied' : 'notCopied'), !done)),
    find: () => { game.tab.value = 'log'; finding.value = true; },
    list: () => { listing.value = true; },
  }), [game]);
  useKeys(game, acts);
  usePlaying(game);
  useAddress(game);
  useSignalEffect(() => {
    document.title = `${game.doc.value.id} – warg`;
  });
  const seats = game.doc.value.seats;
  void lang.value;
  return (
    <div class="screen game" style={hues(seats.length)}>
      <FaceDefs seats={seats} />
      <GameBar game={game} home={source?.home ?? ''} onView={view}
        onRound={(index) => { const doc = shownDocs.value[index]; if (doc) void showOpened(game, [doc]); }} />
      <main class="board">
        <Stage game={game} onView={(seat) => {
          if (game.choices.includes(seat)) acts.view(seat);
        }} />
        <section class="side" aria-label={t('panels')}>
          {finding.value && <Find game={game} onClose={() => { finding.value = false; }} />}
          <Panel game={game} />
        </section>
      </main>
      <footer class="foot">
        <Controls game={game} onLink={acts.link} onMenu={() => { menu.value = true; }} />
        <Scrubber game={game} />
      </footer>
      <StatusLine game={game} />
      {menu.value && <Menu game={game} log={source?.log ?? ''} onClose={() => { menu.value = false; }} onLink={acts.link} onKeys={acts.list} onFind={acts.find} onView={view} />}
      {listing.value && <KeyList onClose={() => { listing.value = false; }} />}
    </div>
  );
}

const Waiting = ({ text, home, onAgain }: { text: string; home: string; onAgain?: () => void }) => (
  <div class="screen">
    <TopBar home={home} />
    <main class="page empty">
      {onAgain ? <><h1>{t('cannotShow')}</h1><p>{text}</p><button type="button" class="button" onClick={onAgain}>{t('again')}</button>{home !== '' && <p><a href={home}>{t(home === base ? 'toHome' : 'toBack')}</a></p>}</> : <p class="soft">{text}</p>}
    </main>
  </div>
);

export function GamePage({ id, source = ofServer(id) }: PageProps & { source?: GameSource }) {
  const home = exported.value ? '' : source.home;
  const game = useMemo(() => new GameStore(), [id]);
  const state = useSignal<'waiting' | 'shown' | 'failed'>('waiting');
  const trouble = useSignal('');
  const begun = useRef(0);
  const stop = useRef<(() => void) | undefined>(undefined);
  const load = (): (() => void) => {
    const run = ++begun.current;
    state.value = 'waiting';
    const docs = shownDocs.value;
    (docs.length > 0 ? showOpened(game, docs).then(() => () => {}) : loadGame(game, id, source)).then(
      (deaf) => {
        if (run !== begun.current) return deaf();
        stop.current = deaf;
        state.value = 'shown';
      },
      (error: unknown) => {
        if (run !== begun.current) return;
        trouble.value = error instanceof Error ? error.message : String(error);
        state.value = 'failed';
      });
    return () => {
      begun.current++;
      stop.current?.();
    };
  };
  useEffect(load, [game, shownDocs.value]);
  if (state.value === 'failed') return <Waiting text={trouble.value} home={home} onAgain={() => void load()} />;
  if (state.value === 'waiting') return <Waiting text={t('loading')} home={home} />;
  if (game.course.value.length === 0 && game.status.value !== 'running') return <Waiting text={t('emptyGame')} home={home} />;
  return <GameFrame game={game} source={exported.value ? null : source} />;
}
