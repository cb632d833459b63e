// Home.tsx - what is here: tables that are played, rooms, contests, the latest games.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { WATCHES_MAX } from '../feed.ts';
import { feed } from '../live.ts';
import { useEach, useLoaded } from '../load.ts';
import { ContestLine, GameLine, gamePath, RoomLine, SessionLine } from '../parts/Lists.tsx';
import { LiveTable } from '../parts/LiveTable.tsx';
import { momentText } from '../parts/MiniTable.tsx';
import { shown } from '../parts/shown.ts';
import { Empty, Frame, Loading, Trouble } from '../parts/Frame.tsx';
import { base, type PageProps } from '../routes.tsx';
import { choice } from '../settings.ts';
import type { ContestRow, GameRow, GamesData, HomeData, LiveTable as LiveRow, RoomRow } from '../shapes.ts';
import { nameTables } from '../wall_places.ts';
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

function Games({ first, contests }: { first: GameRow[]; contests: ContestRow[] }) {
  const names = new Map(contests.map((contest) => [contest.id, contest.name]));
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
      <ul class="items panel">{all.map((game) => <GameLine key={game.id} game={game} contestName={names.get(game.contest ?? '')} />)}</ul>
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

// As many as the feed may watch are drawn; of more the first, and the others are lines.
const names = new Map<string, string>();

function Live({ tables, rooms }: { tables: LiveRow[]; rooms: RoomRow[] }) {
  nameTables(names, rooms);
  const drawn = tables.slice(0, tables.length <= WATCHES_MAX ? WATCHES_MAX : WATCHES_MAX - 1);
  const rest = tables.slice(drawn.length);
  return (
    <>
      <ul class="tiles">{drawn.map((table) => <li class="tile" key={table.id}><LiveTable id={table.id} title={names.get(table.id)} /></li>)}</ul>
      {rest.length > 0 && (
        <ul class="items panel more">{rest.map((table) => (
          <li class="item" key={table.id}><a class="item-main" href={gamePath(table.id)}><bdi class="item-name">{shown(names.get(table.id) ?? table.id)}</bdi>
            <span class="note">{shown(table.rules)} · {t('playersN', { n: table.players })} · {momentText(table.day, table.night)}</span></a></li>
        ))}</ul>
      )}
    </>
  );
}

function Lists({ data }: { data: HomeData }) {
  const { rooms = [], contests = [], sessions = [] } = data;
  const live = (data.live ?? []).filter((table) => !table.over);
  const games = (data.games ?? []).filter((game) => !live.some((table) => table.id === game.id));
  const nothing = live.length + rooms.length + contests.length + games.length + sessions.length === 0;
  return (
    <>
      {nothing && <Empty title={t('homeNothing')}><p>{t('homeNothingText')}</p></Empty>}
      {live.length > 0 && (
        <Block title={<><span class="livedot" aria-hidden="true" />{t('homeLive')} <span class="howmany">{live.length}</span></>}
          tools={live.length > 1 && <a class="button quiet" href={`${base}wall?tables=${Math.min(9, live.length)}`}>{t('wallLink')}</a>}>
          <Live tables={live} rooms={rooms} />
        </Block>
      )}
      {rooms.length + contests.length + sessions.length > 0 && (
        <div class="pair">
          {rooms.length > 0 && <Block title={t('homeRooms')}><ul class="items panel">{rooms.map((room) => <RoomLine key={room.code} room={room} />)}</ul></Block>}
          {contests.length > 0 && <Block title={t('homeContests')}><ul class="items panel">{contests.map((contest) => <ContestLine key={contest.id} contest={contest} />)}</ul></Block>}
          {sessions.length > 0 && <Block title={t('homeSessions')}><ul class="items panel">{sessions.map((session) => <SessionLine key={session.id} session={session} />)}</ul></Block>}
        </div>
      )}
      {games.length > 0 && <Games first={games} contests={contests} />}
      <OpenHint />
    </>
  );
}

export function Home(_: PageProps) {
  const path = results.value === 'shown' ? 'home?results=1' : 'home';
  const { value, trouble, again } = useLoaded<HomeData>(path);
  // A server that plays nothing has no feed, and tells of no live tables.
  const plays = value.value?.live !== undefined;
  useEffect(() => {
    if (!plays) return;
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
  }, [plays]);
  useEach(30_000, again);
  return (
    <Frame title={t('siteName')}>
      {value.value ? <Lists data={value.value} /> : trouble.value ? <Trouble trouble={trouble.value} again={again} /> : <Loading />}
    </Frame>
  );
}
