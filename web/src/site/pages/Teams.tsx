// Teams.tsx - who takes part.
import { shown } from '../../parts/shown.ts';
import { Empty } from '../../parts/States.tsx';
import { When } from '../Frame.tsx';
import { hasFinalists, Inside, standingIn } from '../Inside.tsx';
import { useLoaded } from '../loaded.ts';
import { pathTo } from '../route.ts';
import type { PageProps } from '../Site.tsx';
import type { Contest, Items, TeamRow } from '../shapes.ts';
import { t, wordOf } from '../words.ts';

export const TeamPill = ({ team }: { team: { state: string } }) => (
  <span class={team.state === 'IN' ? 'pill good' : team.state === 'OUT' ? 'pill warn' : 'pill'}>{wordOf('team_', team.state)}</span>
);

function List({ contest }: { contest: Contest }) {
  const teams = useLoaded<Items<TeamRow>>(`contests/${encodeURIComponent(contest.name)}/teams`);
  const { team: own, organiser } = standingIn(contest);
  return (
    <When of={teams}>{({ items }) => (items.length === 0 ? <Empty title={t('noTeams')} /> : (
      <ul class="items panel">{items.map((team) => {
        const inside = <><bdi class="item-name">{shown(team.name)}</bdi>{team.affiliation && <bdi class="note">{shown(team.affiliation)}</bdi>}</>;
        return (
          <li class="item" key={team.name}>
            {team.name === own || organiser ? <a class="item-main" href={pathTo(contest.name, 'team', team.name)}>{inside}</a> : <div class="item-main">{inside}</div>}
            {team.organiser && <span class="pill warn">{t('organisersTeam')}</span>}
            {team.version ? <span class="note">{t('versionN', { n: team.version })}</span> : null}
            {team.finalist && hasFinalists(contest) ? <span class="pill good">{t('finalist')}</span> : <TeamPill team={team} />}
          </li>
        );
      })}</ul>
    ))}</When>
  );
}

export const TeamsPage = ({ contest }: PageProps) => <Inside name={contest} title={t('tabTeams')}>{(inside) => <List contest={inside.contest} />}</Inside>;
