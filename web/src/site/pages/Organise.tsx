// Organise.tsx - everything that an organiser does to a contest: which part is shown.
import { Empty } from '../../parts/States.tsx';
import { NeedLogin } from '../Frame.tsx';
import { Inside, partOf, Parts, standingIn, type InContest } from '../Inside.tsx';
import { useLoaded } from '../loaded.ts';
import { pathTo } from '../route.ts';
import type { PageProps } from '../Site.tsx';
import type { Appeal, Finding, Items } from '../shapes.ts';
import { t, type WordKey } from '../words.ts';
import { AmendPart } from './OrganiseRules.tsx';
import { AppealsPart, FindingsPart, TeamsPart } from './OrganiseTeams.tsx';
import { StatePart } from './OrganiseState.tsx';
import { AnnouncePart, JobsPart, PeoplePart, SheetsPart, TrailPart } from './OrganiseRun.tsx';

const views = { state: StatePart, teams: TeamsPart, findings: FindingsPart, appeals: AppealsPart, jobs: JobsPart, announce: AnnouncePart, rules: AmendPart, people: PeoplePart, sheets: SheetsPart, trail: TrailPart };
type PartName = keyof typeof views;

function Body(inside: InContest) {
  const { contest } = inside;
  const base = `contests/${encodeURIComponent(contest.name)}`;
  const findings = useLoaded<Items<Finding>>(`${base}/findings`).value.value?.items ?? [];
  const appeals = useLoaded<Items<Appeal>>(`${base}/appeals`).value.value?.items ?? [];
  const parts: [PartName, WordKey, number?][] = [
    ['state', 'partState'], ['teams', 'tabTeams'], ['findings', 'partFindings', findings.filter((each) => each.state === 'PROPOSED').length], ['appeals', 'appeals', appeals.filter((each) => each.state === 'OPEN').length],
    ['jobs', 'partJobs'], ['announce', 'partAnnounce'], ['rules', 'partRules'], ['people', 'partRoles'], ...(contest.division === 'nlp' ? [['sheets', 'partSheets'] as [PartName, WordKey]] : []), ['trail', 'partTrail'],
  ];
  const part = partOf<PartName>(parts);
  const View = views[part];
  return (
    <>
      <Parts path={pathTo(contest.name, 'organise')} parts={parts} now={part} label={t('organiseParts')} />
      <View {...inside} />
    </>
  );
}

export const Organise = ({ contest: name }: PageProps) => (
  <Inside name={name} title={t('tabOrganise')}>{(inside) => (
    <NeedLogin>{standingIn(inside.contest).organiser ? <Body {...inside} /> : <Empty title={t('onlyOrganisers')} />}</NeedLogin>
  )}</Inside>
);
