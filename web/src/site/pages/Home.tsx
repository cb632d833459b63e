// Home.tsx - the contests of this server: those that go on first.
import { spanText } from '../../times.ts';
import { Empty } from '../../parts/States.tsx';
import { shown } from '../../parts/shown.ts';
import { siteNow } from '../clock.ts';
import { nextDate, zoneOf } from '../dates.ts';
import { Block, Frame, When } from '../Frame.tsx';
import { useLoaded } from '../loaded.ts';
import { me } from '../me.ts';
import { Moment } from '../Moment.tsx';
import { pathTo } from '../route.ts';
import type { ContestRow, Items } from '../shapes.ts';
import { both, t } from '../words.ts';
import { StatePill } from '../StatePill.tsx';

export const titleOf = (contest: ContestRow): string => both(contest.title) || contest.name;

function Line({ contest }: { contest: ContestRow }) {
  const next = nextDate(contest, siteNow());
  const mine = me.value?.teams.find((each) => each.contest === contest.name);
  return (
    <li class="item">
      <a class="item-main" href={pathTo(contest.name)}>
        <bdi class="item-name">{shown(titleOf(contest))}</bdi>
        <span class="note">
          {t(contest.division === 'nlp' ? 'divisionNlp' : 'divisionProtocol')}
          {contest.teams !== undefined && <> · {t('teamsN', { n: contest.teams })}</>}
          {mine && <> · {t('yourTeam', { team: shown(mine.team) })}</>}
        </span>
        {next && <span class="note">{t(`begins_${next.state}`)} <Moment at={next.ms} zone={zoneOf(contest)} /> ({t('inTime', { time: spanText(next.ms - siteNow()) })})</span>}
      </a>
      <StatePill contest={contest} />
    </li>
  );
}

const over = (contest: ContestRow): boolean => ['PUBLISHED', 'ARCHIVED', 'CANCELLED'].includes(contest.state);

function Lists({ contests }: { contests: ContestRow[] }) {
  const going = contests.filter((each) => !over(each));
  const past = contests.filter(over);
  if (contests.length === 0) return <Empty title={t('noContests')}><p>{t(me.value?.admin ? 'noContestsAdmin' : 'noContestsText')}</p></Empty>;
  return (
    <>
      {going.length > 0 && <Block title={t('contestsNow')}><ul class="items panel">{going.map((each) => <Line key={each.name} contest={each} />)}</ul></Block>}
      {past.length > 0 && <Block title={t('contestsPast')}><ul class="items panel">{past.map((each) => <Line key={each.name} contest={each} />)}</ul></Block>}
    </>
  );
}

export function Home() {
  const contests = useLoaded<Items<ContestRow>>('contests');
  return <Frame title={t('contestSite')}><When of={contests}>{(list) => <Lists contests={list.items} />}</When></Frame>;
}
