// Home.tsx - what is here: tables that are played, rooms, contests, the latest games.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { feed } from '../live.ts';
import { useEach, useLoaded } from '../load.ts';
import { ContestLine, GameLine, LiveCard, RoomLine } from '../parts/Lists.tsx';
import { Empty, Frame, Loading, Trouble } from '../parts/Frame.tsx';
import { base, type PageProps } from '../routes.tsx';
import { choice } from '../settings.ts';
import type { GameRow, GamesData, HomeData } from '../shapes.ts';
import { t } from '../words.ts';
import { ChooseFiles } from './Open.tsx';
import { useSignal } from '@preact/signals';
import { get } from '../api.ts';
import { toast } from '../parts/Toast.tsx';

/** Winners in lists are shown when one wants it, not before. */
export const results = choice('results', ['hidden', 'shown'], 'hidden');

interface BlockProps {
  title: ComponentChildren;
  tools?: ComponentChildren;
  children: ComponentChildren;
}

const Block = ({ title, tools, children }: BlockProps) => (
  <section class="block">
    <div class="block-head"><h2>{title}</h2>{tools}</div>
    {children}
  </section>
);

const ResultSwitch = () => (
  <label class="switch">
    <input type="checkbox" checked={results.value === 'shown'} onChange={(event) => { results.value = event.currentTarget.checked ? 'shown' : 'hidden'; }} />
    {t('showResults')}
  </label>
);

function Games({ first }: { first: GameRow[] }) {
  const more = useSignal<GameRow[]>([]);
  const end = useSignal(first.length < 50);
  const all = [...first, ...more.value.filter((game) => !first.some((each) => each.id === game.id))];
  const load = async () => {
    const last = all[all.length - 1];
    if (!last) return;
    try {
      const next = await get<GamesData>(`games?limit=100&after=${encodeURIComponent(last.id)}${results.value === 'shown' ? '&results=1' : ''}`);
      more.value = [...more.value, ...next.games];
      end.value = next.next === undefined;
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), true);
    }
  };
  return (
    <Block title={t('homeGames')} tools={<ResultSwitch />}>
      <ul class="rows panel">{all.map((game) => <GameLine key={game.id} game={game} />)}</ul>
      {!end.value && <p class="after"><button type="button" class="button" onClick={() => void load()}>{t('homeMoreGames')}</button></p>}
    </Block>
  );
}

const OpenHint = () => (
  <section class="block openhint">
    <div><h2>{t('homeOpenTitle')}</h2><p class="note">{t('homeOpenText')}</p></div>
    <ChooseFiles />
    <a class="button" href={`${base}open`}>{t('openTitle')}</a>
  </section>
);

function Lists({ data }: { data: HomeData }) {
  const { live = [], rooms = [], contests = [], games = [] } = data;
  const nothing = live.length + rooms.length + contests.length + games.length === 0;
  return (
    <>
      {nothing && <Empty title={t('homeNothing')}><p>{t('homeNothingText')}</p></Empty>}
      {live.length > 0 && (
        <Block title={<><span class="livedot" aria-hidden="true" />{t('homeLive')} <span class="count">{live.length}</span></>}
          tools={live.length > 1 && <a class="button quiet" href={`${base}wall?tables=${Math.min(9, live.length)}`}>{t('wallLink')}</a>}>
          <ul class="cards">{live.map((table) => <LiveCard key={table.id} table={table} />)}</ul>
        </Block>
      )}
      {(rooms.length > 0 || contests.length > 0) && (
        <div class="pair">
          {rooms.length > 0 && <Block title={t('homeRooms')}><ul class="rows panel">{rooms.map((room) => <RoomLine key={room.code} room={room} />)}</ul></Block>}
          {contests.length > 0 && <Block title={t('homeContests')}><ul class="rows panel">{contests.map((contest) => <ContestLine key={contest.id} contest={contest} />)}</ul></Block>}
        </div>
      )}
      {games.length > 0 && <Games first={games} />}
      <OpenHint />
    </>
  );
}

export function Home(_: PageProps) {
  const path = results.value === 'shown' ? 'home?results=1' : 'home';
  const { value, trouble, again } = useLoaded<HomeData>(path);
  useEffect(() => {
    const deaf = feed.onMessage((message) => {
      if (message.type !== 'home' || !value.value) return;
      const { type: _type, games: _games, ...changed } = message;
      value.value = { ...value.value, ...(changed as HomeData) };
      if ('games' in message) again();
    });
    const leave = feed.follow({ type: 'watch', home: true });
    return () => {
      deaf();
      leave();
    };
  }, []);
  useEach(30_000, again);
  return (
    <Frame title={t('siteName')}>
      {value.value ? <Lists data={value.value} /> : trouble.value ? <Trouble trouble={trouble.value} again={again} /> : <Loading />}
    </Frame>
  );
}
