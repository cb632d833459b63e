// Lists.tsx - a table that is played, a room, a contest, a game: as they stand in lists.
import { base } from '../routes.tsx';
import type { ContestRow, GameRow, RoomRow, SessionRow } from '../shapes.ts';
import { fullTime, shortTime, spanText } from '../times.ts';
import { t, type WordKey } from '../words.ts';
import { shown } from './shown.ts';

export const gamePath = (id: string): string => `${base}g/${encodeURIComponent(id)}`;
export const roomPath = (code: string): string => `${base}r/${encodeURIComponent(code)}`;

const known: readonly string[] = ['protocol', 'nlp', 'maw'];
export const divisionWord = (division: string): string => (known.includes(division) ? t(`division${division}` as WordKey) : division);

export const When = ({ ms }: { ms: number | undefined }) =>
  ms === undefined ? null : <time dateTime={new Date(ms).toISOString()} title={fullTime(ms)}>{shortTime(ms)}</time>;

export const RoomLine = ({ room }: { room: RoomRow }) => (
  <li class="item">
    <a class="item-main" href={roomPath(room.code)}>
      <bdi class="item-name">{shown(room.title || room.code)}</bdi>
      <span class="note">{divisionWord(room.division)} · {t('playersN', { n: room.players })} · {t('roomPeople', { taken: room.seated ?? 0, n: room.people })}</span>
    </a>
    <span class={`pill state-${room.state}`}>{t(`roomState_${room.state}`)}</span>
  </li>
);

export function ContestLine({ contest }: { contest: ContestRow }) {
  const { played, planned, eta_ms: eta } = contest;
  const goes = planned !== undefined && planned > 0 && contest.complete !== true;
  const running = contest.complete === false && eta !== undefined;
  return (
    <li class="item">
      <a class="item-main" href={`${base}c/${encodeURIComponent(contest.id)}`}>
        <bdi class="item-name">{shown(contest.name || contest.id)}</bdi>
        <span class="note">
          {goes ? t('gamesOf', { n: played, all: planned }) : t('gamesN', { n: played })}
          {running && <> · {t('endsIn', { time: spanText(eta) })}</>}
        </span>
        {goes && (
          <progress class="progress" max={planned} value={Math.min(played, planned)} aria-label={t('gamesOf', { n: played, all: planned })} />
        )}
      </a>
      {contest.trouble && <span class="bad-text">{shown(contest.trouble)}</span>}
      {running && <span class="pill live">{t('statusRunning')}</span>}
    </li>
  );
}

export const SessionLine = ({ session }: { session: SessionRow }) => (
  <li class="item">
    <a class="item-main" href={`${base}s/${encodeURIComponent(session.id)}`}><bdi class="item-name">{shown(session.name || session.id)}</bdi>
      <span class="note">{t('openRounds', { n: session.rounds })}</span></a>
    <span class="note item-when"><When ms={session.at_ms} /></span>
  </li>
);

export const statusWord = (status: string): string | null =>
  status === 'running' ? t('statusRunning') : status === 'aborted' ? t('statusAborted') : status === 'truncated' ? t('statusTruncated') : null;

/** The contest and the game's number in it, as in "Autumn cup · game 99"; else the file's name. */
export function gameTitle(game: GameRow, contestName: string | undefined): string {
  const { contest, stage, game: number } = game;
  if (contest === undefined || number === undefined) return shown(game.name || game.id);
  return [shown(contestName || contest), ...(stage ? [t('stageN', { n: String(stage) })] : []), t('gameN', { n: String(number) })].join(' · ');
}

export function GameLine({ game, contestName }: { game: GameRow; contestName?: string | undefined }) {
  const status = statusWord(game.status);
  return (
    <li class="item">
      <a class="item-main" href={gamePath(game.id)}>
        <bdi class="item-name">{gameTitle(game, contestName)}</bdi>
        <span class="note">
          {shown(game.rules)} · {t('playersN', { n: game.players })}
          {game.round !== undefined && <> · {t('roundN', { n: game.round })}</>}
          {game.contest !== undefined && game.game === undefined && <> · <bdi>{shown(game.contest)}</bdi></>}
        </span>
      </a>
      {game.winner && <span class={`pill won-${game.winner}`}>{t(`winner${game.winner}`)}{game.days !== undefined && ` · ${t('dayN', { n: game.days })}`}</span>}
      {game.void && <span class="pill warn">{t('gameVoid')}</span>}
      {status && <span class={game.status === 'running' ? 'pill live' : 'pill'}>{status}</span>}
      <span class="note item-when"><When ms={game.began_ms || game.at_ms} /></span>
    </li>
  );
}
