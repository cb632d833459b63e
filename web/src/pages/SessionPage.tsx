// SessionPage.tsx - a session of the house's game: its rounds, and the points of the players.
import { Frame, Loading, Trouble } from '../parts/Frame.tsx';
import { gamePath, statusWord } from '../parts/Lists.tsx';
import { shown } from '../parts/shown.ts';
import { useLoaded } from '../load.ts';
import type { PageProps } from '../routes.tsx';
import type { SessionData } from '../shapes.ts';
import { num, t } from '../words.ts';
import { results } from './Home.tsx';

const Rounds = ({ session }: { session: SessionData }) => (
  <section class="block">
    <div class="block-head"><h2>{t('sessionRounds')}</h2>
      <label class="switch"><input type="checkbox" checked={results.value === 'shown'} onChange={(event) => { results.value = event.currentTarget.checked ? 'shown' : 'hidden'; }} />{t('showResults')}</label>
    </div>
    <ul class="items panel">
      {session.rounds.map((round) => (
        <li class="item" key={round.game}>
          <a class="item-main" href={gamePath(round.game)}><span class="item-name">{t('roundN', { n: round.round })}</span>
            {round.players !== undefined && <span class="note">{t('playersN', { n: round.players })}</span>}</a>
          {results.value === 'shown' && round.winner && <span class={`pill won-${round.winner}`}>{t(`winner${round.winner}`)}</span>}
          {statusWord(round.status) && <span class={round.status === 'running' ? 'pill live' : 'pill'}>{statusWord(round.status)}</span>}
        </li>
      ))}
    </ul>
  </section>
);

const Points = ({ session }: { session: SessionData }) => (
  <section class="block">
    <div class="block-head"><h2 id="points">{t('sessionPoints')}</h2></div>
    <div class="panel scroll" tabIndex={0} role="region" aria-labelledby="points">
      <table class="sheet">
        <thead><tr><th scope="col">{t('sessionPlayer')}</th>{session.rounds.map((round) => <th scope="col" key={round.game}><a href={gamePath(round.game)}>{round.round}</a></th>)}<th scope="col">{t('sessionTotal')}</th></tr></thead>
        <tbody>
          {[...session.seats].sort((a, b) => (b.total ?? 0) - (a.total ?? 0)).map((seat) => (
            <tr key={seat.name}>
              <th scope="row"><bdi class="name">{shown(seat.name)}</bdi>{seat.agent !== undefined && <> <bdi class="note">{shown(seat.agent)}</bdi></>}</th>
              {session.rounds.map((round, i) => <td key={round.game}>{seat.points?.[i] ?? '–'}</td>)}
              <td class="sum">{seat.total === undefined ? '–' : num(seat.total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
);

export function SessionPage({ id }: PageProps) {
  const { value, trouble, again } = useLoaded<SessionData>(`sessions/${encodeURIComponent(id)}`);
  const session = value.value;
  return (
    <Frame title={session?.name ?? id}>
      {session ? <><Rounds session={session} />{results.value === 'shown' && session.seats.length > 0 && <Points session={session} />}</>
        : trouble.value ? <Trouble trouble={trouble.value} again={again} /> : <Loading />}
    </Frame>
  );
}
