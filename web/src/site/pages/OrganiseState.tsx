// OrganiseState.tsx - the life of a contest in an organiser's hands: the next state, back, pause, dates.
import { useEach } from '../../load.ts';
import { shown } from '../../parts/shown.ts';
import { courseOf, momentIn, msOf, wallIn, zoneOf, begins } from '../dates.ts';
import { Field, Fold, Form, useValue } from '../Form.tsx';
import { Block } from '../Frame.tsx';
import { StateLine, type InContest } from '../Inside.tsx';
import { useLoaded, type Loaded } from '../loaded.ts';
import { change } from '../me.ts';
import { Ahead, Moment } from '../Moment.tsx';
import { pathTo } from '../route.ts';
import type { Appeal, Contest, Finding, Items, Job, State, TeamRow } from '../shapes.ts';
import { t, wordOf } from '../words.ts';

/** The states before and behind the one of now, of those that this contest has. */
export function neighbours(contest: Contest): { next: State | undefined; before: State | undefined } {
  const course: State[] = ['DRAFT', ...courseOf(contest).map((step) => step.state), 'ARCHIVED'];
  const at = course.indexOf(contest.state);
  return at < 0 ? { next: undefined, before: undefined } : { next: course[at + 1], before: course[at - 1] };
}

const reasonNeeded = () => <Field name="reason" label={t('reason')} required rows={2} maxLength={2000} hint={t('reasonPublic')} />;

function Move({ contest, again, to, word, danger, mustSay }: InContest & { to: State; word: string; danger?: boolean; mustSay?: boolean }) {
  return (
    <Form button={word} danger={danger === true} draft={`move.${contest.name}.${to}`} onSend={async (values) => {
      const answer = await change<{ sentence?: string } | null>('POST', `contests/${encodeURIComponent(contest.name)}/state`, { to, reason: values['reason'] ?? '' });
      again();
      setTimeout(again, 1500); // the server's clock takes the step in its next turn
      return answer?.sentence ? shown(answer.sentence) : t('done');
    }}>{mustSay ? reasonNeeded() : <Field name="reason" label={t('reason')} rows={2} maxLength={2000} />}</Form>
  );
}

const WallHint = ({ name, zone }: { name: string; zone: string }) => {
  const ms = momentIn(zone, useValue(name));
  return Number.isNaN(ms) ? <>{t('dateOpen')}</> : <><Moment at={ms} zone={zone} /> · <Ahead ms={ms} /></>;
};

function Dates({ contest, again }: InContest) {
  const zone = zoneOf(contest);
  const dates = contest.dates ?? {};
  const course = courseOf(contest);
  const names = [...new Set([...course.map((step) => step.date), ...Object.keys(dates)])].filter((name) => name !== 'zone');
  const first: Record<string, string> = Object.fromEntries(names.map((name) => [name, Number.isNaN(msOf(dates[name])) ? '' : wallIn(zone, msOf(dates[name]))]));
  return (
    <Form button={t('datesChange')} quiet draft={`dates.${contest.name}`} first={first} keepAfter onSend={async (values) => {
      const changed = names.filter((name) => (values[name] ?? '') !== first[name]);
      // As the contest file has them: "2027-07-21 09:00", by the clocks of its zone.
      await change('PATCH', `contests/${encodeURIComponent(contest.name)}/dates`, { ...Object.fromEntries(changed.map((name) => [name, (values[name] ?? '').replace('T', ' ')])), ...(values['reason'] ? { reason: values['reason'] } : {}) });
      again();
      return t('saved');
    }}>
      <p class="lead">{t('datesIn', { zone })}</p>
      {names.map((name) => {
        const state = course.find((step) => step.date === name)?.state ?? begins.find(([, date]) => date === name)?.[0];
        return <Field key={name} name={name} type="datetime-local" label={state ? t(`begins_${state}`) : name} hint={<WallHint name={name} zone={zone} />} />;
      })}
      <Field name="reason" label={t('reason')} rows={2} maxLength={2000} />
    </Form>
  );
}

interface Ready {
  ready?: boolean;
  reasons?: string[];
}

/** 503 is an answer here: it says why. */
function readyOf(loaded: Loaded<Ready>): Ready | null {
  return loaded.value.value ?? (loaded.trouble.value?.body as Ready | null | undefined) ?? null;
}

