// steps.ts - what somebody can do in a contest now. Pure.
import { pathTo } from './route.ts';
import type { Contest } from './shapes.ts';
import type { WordKey } from './words.ts';

export interface NextStep {
  to: string;
  word: WordKey;
  strong?: boolean;
}

interface Who {
  team: string;
  captain: boolean;
  judge: boolean;
  organiser: boolean;
}

export function nextSteps(contest: Contest, who: Who, loggedIn: boolean): NextStep[] {
  const { name, state, division } = contest;
  const team = pathTo(name, 'team', who.team);
  const steps: NextStep[] = [];
  if (state === 'OPEN' && who.team === '') steps.push({ to: `/register?contest=${name}`, word: loggedIn ? 'stepTeam' : 'stepRegister', strong: true });
  if (state === 'OPEN' && who.team === '' && !loggedIn) steps.push({ to: `/login?to=${encodeURIComponent(pathTo(name))}`, word: 'navLogin' });
  if (who.team !== '') {
    if (state === 'OPEN') steps.push(division === 'nlp' ? { to: `${team}?part=connect`, word: 'stepConnect', strong: true } : { to: team, word: 'stepUpload', strong: true });
    else if (state === 'REVISION' && contest.me?.finalist !== false) steps.push({ to: `${team}?part=documents`, word: 'stepDocuments', strong: true }, { to: team, word: 'stepUpload' });
    else if (state === 'APPEALS') steps.push({ to: `${team}?part=findings`, word: 'stepAppeal', strong: true });
    else steps.push({ to: team, word: 'tabTeam' });
  }
  if (who.judge && state === 'JUDGING') steps.push({ to: pathTo(name, 'judge'), word: 'stepJudge', strong: true });
  if (['PRELIMINARY', 'REVISION', 'FINAL', 'JUDGING', 'APPEALS', 'PUBLISHED', 'ARCHIVED'].includes(state)) steps.push({ to: pathTo(name, 'standings'), word: 'stepStandings' });
  if (state === 'PUBLISHED' || state === 'ARCHIVED') steps.push({ to: pathTo(name, 'ledger'), word: 'stepCheck' });
  if (who.organiser) steps.push({ to: pathTo(name, 'organise'), word: 'tabOrganise' });
  return steps;
}
