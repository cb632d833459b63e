// Standings.tsx - who has won how much: rates that decide, intervals that tell how sure they are.
import { useSignal } from '@preact/signals';
import { shown } from '../../parts/shown.ts';
import { useEach } from '../../load.ts';
import { lang } from '../../settings.ts';
import { Empty } from '../../parts/States.tsx';
import { When } from '../Frame.tsx';
import { here } from '../go.ts';
import { Inside, standingIn } from '../Inside.tsx';
import { useLoaded } from '../loaded.ts';
import { pathTo } from '../route.ts';
import type { PageProps } from '../Site.tsx';
import { ScoresOf } from './Scores.tsx';
import type { Contest, StandingRow, Standings } from '../shapes.ts';
import { num, t, wordOf } from '../words.ts';

export const percent = (part: number): string => new Intl.NumberFormat(lang.value, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(part);

/** How many games of each it takes to tell two rates apart (power 0.8 at the level 0.05); undefined for equal ones. Pure. */
export function gamesApart(one: number, other: number): number | undefined {
  const p = (one + other) / 2;
  const d = Math.abs(one - other);
  return d > 0 ? Math.ceil(2 * p * (1 - p) * ((1.96 + 0.842) / d) ** 2) : undefined;
}

/** The interval as a line and the rate as a dot, on a scale from `from` to `to`. */
function Span({ row, from, to }: { row: StandingRow; from: number; to: number }) {
  if (row.low === undefined || row.high === undefined) return null;
  const x = (rate: number): string => (4 + (112 * (rate - from)) / Math.max(to - from, 1e-9)).toFixed(1);
  return (
    <svg class="span" viewBox="0 0 120 16" aria-hidden="true">
      <path class="strip-line" d={`M4 8H116`} />
      <path class="span-line" d={`M${x(row.low)} 8H${x(row.high)}`} />
      <circle class="span-dot" cx={x(row.rate)} cy="8" r="4" />
    </svg>
  );
}

function apart(row: StandingRow, next: StandingRow | undefined): string {
  const games = next && next.games > 0 && row.games > 0 ? gamesApart(row.rate, next.rate) : undefined;
  return games === undefined ? '–' : num(games);
}

function Table({ contest, data }: { contest: Contest; data: Standings }) {
  const rows = data.rows;
  const own = standingIn(contest).team;
  const parts = [...new Set(rows.flatMap((row) => (row.parts ?? []).map((part) => part.players)))].sort((a, b) => a - b);
  const from = Math.min(1, ...rows.map((row) => row.low ?? row.rate));
  const to = Math.max(0, ...rows.map((row) => row.high ?? row.rate));
  const several = parts.length > 1;
  const more = useSignal(false);
  const roles = more.value ? ['VILLAGER', 'SEER', 'MEDIUM', 'BODYGUARD', 'POSSESSED', 'WEREWOLF'].filter((role) => rows.some((row) => row.roles?.some((each) => each.role === role && each.games > 0))) : [];
  return (
    <>
      <label class="switch"><input type="checkbox" checked={more.value} onChange={(event) => { more.value = event.currentTarget.checked; }} />{t('moreFigures')}</label>
      <div class="panel scroll" tabIndex={0} role="region" aria-label={t('standingsTable')}>
        <table class="sheet">
          <thead><tr>
            <th scope="col" class="right">{t('rank')}</th><th scope="col">{t('team')}</th><th scope="col" class="right">{t('rate')}</th><th scope="col">{t('interval')}</th>
            <th scope="col" class="right">{t('wins')}</th><th scope="col" class="right">{t('games')}</th>
            {several && parts.map((players) => <th scope="col" class="right" key={players}>{t('playersN', { n: players })}</th>)}
            {roles.map((role) => <th scope="col" class="right" key={role}>{wordOf('role_', role)}</th>)}
            {more.value && <th scope="col" class="right">{t('gamesApart')}</th>}
            <th scope="col" class="right">{t('faults')}</th>
          </tr></thead>
          <tbody>{rows.map((row, i) => (
            <tr key={row.team} class={row.team === own ? 'chosen' : ''}>
              <td class="right">{row.eliminated ? '–' : row.rank ?? '–'}</td>
              <th scope="row"><bdi>{shown(row.team)}</bdi>{row.eliminated && <> <span class="pill warn">{t('eliminated')}</span></>}</th>
              <td class="right sum">{row.games > 0 ? percent(row.rate) : '–'}</td>
              <td>{row.games > 0 && row.low !== undefined && row.high !== undefined && <><Span row={row} from={from} to={to} /> <span class="note">{percent(row.low)}–{percent(row.high)}</span></>}</td>
              <td class="right">{num(row.wins)}</td><td class="right">{num(row.games)}</td>
              {several && parts.map((players) => {
                const part = row.parts?.find((each) => each.players === players);
                return <td class="right" key={players}>{part && part.games > 0 ? percent(part.wins / part.games) : '–'}</td>;
              })}
              {roles.map((role) => {
                const part = row.roles?.find((each) => each.role === role);
                return <td class="right" key={role}>{part && part.games > 0 ? percent(part.wins / part.games) : '–'}</td>;
              })}
              {more.value && <td class="right">{apart(row, rows[i + 1])}</td>}
              <td class="right">{row.faults === undefined ? '' : num(row.faults)}</td>
            </tr>
          ))}</tbody>
        </table>
      </div>
      <p class="note below">{t('standingsNote')}</p>
    </>
  );
}

function Body({ contest }: { contest: Contest }) {
  const stage = here.value.query.get('stage') ?? '';
  const loaded = useLoaded<Standings>(`contests/${encodeURIComponent(contest.name)}/standings${stage ? `?stage=${encodeURIComponent(stage)}` : ''}`);
  useEach(30_000, loaded.again);
  return (
    <When of={loaded}>{(data) => (
      <>
        {data.stages.length > 1 && (
          <nav class="parts" aria-label={t('stages')}>{data.stages.map((each) => (
            <a key={each} href={`${pathTo(contest.name, 'standings')}?stage=${encodeURIComponent(each)}`} aria-current={each === data.stage ? 'page' : undefined}>{wordOf('stage_', each)}</a>
          ))}</nav>
        )}
        {data.rows.length === 0 ? <Empty title={t('noStandings')}><p>{t('noStandingsText')}</p></Empty> : <Table contest={contest} data={data} />}
        <ScoresOf contest={contest} track={stage || data.stage} />
      </>
    )}</When>
  );
}

export const StandingsPage = ({ contest }: PageProps) => <Inside name={contest} title={t('tabStandings')} wide>{(inside) => <Body contest={inside.contest} />}</Inside>;
