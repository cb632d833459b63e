// Lists.tsx - a table that is played, a room, a contest, a game: as they stand in lists.
import { base } from '../routes.tsx';
import type { ContestRow, GameRow, LiveTable, Room } from '../shapes.ts';
import { fullTime, shortTime, spanText } from '../times.ts';
import { num, t, type WordKey } from '../words.ts';
import { MiniTable, type MiniSeat } from './MiniTable.tsx';
import { shown } from './shown.ts';

export const gamePath = (id: string): string => `${base}g/${encodeURIComponent(id)}`;
export const roomPath = (code: string): string => `${base}r/${encodeURIComponent(code)}`;

const known: readonly string[] = ['protocol', 'nlp', 'maw'];
export const divisionWord = (division: string): string => (known.includes(division) ? t(`division${division}` as WordKey) : division);

export const When = ({ ms }: { ms: number | undefined }) =>
  ms === undefined ? null : <time dateTime={new Date(ms).toISOString()} title={fullTime(ms)}>{shortTime(ms)}</time>;

export function miniSeats(table: LiveTable): MiniSeat[] {
  const dead = new Set(table.dead ?? []);
  return Array.from({ length: table.players }, (_, i) => ({ seat: i + 1, name: table.names[i] ?? `Agent[${String(i + 1).padStart(2, '0')}]`, dead: dead.has(i + 1) }));
}

export const LiveCard = ({ table }: { table: LiveTable }) => (
  <li class="card">
    <a href={gamePath(table.id)}>
      <MiniTable name={table.name ?? table.id} seats={miniSeats(table)} day={table.day} night={table.night} />
      <span class="card-foot"><bdi class="row-name">{shown(table.name ?? table.id)}</bdi><span class="note">{shown(table.rules)} · {num(table.players)}</span></span>
    </a>
  </li>
);

export const RoomLine = ({ room }: { room: Room }) => (
  <li class="row">
    <a class="row-main" href={roomPath(room.code)}>
      <bdi class="row-name">{shown(room.name ?? room.code)}</bdi>
      <span class="note">{divisionWord(room.division)} · {t('playersN', { n: room.players })} · {t('roomPeople', { taken: room.guests?.length ?? room.taken ?? 0, n: room.people })}</span>
    </a>
    <span class={`pill state-${room.state}`}>{t(`roomState_${room.state}`)}</span>
  </li>
);

export function ContestLine({ contest }: { contest: ContestRow }) {
  const { played, planned, eta_ms: eta } = contest;
  return (
    <li class="row">
      <a class="row-main" href={`${base}c/${encodeURIComponent(contest.id)}`}>
        <bdi class="row-name">{shown(contest.name ?? contest.id)}</bdi>
        <span class="note">
          {planned ? t('gamesOf', { n: played, all: planned }) : num(played)}
          {contest.running && eta !== undefined && <> · {t('endsIn', { time: spanText(eta) })}</>}
        </span>
        {planned !== undefined && planned > 0 && (
          <progress class="bar" max={planned} value={Math.min(played, planned)} aria-label={t('gamesOf', { n: played, all: planned })} />
        )}
      </a>
      {contest.running && <span class="pill live">{t('statusRunning')}</span>}
    </li>
  );
}

export const statusWord = (status: string): string | null =>
  status === 'running' ? t('statusRunning') : status === 'aborted' ? t('statusAborted') : status === 'truncated' ? t('statusTruncated') : null;

export function GameLine({ game }: { game: GameRow }) {
  const status = statusWord(game.status);
  return (
    <li class="row">
      <a class="row-main" href={game.session && game.session === game.id ? `${base}s/${encodeURIComponent(game.id)}` : gamePath(game.id)}>
        <bdi class="row-name">{shown(game.name ?? game.id)}</bdi>
        <span class="note">
          {shown(game.rules)} · {t('playersN', { n: game.players })}
          {game.rounds !== undefined && <> · {t('openRounds', { n: game.rounds })}</>}
          {game.contest !== undefined && <> · <bdi>{shown(game.contest)}</bdi></>}
        </span>
      </a>
      {game.winner && <span class={`pill won-${game.winner}`}>{t(`winner${game.winner}`)}{game.days !== undefined && ` · ${t('dayN', { n: game.days })}`}</span>}
      {status && <span class={game.status === 'running' ? 'pill live' : 'pill'}>{status}</span>}
      <span class="note row-when"><When ms={game.began_ms} /></span>
    </li>
  );
}
