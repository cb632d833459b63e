// Games.tsx - games that were played, as far as the reader may see them; to watch one is a page of the
// games' app.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { shown } from '../../parts/shown.ts';
import { Empty, Loading } from '../../parts/States.tsx';
import { toast } from '../../parts/Toast.tsx';
import { asTrouble, get, type ApiError } from '../ask.ts';
import { Trouble, When } from '../Frame.tsx';
import { go, here } from '../go.ts';
import { Inside, standingIn } from '../Inside.tsx';
import { useLoaded } from '../loaded.ts';
import { When as Date_ } from '../Moment.tsx';
import { pathTo } from '../route.ts';
import type { PageProps } from '../Site.tsx';
import type { Contest, Items, SiteGame } from '../shapes.ts';
import { t, wordOf } from '../words.ts';

function Line({ contest, game }: { contest: string; game: SiteGame }) {
  const teams = game.teams ?? [];
  return (
    <li class="item">
      <a class="item-main" href={pathTo(contest, 'games', game.id)}>
        <span class="item-name">{game.stage !== undefined && <>{wordOf('stage_', game.stage)} · </>}{t('gameNumber', { n: String(game.game ?? game.id) })}</span>
        <span class="note"><bdi>{shown(teams.join(', '))}</bdi></span>
      </a>
      {(game.counted === false || game.void) && <span class="pill warn">{t('notCounted')}</span>}
      {game.winner && <span class="pill">{wordOf('won_', game.winner)}</span>}
      <span class="note item-when"><Date_ at={game.ended} /></span>
    </li>
  );
}

function Body({ contest }: { contest: Contest }) {
  const { query } = here.value;
  const stage = query.get('stage') ?? '';
  const team = query.get('team') ?? '';
  const asked = `contests/${encodeURIComponent(contest.name)}/games?stage=${encodeURIComponent(stage)}&team=${encodeURIComponent(team)}`;
  const found = useSignal<{ asked: string; items: SiteGame[]; next: string | undefined } | null>(null);
  const trouble = useSignal<ApiError | null>(null);
  const load = (next = ''): void => {
    get<Items<SiteGame>>(asked + (next ? `&cursor=${encodeURIComponent(next)}` : '')).then((page) => {
      trouble.value = null;
      found.value = { asked, items: [...(next && found.value?.asked === asked ? found.value.items : []), ...page.items], next: page.next };
    }, (error: unknown) => {
      if (next) toast(asTrouble(error).message, true);
      else trouble.value = asTrouble(error);
    });
  };
  useEffect(() => load(), [asked]);
  const own = standingIn(contest).team;
  const with_ = (name: string, value: string): void => {
    const changed = new URLSearchParams(query);
    if (value) changed.set(name, value);
    else changed.delete(name);
    const text = changed.toString();
    go(pathTo(contest.name, 'games') + (text ? `?${text}` : ''), 'replace');
  };
  const now = found.value?.asked === asked ? found.value : null;
  return (
    <>
      <div class="fields filterline">
        <label class="labelled">{t('stages')}<select class="field" value={stage} onChange={(event) => with_('stage', event.currentTarget.value)}>
          <option value="">{t('all')}</option>{[...(contest.stages ?? []).map((each) => each.name), 'testing'].map((each) => <option key={each} value={each}>{wordOf('stage_', each)}</option>)}
        </select></label>
        <label class="labelled">{t('team')}<input class="field" value={team} onChange={(event) => with_('team', event.currentTarget.value.trim())} autocomplete="off" /></label>
        {own && <button type="button" class="button" aria-pressed={team === own} onClick={() => with_('team', team === own ? '' : own)}>{t('ownGames')}</button>}
      </div>
      {trouble.value ? <Trouble trouble={trouble.value} again={() => load()} /> : !now ? <Loading /> : now.items.length === 0 ? <Empty title={t('noGames')}><p>{t('noGamesText')}</p></Empty> : (
        <>
          <ul class="items panel">{now.items.map((game) => <Line key={game.id} contest={contest.name} game={game} />)}</ul>
          {now.next && <p class="after"><button type="button" class="button" onClick={() => load(now.next)}>{t('moreGames')}</button></p>}
        </>
      )}
    </>
  );
}

export const GamesPage = ({ contest }: PageProps) => <Inside name={contest} title={t('tabGames')}>{(inside) => <Body contest={inside.contest} />}</Inside>;

function One({ contest, id }: { contest: Contest; id: string }) {
  const path = `contests/${encodeURIComponent(contest.name)}/games/${encodeURIComponent(id)}`;
  const loaded = useLoaded<SiteGame>(path);
  const standing = standingIn(contest);
  const over = contest.state === 'PUBLISHED' || contest.state === 'ARCHIVED';
  // The reader's program was in it, and what it printed is kept: programs that play by a track print elsewhere.
  const hasOutput = (game: SiteGame): boolean => contest.division !== 'nlp' && (game.seats?.some((seat) => seat.team !== '' && seat.team === standing.team) ?? false);
  return (
    <When of={loaded}>{(game) => (
      <>
        <div class="block-head"><h2>{game.stage !== undefined && <>{wordOf('stage_', game.stage)} · </>}{t('gameNumber', { n: String(game.game ?? game.id) })}</h2><Date_ at={game.ended} /></div>
        <p class="acts">
          {game.log !== false && <a class="button strong" href={pathTo(contest.name, 'games', game.id, 'watch')}>{t('watchGame')}</a>}
          {game.log !== false && <a class="button" href={`/api/v1/${path}/log`} download>{t('gameLog')}</a>}
          {hasOutput(game) && game.output_kept !== false && <a class="button" href={`/api/v1/${path}/output`} download>{t('gameOutput')}</a>}
          {(standing.organiser || over) && game.log !== false && <a class="button" href={`/api/v1/${path}/exchange`} download>{t('gameExchange')}</a>}
          {standing.captain && <a class="button" href={`${pathTo(contest.name, 'team', standing.team)}?part=findings&about=game&object=${encodeURIComponent(game.id)}`}>{t('appealGame')}</a>}
        </p>
        {game.log === false && <p class="note">{t('gameNoLog')}</p>}
        {hasOutput(game) && game.output_kept === false && <p class="note">{t('gameOutputGone')}</p>}
        {game.seats && game.seats.length > 0 && (
          <div class="panel scroll" tabIndex={0} role="region" aria-label={t('seats')}>
            <table class="sheet">
              <thead><tr><th scope="col" class="right">{t('seat')}</th><th scope="col">{t('team')}</th><th scope="col">{t('role')}</th><th scope="col">{t('result')}</th></tr></thead>
              <tbody>{game.seats.map((seat) => (
                <tr key={seat.seat}><td class="right">{seat.seat}</td><th scope="row">{seat.team ? <bdi>{shown(seat.team)}</bdi> : <span class="note">{t('seatSample')}</span>}</th><td>{seat.role ? wordOf('role_', seat.role) : ''}</td><td>{seat.won === undefined ? '' : t(seat.won ? 'wonYes' : 'wonNo')}</td></tr>
              ))}</tbody>
            </table>
          </div>
        )}
        <p class="below"><a href={pathTo(contest.name, 'games')}>{t('allGames')}</a></p>
      </>
    )}</When>
  );
}

export const GamePage = ({ contest, id }: PageProps) => <Inside name={contest} title={t('tabGames')}>{(inside) => <One contest={inside.contest} id={id} />}</Inside>;
