// OrganiseRules.tsx - the contest file: changed with a reason, and what changes is seen before.
import { draftOf } from '../drafts.ts';
import { Field, Form, useValue } from '../Form.tsx';
import { Block } from '../Frame.tsx';
import type { InContest } from '../Inside.tsx';
import { change } from '../me.ts';
import { diffLines, shortDiff } from '../diff.ts';
import type { ComponentChildren } from 'preact';
import { keep, kept } from '../../kept.ts';
import { shown } from '../../parts/shown.ts';
import { Loading } from '../../parts/States.tsx';
import { t } from '../words.ts';

const signs = { same: ' ', out: '−', in: '+' } as const;

export function Diff({ before, after }: { before: string; after: string }) {
  if (before === after) return <p class="note whole">{t('noChange')}</p>;
  const lines = shortDiff(diffLines(before, after));
  return (
    <div class="diff panel whole" tabIndex={0} role="region" aria-label={t('whatChanges')}>
      {lines.map((line, i) => (line === null ? <div key={i} class="cut">⋯</div> : (
        <div key={i} class={line.kind}><span aria-hidden="true">{signs[line.kind]} </span>{line.kind !== 'same' && <span class="unseen">{t(line.kind === 'in' ? 'diffIn' : 'diffOut')}: </span>}{shown(line.text)}</div>
      )))}
    </div>
  );
}

const Text = ({ text, children }: { text: string | undefined; children: (text: string) => ComponentChildren }) => (text === undefined ? <Loading /> : <>{children(text)}</>);

const DiffOf = ({ before }: { before: string }) => <Diff before={before} after={useValue('text')} />;

export function AmendPart({ contest, again }: InContest) {
  const path = `contests/${encodeURIComponent(contest.name)}`;
  // A draft is of a file: when another organiser has changed that meanwhile, sending it would take the change back.
  const begun = draftOf(`amend.${contest.name}`)['text'] !== undefined;
  if (!begun) keep(`amends.${contest.name}`, contest.digest ?? '');
  const old = begun && kept(`amends.${contest.name}`) !== (contest.digest ?? '');
  return (
    <Block title={t('partRules')}>
      <p class="lead">{t('amendText')}</p>
      {old && <p class="warning" role="alert">{t('amendOld')}</p>}
      <Text text={contest.text}>{(text) => (
        <div class="panel">
          <Form key={text} button={t('amendSend')} danger={contest.state !== 'DRAFT'} draft={`amend.${contest.name}`} first={{ text }} keepAfter onSend={async (values) => {
            await change('POST', `${path}/amend`, { text: values['text'] ?? '', reason: values['reason'] ?? '' });
            again();
            return t('done');
          }}>
            <Field name="text" label={t('contestFile')} required rows={24} mono />
            <DiffOf before={text} />
            <Field name="reason" label={t('reason')} required={contest.state !== 'DRAFT'} rows={3} maxLength={4000} hint={t('reasonPublic')} />
          </Form>
        </div>
      )}</Text>
    </Block>
  );
}