/** What waits for somebody, with the way there; and whether the server is well. */
function Needs({ contest }: InContest) {
  const base = `contests/${encodeURIComponent(contest.name)}`;
  const teams = useLoaded<Items<TeamRow>>(`${base}/teams`);
  const findings = useLoaded<Items<Finding>>(`${base}/findings`);
  const appeals = useLoaded<Items<Appeal>>(`${base}/appeals`);
  const jobs = useLoaded<Items<Job>>(`${base}/jobs`);
  const ready = useLoaded<Ready>('ready');
  useEach(30_000, () => { for (const each of [teams, jobs, ready]) each.again(); });
  const count = <T,>(of: Loaded<Items<T>>, holds: (row: T) => boolean): number => of.value.value?.items.filter(holds).length ?? 0;
  const rows = ([
    ['teams', 'tabTeams', 'needTeams', count(teams, (team) => team.state === 'WAITING')],
    ['findings', 'partFindings', 'needFindings', count(findings, (finding) => finding.state === 'PROPOSED' || finding.state === 'ANSWERED')],
    ['appeals', 'appeals', 'needAppeals', count(appeals, (appeal) => appeal.state === 'OPEN')],
    ['jobs', 'partJobs', 'needJobs', count(jobs, (job) => job.state === 'FAILED')],
  ] as const).filter(([, , , n]) => n > 0);
  const now = readyOf(ready);
  return (
    <Block title={t('needsYou')}>
      {rows.length > 0 && (
        <ul class="items panel gap">{rows.map(([part, title, word, n]) => (
          <li class="item" key={part}><a class="item-main" href={`${pathTo(contest.name, 'organise')}?part=${part}`}><span class="item-name">{t(title)}</span></a><span class="pill warn">{t(word, { n })}</span></li>
        ))}</ul>
      )}
      {rows.length === 0 && <p>{t('needsNobody')}</p>}
      <p class="note">{teams.value.value && t('standTeams', { n: count(teams, (team) => team.state === 'IN'), m: count(teams, (team) => team.state === 'IN' && Boolean(team.version)) })}</p>
      {now && (now.ready ? <p class="note">{t('serverFit')}</p> : <p class="form-trouble" role="status">{t('serverUnfit', { what: (now.reasons ?? []).map((each) => wordOf('unfit_', each)).join(t('listComma')) })}</p>)}
    </Block>
  );
}

export function StatePart(inside: InContest) {
  const { contest, again } = inside;
  const { next, before } = neighbours(contest);
  const path = `contests/${encodeURIComponent(contest.name)}`;
  const mayPause = ['OPEN', 'FROZEN', 'PRELIMINARY', 'REVISION', 'FINAL', 'JUDGING'].includes(contest.state);
  const over = ['PUBLISHED', 'ARCHIVED', 'CANCELLED'].includes(contest.state);
  return (
    <>
      <Block title={t('partState')}>
        <div class="panel nowbox">
          <StateLine contest={contest} />
          {next && next !== 'ARCHIVED' && <Fold key={next} title={<>{t('moveTo')} <strong>{t(`state_${next}`)}</strong></>}><p class="lead">{t('moveText')}</p><Move key={next} {...inside} to={next} word={t('moveButton', { state: t(`state_${next}`) })} /></Fold>}
          {mayPause && (
            <Fold key={`${contest.paused}`} title={t(contest.paused ? 'resume' : 'pause')}>
              <p class="lead">{t(contest.paused ? 'resumeText' : 'pauseText')}</p>
              <Form button={t(contest.paused ? 'resume' : 'pause')} onSend={async (values) => {
                await change('POST', `${path}/pause`, { paused: !contest.paused, reason: values['reason'] ?? '' });
                again();
                return t('done');
              }}>{contest.paused ? <Field name="reason" label={t('reason')} rows={2} maxLength={2000} /> : reasonNeeded()}</Form>
            </Fold>
          )}
          {(contest.state === 'OPEN' || contest.state === 'REVISION') && contest.division !== 'nlp' && (
            <Fold title={t('roundNow')}>
              <p class="lead">{t('roundText')}</p>
              <Form button={t('roundNow')} onSend={async () => { await change('POST', `${path}/rounds`, {}); return t('roundAsked'); }} />
            </Fold>
          )}
        </div>
      </Block>
      <Needs {...inside} />
      <Block title={t('dates')}><div class="panel"><Dates {...inside} /></div></Block>
      {!over && (
        <Block title={t('rarely')}>
          {before && before !== 'DRAFT' && <Fold key={before} title={<>{t('moveBack')} <strong>{t(`state_${before}`)}</strong></>} danger><p class="lead">{t('moveBackText')}</p><Move {...inside} to={before} word={t('moveButton', { state: t(`state_${before}`) })} danger mustSay /></Fold>}
          <Fold title={t('cancel')} danger><p class="lead">{t('cancelText', { name: shown(contest.name) })}</p><Move {...inside} to="CANCELLED" word={t('cancel')} danger mustSay /></Fold>
        </Block>
      )}
    </>
  );
}
