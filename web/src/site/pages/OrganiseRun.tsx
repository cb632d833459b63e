// OrganiseRun.tsx - jobs, announcements, who has which role, what was done.
import { useSignal } from '@preact/signals';
import { useEach } from '../../load.ts';
import { shown } from '../../parts/shown.ts';
import { Empty } from '../../parts/States.tsx';
import { toast } from '../../parts/Toast.tsx';
import { ApiError, asTrouble, get } from '../ask.ts';
import { Copy } from '../Copy.tsx';
import { DropFile } from '../DropFile.tsx';
import { Field, Form } from '../Form.tsx';
import { Block, When } from '../Frame.tsx';
import type { InContest } from '../Inside.tsx';
import { useLoaded } from '../loaded.ts';
import { change } from '../me.ts';
import { When as Date_ } from '../Moment.tsx';
import type { Act, Items, Job } from '../shapes.ts';
import { t, wordOf } from '../words.ts';

export function JobsPart({ contest }: InContest) {
  const base = `contests/${encodeURIComponent(contest.name)}`;
  const jobs = useLoaded<Items<Job>>(`${base}/jobs`);
  useEach(5_000, jobs.again);
  const act = (job: string, verb: string): void => { change('POST', `${base}/jobs/${encodeURIComponent(job)}/${verb}`).then(() => { toast(t('done')); jobs.again(); }, (error: unknown) => toast(asTrouble(error).message, true)); };
  return (
    <When of={jobs}>{({ items }) => (items.length === 0 ? <Empty title={t('noJobs')} /> : (
      <ul class="items panel">{items.map((job) => (
        <li class="item" key={job.id}>
          <div class="item-main"><span class="item-name">{wordOf('job_', job.kind)}{job.stage && <> · {wordOf('stage_', job.stage)}</>}</span>
            <span class="note">{job.id}{job.tries ? <> · {t('triesN', { n: job.tries })}</> : null} · <Date_ at={job.ended ?? job.began ?? job.created} exact /></span>
            {job.why && <span class="bad-text">{shown(job.why)}</span>}</div>
          <span class={job.state === 'FAILED' ? 'pill warn' : job.state === 'DONE' ? 'pill good' : 'pill now'}>{wordOf('jobstate_', job.state)}</span>
          {(job.state === 'NEW' || job.state === 'PUT') && <button type="button" class="button" onClick={() => act(job.id, 'stop')}>{t('stop')}<span class="unseen"> {job.id}</span></button>}
          {(job.state === 'FAILED' || job.state === 'STOPPED') && <button type="button" class="button" onClick={() => act(job.id, 'retry')}>{t('retry')}<span class="unseen"> {job.id}</span></button>}
        </li>
      ))}</ul>
    ))}</When>
  );
}

export const AnnouncePart = ({ contest }: InContest) => (
  <Block title={t('partAnnounce')}>
    <p class="lead">{t('announceText')}</p>
    <div class="panel">
      <Form button={t('announceSend')} draft={`announce.${contest.name}`} onSend={async (values) => {
        await change('POST', `contests/${encodeURIComponent(contest.name)}/announcements`, { text: { en: values['en'] ?? '', ja: values['ja'] ?? '' } });
        return t('announceDone');
      }}>
        <Field name="en" label={t('textEnglish')} required rows={6} maxLength={8000} />
        <Field name="ja" label={t('textJapanese')} rows={6} maxLength={8000} />
      </Form>
    </div>
  </Block>
);

/** What judges filled in elsewhere. */
export function SheetsPart({ contest }: InContest) {
  const file = useSignal<File | null>(null);
  return (
    <Block title={t('sheetsCsv')}>
      <p class="lead">{t('sheetsCsvText', { name: contest.name })}</p>
      <div class="panel">
        <Form button={t('upload')} onSend={async () => {
          if (!file.value) throw new ApiError(-1, 'file', t('fileMissing'));
          const { taken } = await change<{ taken: number }>('POST', `contests/${encodeURIComponent(contest.name)}/sheets`, { csv: await file.value.text() });
          file.value = null;
          return t('sheetsTaken', { n: taken });
        }}><div class="whole"><DropFile file={file.value} label={t('chooseFile')} accept=".csv" onFile={(chosen) => { file.value = chosen; }} /></div></Form>
      </div>
    </Block>
  );
}

