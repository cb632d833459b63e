// TeamFindings.tsx - what was noticed against a team, with evidence; its answers and appeals.
import { shown } from '../../parts/shown.ts';
import { Empty } from '../../parts/States.tsx';
import { Field, Fold, Form } from '../Form.tsx';
import { Block } from '../Frame.tsx';
import { here } from '../go.ts';
import { change } from '../me.ts';
import { When } from '../Moment.tsx';
import type { Appeal, Finding } from '../shapes.ts';
import { t, wordOf } from '../words.ts';
import type { TeamProps } from './Team.tsx';

export const findingPill = (finding: Finding): string => (finding.state === 'PROPOSED' || finding.decision === 'eliminate' ? 'pill warn' : finding.state === 'RULED' || finding.state === 'NOTED' ? 'pill' : 'pill now');

/** What is inside a member: a list a part each, objects as names and values. */
function insideText(value: unknown): string {
  if (Array.isArray(value)) return value.map(insideText).join('; ');
  return value !== null && typeof value === 'object' ? Object.entries(value).map(([key, inside]) => `${key} ${insideText(inside)}`).join(', ') : String(value);
}

/** Evidence as the server keeps it: objects, a line each. Pure. */
export function evidenceText(evidence: unknown): string {
  if (typeof evidence === 'string') return evidence;
  if (!Array.isArray(evidence)) return evidence === null || evidence === undefined ? '' : evidenceText([evidence]);
  return evidence.map((each: unknown) => (each !== null && typeof each === 'object' ? Object.entries(each).map(([key, value]) => `${key} ${insideText(value)}`).join(' · ') : String(each))).join('\n');
}

export const FindingHead = ({ finding }: { finding: Finding }) => (
  <div class="item">
    <div class="item-main">
      <span class="item-name">{wordOf('rule_', finding.rule)} <span class="note">{t('findingN', { n: finding.id })}</span></span>
      <bdi>{shown(finding.text)}</bdi>
      <span class="note">
        {finding.stage && <>{wordOf('stage_', finding.stage)} · </>}
        {finding.count !== undefined && <>{t('timesN', { n: finding.count })}{finding.games ? <> / {t('gamesN', { n: finding.games })}</> : null} · </>}
        {finding.game !== undefined && finding.game !== null && <>{t('gameNumber', { n: String(finding.game) })} · </>}
        {finding.day !== undefined && <>{t('dayNumber', { n: String(finding.day) })} · </>}
        {finding.version !== undefined && finding.version !== null && <>{t('versionN', { n: finding.version })} · </>}
        <When at={finding.at} />
      </span>
    </div>
    <span class={findingPill(finding)}>{wordOf('finding_', finding.state)}</span>
  </div>
);

export const FindingMore = ({ finding }: { finding: Finding }) => (
  <>
    {evidenceText(finding.evidence) && <pre class="evidence" tabIndex={0}>{shown(evidenceText(finding.evidence))}</pre>}
    {finding.answer && <p><strong>{t('teamAnswer')}</strong> <bdi class="pre">{shown(finding.answer)}</bdi></p>}
    {finding.decision && <p><strong>{t('ruling')}</strong> {wordOf('decision_', finding.decision)}{finding.reason && <> – <bdi class="pre">{shown(finding.reason)}</bdi></>}</p>}
  </>
);

export const AppealRow = ({ appeal, children }: { appeal: Appeal; children?: preact.ComponentChildren }) => (
  <li class="version">
    <div class="item">
      <div class="item-main"><span class="item-name">{wordOf('about_', appeal.about)}{appeal.object && <> {shown(String(appeal.object))}</>} <span class="note">{t('appealN', { n: appeal.id })}{appeal.team && <> · <bdi>{shown(appeal.team)}</bdi></>}</span></span>
        <bdi class="pre">{shown(appeal.text)}</bdi><span class="note"><When at={appeal.opened} /></span></div>
      <span class={appeal.state === 'OPEN' ? 'pill now' : appeal.state === 'GRANTED' ? 'pill good' : 'pill'}>{wordOf('appeal_', appeal.state)}</span>
    </div>
    {(appeal.answer || children || evidenceText(appeal.evidence)) && <div class="version-body">{evidenceText(appeal.evidence) && <pre class="evidence" tabIndex={0}>{shown(evidenceText(appeal.evidence))}</pre>}{appeal.answer && <p><strong>{t('ruling')}</strong> <bdi class="pre">{shown(appeal.answer)}</bdi></p>}{children}</div>}
  </li>
);

function Row({ finding, props }: { finding: Finding; props: TeamProps }) {
  const { contest, again } = props;
  const may = finding.state !== 'RULED' && !finding.answer && props.standing.team === props.team.name;
  return (
    <li class="version">
      <FindingHead finding={finding} />
      <div class="version-body">
        <FindingMore finding={finding} />
        {may && (
          <Fold title={<>{t('answerFinding')}<span class="unseen"> {finding.id}</span></>} open={finding.state === 'PROPOSED'}>
            {finding.state === 'PROPOSED' && <p class="lead">{t('answerText')}</p>}
            <Form button={t('answerFinding')} draft={`answer.${finding.id}`} onSend={async (values) => {
              await change('POST', `contests/${encodeURIComponent(contest.name)}/findings/${finding.id}/answer`, { text: values['text'] ?? '' });
              again();
              return t('done');
            }}><Field name="text" label={t('yourAnswer')} required rows={5} maxLength={8000} /></Form>
          </Fold>
        )}
      </div>
    </li>
  );
}

export function Findings(props: TeamProps) {
  const { contest, team, path, standing, again } = props;
  const asked = here.value.query;
  const takes = !['DRAFT', 'PUBLISHED', 'ARCHIVED', 'CANCELLED'].includes(contest.state);
  return (
    <>
      <Block title={t('partFindings')}>
        {team.findings.length === 0 ? <Empty title={t('noFindings')} /> : <ul class="panel versions">{team.findings.map((finding) => <Row key={finding.id} finding={finding} props={props} />)}</ul>}
      </Block>
      <Block title={t('appeals')}>
        {team.appeals.length > 0 && <ul class="panel versions gap">{team.appeals.map((appeal) => <AppealRow key={appeal.id} appeal={appeal} />)}</ul>}
        {standing.captain && takes && (
          <Fold title={t('appealNew')} open={asked.has('about')}>
            <p class="lead">{t('appealText')}</p>
            <Form button={t('appealSend')} draft={`appeal.${contest.name}`} first={{ about: asked.get('about') ?? 'finding', object: asked.get('object') ?? '' }} onSend={async (values) => {
              await change('POST', `${path}/appeals`, { about: values['about'] ?? 'finding', object: values['object'] ?? '', text: values['text'] ?? '' });
              again();
              return t('done');
            }}>
              <Field name="about" label={t('appealAbout')} options={[['finding', t('about_finding')], ['game', t('about_game')], ['rank', t('about_rank')]]} />
              <Field name="object" label={t('appealObject')} maxLength={100} hint={t('appealObjectHint')} />
              <Field name="text" label={t('appealReason')} required rows={6} maxLength={8000} />
            </Form>
          </Fold>
        )}
        {!standing.captain && team.appeals.length === 0 && <p class="note">{t('noAppeals')}</p>}
      </Block>
    </>
  );
}
