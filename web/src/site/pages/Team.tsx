// Team.tsx - a team's own page: which part of it is shown.
import { useEach } from '../../load.ts';
import { shown } from '../../parts/shown.ts';
import { NeedLogin, When } from '../Frame.tsx';
import { hasFinalists, Inside, partOf, Parts, standingIn, useNews, type Standing } from '../Inside.tsx';
import { useLoaded } from '../loaded.ts';
import { goesOn } from '../report.ts';
import { pathTo } from '../route.ts';
import type { PageProps } from '../Site.tsx';
import type { Contest, Team } from '../shapes.ts';
import { t, type WordKey } from '../words.ts';
import { Documents } from './TeamDocuments.tsx';
import { Findings } from './TeamFindings.tsx';
import { Lots } from './TeamLots.tsx';
import { Connect } from './TeamConnect.tsx';
import { Notices, People } from './TeamPeople.tsx';
import { Versions } from './TeamVersions.tsx';
import { TeamPill } from './Teams.tsx';

export interface TeamProps {
  contest: Contest;
  team: Team;
  path: string; // of the team in the API
  standing: Standing; // of the reader
  again: () => void;
}

type PartName = 'versions' | 'connect' | 'people' | 'findings' | 'documents' | 'lots' | 'notices';

function partsOf(contest: Contest, team: Team): [PartName, WordKey, number?][] {
  const open = team.findings.filter((finding) => finding.state === 'PROPOSED' && !finding.answer).length;
  const parts: [PartName, WordKey, number?][] = contest.division === 'nlp' ? [['connect', 'partConnect']] : [['versions', 'partVersions']];
  parts.push(['people', 'partPeople'], ['findings', 'partFindings', open], ['documents', 'partDocuments']);
  if (contest.division !== 'nlp') parts.push(['lots', 'partLots']);
  parts.push(['notices', 'partNotices']);
  return parts;
}

/** Why a team can't hand anything in, whatever the contest's state; '' when it can. */
export function whyIdle(contest: Contest, team: Team): WordKey | '' {
  if (team.state === 'WAITING') return 'teamWaits';
  if (team.state === 'OUT') return 'teamIsOut';
  if (team.state !== 'IN') return 'teamIsGone';
  return hasFinalists(contest) && team.finalist === false ? 'teamNoFinalist' : '';
}

const views = { versions: Versions, connect: Connect, people: People, findings: Findings, documents: Documents, lots: Lots, notices: Notices };

function Body({ contest, name }: { contest: Contest; name: string }) {
  const path = `contests/${encodeURIComponent(contest.name)}/teams/${encodeURIComponent(name)}`;
  const loaded = useLoaded<Team>(path);
  useNews('', loaded.again);
  const quick = loaded.value.value?.versions?.some(goesOn) === true;
  useEach(quick ? 2_000 : 30_000, loaded.again);
  return (
    <When of={loaded}>{(read) => {
      const team: Team = { ...read, members: read.members ?? [], versions: read.versions ?? [], documents: read.documents ?? [], lots: read.lots ?? [], findings: read.findings ?? [], appeals: read.appeals ?? [], notices: read.notices ?? [] };
      const parts = partsOf(contest, team);
      const part = partOf<PartName>(parts);
      const View = views[part];
      const standing = standingIn(contest);
      const own = standing.team === team.name;
      return (
        <>
          <div class="block-head"><h2><bdi>{shown(team.name)}</bdi></h2>{team.finalist && hasFinalists(contest) ? <span class="pill good">{t('finalist')}</span> : <TeamPill team={team} />}</div>
          {whyIdle(contest, team) && <p class="panel gap" role="status">{t(whyIdle(contest, team) as WordKey)}</p>}
          <Parts path={pathTo(contest.name, 'team', name)} parts={parts} now={part} label={t('teamParts')} />
          <View contest={contest} team={team} path={path} standing={{ ...standing, captain: own && standing.captain }} again={loaded.again} />
        </>
      );
    }}</When>
  );
}

export const TeamPage = ({ contest, id }: PageProps) => (
  <Inside name={contest} title={id}>{(inside) => <NeedLogin><Body contest={inside.contest} name={id} /></NeedLogin>}</Inside>
);