interface RoleRow {
  login: string;
  name?: string;
  role: string;
}

export function PeoplePart({ contest }: InContest) {
  const base = `contests/${encodeURIComponent(contest.name)}`;
  const roles = useLoaded<Items<RoleRow>>(`${base}/roles`);
  const link = useSignal('');
  const remove = (row: RoleRow): void => { change('DELETE', `${base}/roles`, { login: row.login, role: row.role }).then(roles.again, (error: unknown) => toast(asTrouble(error).message, true)); };
  return (
    <Block title={t('partRoles')}>
      <When of={roles}>{({ items }) => (items.length === 0 ? null : (
        <ul class="items panel gap">{items.map((row) => (
          <li class="item" key={`${row.login} ${row.role}`}>
            <div class="item-main"><bdi class="item-name">{shown(row.name || row.login)}</bdi><bdi class="note">{shown(row.login)}</bdi></div><span class="pill">{wordOf('rolename_', row.role)}</span>
            <button type="button" class="button" onClick={() => remove(row)}>{t('remove')}<span class="unseen"> {shown(row.login)}</span></button>
          </li>
        ))}</ul>
      ))}</When>
      {link.value && <div class="panel gap" role="status"><p>{t('inviteLink')}</p><Copy text={link.value} label={t('invite')} /></div>}
      <div class="panel">
        <Form button={t('roleGive')} first={{ role: 'judge' }} onSend={async (values) => {
          const login = (values['login'] ?? '').trim();
          const made = await change<{ link?: string } | null>('POST', `${base}/roles`, { ...(login ? { login } : {}), role: values['role'] ?? 'judge' });
          link.value = made?.link ?? '';
          roles.again();
          return t('done');
        }}>
          <Field name="login" label={t('loginName')} maxLength={32} hint={t('roleHint')} />
          <Field name="role" label={t('roleLabel')} options={[['judge', t('rolename_judge')], ['organiser', t('rolename_organiser')]]} />
        </Form>
      </div>
    </Block>
  );
}

export function TrailPart({ contest }: InContest) {
  const path = `contests/${encodeURIComponent(contest.name)}/trail`;
  const first = useLoaded<Items<Act>>(path);
  const more = useSignal<Items<Act> | null>(null);
  const load = (cursor: string): void => {
    get<Items<Act>>(`${path}?cursor=${encodeURIComponent(cursor)}`).then((page) => { more.value = { ...page, items: [...(more.value?.items ?? []), ...page.items] }; }, (error: unknown) => toast(asTrouble(error).message, true));
  };
  return (
    <When of={first}>{(page) => {
      const items = [...page.items, ...(more.value?.items ?? [])];
      const next = more.value ? more.value.next : page.next;
      return items.length === 0 ? <Empty title={t('noTrail')} /> : (
        <>
          <ul class="items panel" aria-label={t('partTrail')}>{items.map((act, i) => (
            <li class="item" key={act.id ?? i}>
              <div class="item-main">
                <span class="item-name">{shown(wordOf('verb_', act.verb))} {act.object && <bdi class="note">{shown(act.object.replace(/^contests\/[^/]+\//, ''))}</bdi>}</span>
                {act.detail && <bdi class="pre">{act.verb === 'move' ? act.detail.split(' > ').map((each) => shown(wordOf('state_', each))).join(' → ') : shown(act.detail)}</bdi>}
                <span class="note">{act.account ? <bdi>{shown(act.account)}</bdi> : t('byServer')}{act.address && <> · {shown(act.address)}</>} · <Date_ at={act.at} exact /></span>
              </div>
            </li>
          ))}</ul>
          {next && <p class="after"><button type="button" class="button" onClick={() => load(next)}>{t('more')}</button></p>}
        </>
      );
    }}</When>
  );
}
