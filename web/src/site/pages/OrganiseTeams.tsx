// OrganiseTeams.tsx - teams to let in, findings and appeals to rule on.
import { useSignal } from '@preact/signals';
import { shown } from '../../parts/shown.ts';
import { Empty } from '../../parts/States.tsx';
import { toast } from '../../parts/Toast.tsx';
import { asTrouble } from '../ask.ts';
import { Field, Fold, Form } from '../Form.tsx';
import { When } from '../Frame.tsx';
import type { InContest } from '../Inside.tsx';
import { useLoaded } from '../loaded.ts';
import { change } from '../me.ts';
import { pathTo } from '../route.ts';
import type { Appeal, FailedRuling, Finding, Items, TeamRow } from '../shapes.ts';
import { t, wordOf } from '../words.ts';
import { AppealRow, FindingHead, FindingMore } from './TeamFindings.tsx';
import { TeamPill } from './Teams.tsx';

export function TeamsPart({ contest }: InContest) {
  const base = `contests/${encodeURIComponent(contest.name)}`;
  const teams = useLoaded<Items<TeamRow & { same?: string[] }>>(`${base}/teams`);
  const act = (promise: Promise<unknown>): void => { promise.then(() => { toast(t('done')); teams.again(); }, (error: unknown) => toast(asTrouble(error).message, true)); };
  return (
    <When of={teams}>{({ items }) => (items.length === 0 ? <Empty title={t('noTeams')} /> : (
      <ul class="panel versions">{items.map((team) => {
        const one = `${base}/teams/${encodeURIComponent(team.name)}`;
        return (
          <li class="version" key={team.name}>
            <div class="item">
              <a class="item-main" href={pathTo(contest.name, 'team', team.name)}><bdi class="item-name">{shown(team.name)}</bdi>{team.affiliation && <bdi class="note">{shown(team.affiliation)}</bdi>}
                {team.same && team.same.length > 0 && <span class="bad-text">{t('sameFiles', { teams: shown(team.same.join(', ')) })}</span>}</a>
              {team.version ? <span class="note">{t('versionN', { n: team.version })}</span> : null}
              <TeamPill team={team} />
              {team.state === 'WAITING' && <button type="button" class="button strong" onClick={() => act(change('POST', `${one}/approve`))}>{t('approve')}<span class="unseen"> {shown(team.name)}</span></button>}
              {team.state === 'WAITING' && <button type="button" class="button" onClick={() => act(change('POST', `${one}/refuse`))}>{t('refuse')}<span class="unseen"> {shown(team.name)}</span></button>}
            </div>
          </li>
        );
      })}</ul>
    ))}</When>
  );
}

const decided = (finding: Finding): boolean => finding.state === 'RULED';

function FailedRow({ base, ruling, again }: { base: string; ruling: FailedRuling; again: () => void }) {
  return (
    <li class="version">
      <p><bdi>{shown(ruling.team)}</bdi> · {wordOf('stage_', ruling.stage)} · {ruling.about === 'finding' ? wordOf('rule_', ruling.rule ?? '') : `${wordOf('about_', ruling.about)} ${ruling.number ?? ''}`}: {t('notCarriedOut')}</p>
      <div class="version-body">
        <p>{shown(ruling.why)}</p>
        <p class="note">{shown(ruling.reason)}</p>
        <Fold title={<>{t('closeRuling')}<span class="unseen"> {ruling.id}</span></>} open>
          <Form button={t('closeRuling')} draft={`close.${ruling.id}`} onSend={async (values) => {
            await change('POST', `${base}/rulings`, { ruling: ruling.id, decision: 'close', reason: values['reason'] ?? '' });
            again();
            return t('done');
          }}>
            <Field name="reason" label={t('reason')} required rows={3} maxLength={400} hint={t('reasonPublic')} />
          </Form>
        </Fold>
      </div>
    </li>
  );
}

export function FindingsPart({ contest }: InContest) {
  const base = `contests/${encodeURIComponent(contest.name)}`;
  const findings = useLoaded<Items<Finding> & { failed?: FailedRuling[] }>(`${base}/findings`);
  const all = useSignal(false);
  return (
    <When of={findings}>{({ items, failed = [] }) => {
      const rows = all.value ? items : items.filter((finding) => !decided(finding));
      return (
        <>
          {failed.length > 0 && <ul class="panel versions">{failed.map((ruling) => <FailedRow key={ruling.id} base={base} ruling={ruling} again={findings.again} />)}</ul>}
          <label class="switch"><input type="checkbox" checked={all.value} onChange={(event) => { all.value = event.currentTarget.checked; }} />{t('showDecided')}</label>
          {rows.length === 0 ? <Empty title={t('noFindings')} /> : (
            <ul class="panel versions">{rows.map((finding) => (
              <li class="version" key={finding.id}>
                {finding.team && <a class="team-link" href={pathTo(contest.name, 'team', finding.team)}><bdi>{shown(finding.team)}</bdi></a>}
                <FindingHead finding={finding} />
                <div class="version-body">
                  <FindingMore finding={finding} />
                  {!decided(finding) && (
                    <Fold title={<>{t('rule')}<span class="unseen"> {finding.id}</span></>} open={finding.state === 'PROPOSED'}>
                      <Form button={t('ruleSend')} draft={`rule.${finding.id}`} first={{ decision: 'dismiss' }} onSend={async (values) => {
                        await change('POST', `${base}/rulings`, { finding: finding.id, decision: values['decision'] ?? '', reason: values['reason'] ?? '' });
                        findings.again();
                        return t('done');
                      }}>
                        <Field name="decision" label={t('decision')} options={(['dismiss', 'warn', 'eliminate'] as const).map((each) => [each, wordOf('decision_', each)] as const)} />
                        <Field name="reason" label={t('reason')} required rows={3} maxLength={400} hint={t('reasonPublic')} />
                      </Form>
                    </Fold>
                  )}
                </div>
              </li>
            ))}</ul>
          )}
        </>
      );
    }}</When>
  );
}

export function AppealsPart({ contest }: InContest) {
  const base = `contests/${encodeURIComponent(contest.name)}`;
  const appeals = useLoaded<Items<Appeal>>(`${base}/appeals`);
  return (
    <When of={appeals}>{({ items }) => (items.length === 0 ? <Empty title={t('noAppeals')} /> : (
      <ul class="panel versions">{[...items].sort((a, b) => Number(b.state === 'OPEN') - Number(a.state === 'OPEN')).map((appeal) => (
        <AppealRow key={appeal.id} appeal={appeal}>
          {appeal.state === 'OPEN' && (
            <Fold title={<>{t('rule')}<span class="unseen"> {appeal.id}</span></>} open>
              <Form button={t('ruleSend')} draft={`appeal.${appeal.id}`} first={{ decision: 'dismiss' }} onSend={async (values) => {
                await change('POST', `${base}/rulings`, { appeal: appeal.id, decision: values['decision'] ?? '', reason: values['reason'] ?? '' });
                appeals.again();
                return t('done');
              }}>
                <Field name="decision" label={t('decision')} options={(appeal.about === 'game' ? ['dismiss', 'grant', 'grant-set'] : ['dismiss', 'grant']).map((each) => [each, wordOf(`appealed_${appeal.about}_`, each)] as const)} />
                <Field name="reason" label={t('reason')} required rows={3} maxLength={400} hint={t('reasonPublic')} />
              </Form>
            </Fold>
          )}
        </AppealRow>
      ))}</ul>
    ))}</When>
  );
}
