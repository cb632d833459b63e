// Scores.tsx - what judges' ratings of a track came to: teams by criterion, people and each model apart,
// with how far they agree.
import { shown } from '../../parts/shown.ts';
import { lang } from '../../settings.ts';
import { When } from '../Frame.tsx';
import { here } from '../go.ts';
import { standingIn } from '../Inside.tsx';
import { useLoaded } from '../loaded.ts';
import { pathTo } from '../route.ts';
import { scoreSides, type ScoreSide } from '../scores.ts';
import type { Contest, Scores, TrackScores } from '../shapes.ts';
import { num, t, wordOf } from '../words.ts';

/** A share or coefficient with two digits behind the point; '–' for what can't be said. */
const figure = (value: number | null | undefined): string =>
  (typeof value === 'number' ? new Intl.NumberFormat(lang.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value) : '–');

function Sides({ path, track, sides, now }: { path: string; track: string; sides: readonly ScoreSide[]; now: ScoreSide }) {
  if (sides.length < 2) return null;
  return (
    <nav class="parts" aria-label={t('scoresBy')}>{sides.map((side) => (
      <a key={side.key} href={`${path}?stage=${encodeURIComponent(track)}&by=${encodeURIComponent(side.key)}`} aria-current={side.key === now.key ? 'page' : undefined}>
        {side.model === undefined ? t('scoresPeople') : <bdi>{shown(side.model)}</bdi>}
      </a>
    ))}</nav>
  );
}

/** A line below the table: a figure of each criterion. */
function Line({ name, values }: { name: string; values: readonly (number | null | undefined)[] }) {
  return <tr><td /><th scope="row">{name}</th><td />{values.map((value, i) => <td class="right" key={i}>{figure(value)}</td>)}</tr>;
}

function Table({ contest, side }: { contest: Contest; side: ScoreSide }) {
  const own = standingIn(contest).team;
  const { criteria } = side;
  return (
    <>
      <div class="panel scroll" tabIndex={0} role="region" aria-label={t('scoresTable')}>
        <table class="sheet scores">
          <thead><tr>
            <th scope="col" class="right">{t('rank')}</th><th scope="col">{t('team')}</th><th scope="col" class="right">{t('scoresTotal')}</th>
            {criteria.map((each) => <th scope="col" class="right" key={each.letter}>{each.letter}<span class="note">{wordOf('criterion_', each.letter)}</span></th>)}
          </tr></thead>
          <tbody>{side.teams.map((row) => (
            <tr key={row.team} class={row.team === own ? 'chosen' : ''}>
              <td class="right">{row.place === undefined ? '–' : num(row.place)}</td>
              <th scope="row"><bdi>{shown(row.team)}</bdi></th>
              <td class="right sum">{figure(row.total)}</td>
              {criteria.map((each) => {
                const cell = each.teams.find((one) => one.team === row.team);
                return <td class="right" key={each.letter}>{cell ? <>{figure(cell.score)}<span class="note">{t('placeN', { n: num(cell.place) })}</span></> : '–'}</td>;
              })}
            </tr>
          ))}</tbody>
          <tfoot>
            {side.model === undefined
              ? <><Line name={t('scoresAlpha')} values={criteria.map((each) => each.alpha)} /><Line name={t('scoresW')} values={criteria.map((each) => each.w)} /></>
              : <><Line name={t('scoresTau')} values={criteria.map((each) => each.tau)} /><Line name={t('scoresRepeat')} values={criteria.map((each) => each.w)} /><Line name={t('scoresPosition')} values={criteria.map((each) => each.position)} /></>}
          </tfoot>
        </table>
      </div>
      {criteria.some((each) => each.keptOut) && <p class="note below">{t('scoresKeptOut', { what: criteria.filter((each) => each.keptOut).map((each) => each.letter).join(', ') })}</p>}
    </>
  );
}

function Body({ contest, track, data }: { contest: Contest; track: string; data: TrackScores }) {
  const sides = scoreSides(data);
  const by = here.value.query.get('by') ?? '';
  const now = sides.find((side) => side.key === by) ?? sides[0];
  if (!now) return null;
  return (
    <section aria-labelledby="scores">
      <h2 id="scores">{t('scoresTitle')}</h2>
      <Sides path={pathTo(contest.name, 'standings')} track={track} sides={sides} now={now} />
      <Table contest={contest} side={now} />
      <p class="note below">{t('scoresNote')} {now.model === undefined ? t('scoresNotePeople') : t('scoresNoteModel')}</p>
    </section>
  );
}

/** Of one track, when judging is over; nothing where nobody judged. */
export function ScoresOf({ contest, track }: { contest: Contest; track: string }) {
  const over = contest.division === 'nlp' && ['APPEALS', 'PUBLISHED', 'ARCHIVED'].includes(contest.state);
  const loaded = useLoaded<Scores>(over ? `contests/${encodeURIComponent(contest.name)}/scores` : '');
  if (!over || loaded.trouble.value?.status === 404) return null;
  return <When of={loaded}>{(scores) => { const data = scores.tracks[track]; return data ? <Body contest={contest} track={track} data={data} /> : null; }}</When>;
}
