// TeamVersions.tsx - what a team hands in: a file with its form, how far its check is, what it found.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { shown } from '../../parts/shown.ts';
import { Empty } from '../../parts/States.tsx';
import { toast } from '../../parts/Toast.tsx';
import { lang } from '../../settings.ts';
import { ApiError, asTrouble } from '../ask.ts';
import { DropFile, Going } from '../DropFile.tsx';
import { Field, Fold, Form, useValue } from '../Form.tsx';
import { Block } from '../Frame.tsx';
import { change } from '../me.ts';
import { When } from '../Moment.tsx';
import { goesOn, lacksFile, states, stepWord } from '../report.ts';
import { ReportOf } from '../ReportView.tsx';
import type { Version } from '../shapes.ts';
import { sizeText } from '../size.ts';
import { fileTrouble, languageOf, putFile } from '../upload.ts';
import { num, t, wordOf } from '../words.ts';
import { whyIdle, type TeamProps } from './Team.tsx';

const entryHints: Readonly<Record<string, 'entryJava' | 'entryDotnet' | 'entryPython' | 'entryNative'>> = { java: 'entryJava', dotnet: 'entryDotnet', python: 'entryPython', native: 'entryNative' };
const accepts: Readonly<Record<string, string>> = { java: '.jar', dotnet: '.dll,.zip', python: '.zip', native: '.zip' };

interface Sending {
  sent: number;
  all: number;
  stop: () => void;
}

/** The file of a version that is there: told how far it is, tried again by hand. */
function useSending(): { going: { value: Sending | null }; send: (contestPath: string, version: string, file: File) => Promise<void> } {
  const going = useSignal<Sending | null>(null);
  const send = async (contestPath: string, version: string, file: File): Promise<void> => {
    const upload = putFile<Version>(`${contestPath}/versions/${version}/file`, file, (sent) => {
      if (going.value) going.value = { ...going.value, sent };
    });
    going.value = { sent: 0, all: file.size, stop: upload.stop };
    try {
      await upload.done;
    } finally {
      going.value = null;
    }
  };
  return { going, send };
}

function ByLanguage({ languages, file, onFile, limit }: { languages: readonly string[]; file: File | null; onFile: (file: File) => void; limit: number | undefined }) {
  const language = useValue('language') || (languages[0] ?? '');
  const wrong = file ? fileTrouble(file.name, file.size, language, limit) : '';
  const hint = entryHints[language];
  return (
    <>
      <Field name="entry" label={t(language === 'java' ? 'entryClass' : 'entryFile')} required={language !== 'dotnet'} maxLength={255} hint={hint ? t(hint) : undefined} />
      <div class="whole">
        <DropFile file={file} onFile={onFile} label={t('chooseFile')} accept={accepts[language] ?? ''} hint={limit === undefined ? '' : t('atMost', { size: sizeText(limit) })}
          wrong={wrong === '' ? '' : t(wrong, { size: sizeText(limit ?? 0), kinds: accepts[language] ?? '' })} />
      </div>
      <Field name="note" label={t('versionNote')} maxLength={500} wide />
    </>
  );
}

function NewVersion({ contest, path, again }: TeamProps) {
  const languages = contest.submit?.languages ?? ['java', 'dotnet', 'python', 'native'];
  const limit = contest.submit?.file_bytes;
  const file = useSignal<File | null>(null);
  const { going, send } = useSending();
  // A version whose file did not arrive: the next try sends the file only.
  const made = useRef<{ id: string; key: string } | null>(null);
  const contestPath = `contests/${encodeURIComponent(contest.name)}`;
  return (
    <div class="panel">
      <Form button={t('upload')} draft={`version.${contest.name}`} first={{ language: languages[0] ?? '' }} label={t('newVersion')} keepAfter onSend={async (values) => {
        const chosen = file.value;
        const language = values['language'] ?? '';
        if (!chosen) throw new ApiError(-1, 'file', t('fileMissing'));
        const wrong = fileTrouble(chosen.name, chosen.size, language, limit);
        if (wrong !== '') throw new ApiError(-1, 'file', t(wrong, { size: sizeText(limit ?? 0), kinds: accepts[language] ?? '' }));
        const asked = { language, entry: (values['entry'] ?? '').trim(), note: (values['note'] ?? '').trim() };
        const key = JSON.stringify(asked);
        if (made.current?.key !== key) made.current = { id: (await change<Version>('POST', `${path}/versions`, asked)).id, key };
        await send(contestPath, made.current.id, chosen);
        made.current = null;
        file.value = null;
        again();
        return t('uploadDone');
      }}>
        <Field name="language" label={t('language')} options={languages.map((each) => [each, wordOf('lang_', each)] as const)} />
        <ByLanguage languages={languages} limit={limit} file={file.value} onFile={(chosen) => {
          file.value = chosen;
          const told = languageOf(chosen.name, languages);
          if (told === '') return;
        }} />
        {going.value && <div class="whole"><Going {...going.value} /></div>}
      </Form>
    </div>
  );
}

/** Where a version is on its way. */
function Way({ version }: { version: Version }) {
  const at = states.indexOf(version.state);
  if (at < 0 || lacksFile(version)) return null;
  return (
    <ol class="way" aria-label={t('wayLabel')}>
      {states.slice(0, 5).map((state, i) => (
        <li key={state} class={i < at || version.state === 'ACTIVE' ? 'done' : i === at ? 'now' : ''} aria-current={i === at ? 'step' : undefined}>{t(`way_${state}` as 'way_RECEIVED')}</li>
      ))}
    </ol>
  );
}

const pillOf = (version: Version): string => (version.state === 'ACTIVE' || version.state === 'PASSED' ? 'pill good' : version.state === 'REFUSED' || version.state === 'SUSPENDED' ? 'pill warn' : version.state === 'RETIRED' ? 'pill' : 'pill now');

function Row({ version, props }: { version: Version; props: TeamProps }) {
  const { contest, again } = props;
  const wanted = useSignal<boolean | null>(null); // as the reader likes it; else what was refused is open
  const open = wanted.value ?? version.state === 'REFUSED';
  const file = useSignal<File | null>(null);
  const { going, send } = useSending();
  const contestPath = `contests/${encodeURIComponent(contest.name)}`;
  const one = `${contestPath}/versions/${version.id}`;
  const act = (promise: Promise<unknown>): void => { promise.then(again, (error: unknown) => { toast(asTrouble(error).message, true); again(); }); };
  const reported = !goesOn(version) && !lacksFile(version);
  return (
    <li class="version">
      <div class="item">
        <div class="item-main">
          <span class="item-name">{t('versionN', { n: version.number })} <span class="note">{wordOf('lang_', version.language)}{version.entry && <> · <bdi>{shown(version.entry)}</bdi></>}</span></span>
          <span class="note">
            {version.at && <When at={version.at} />}{version.bytes ? <> · {sizeText(version.bytes)}</> : null}{version.sha256 && <> · <span title={version.sha256}>sha256 {version.sha256.slice(0, 12)}…</span></>}
          </span>
          {version.note && <bdi class="note">{shown(version.note)}</bdi>}
        </div>
        <span class={pillOf(version)}>{lacksFile(version) ? t('noFileYet') : wordOf('version_', version.state)}</span>
      </div>
      <div class="version-body">
        {goesOn(version) && <div role="status"><Way version={version} /><p class="note">{t(`wait_${version.state}` as 'wait_RECEIVED')}</p></div>}
        {version.why && <p class="why">{whyText(version)}</p>}
        {lacksFile(version) && (
          <>
            <p class="note">{t('noFileText')}</p>
            {going.value ? <Going {...going.value} /> : <DropFile file={file.value} accept={accepts[version.language] ?? ''} label={t('chooseFile')} onFile={(chosen) => {
              file.value = chosen;
              act(send(contestPath, version.id, chosen));
            }} />}
          </>
        )}
        <p class="acts">
          {reported && <button type="button" class="button" aria-expanded={open} onClick={() => { wanted.value = !open; }}>{t(open ? 'reportHide' : 'reportShow')}<span class="unseen"> {num(version.number)}</span></button>}
          {(version.state === 'PASSED' || version.state === 'RETIRED') && whyIdle(contest, props.team) === '' && (contest.state === 'OPEN' || contest.state === 'REVISION') && props.standing.team === props.team.name && (
            <button type="button" class="button" onClick={() => act(change('POST', `${one}/activate`))}>{t('activate')}<span class="unseen"> {num(version.number)}</span></button>
          )}
        </p>
        {props.standing.organiser && (version.state === 'ACTIVE' || version.state === 'SUSPENDED') && (
          <Fold title={<>{t(version.state === 'ACTIVE' ? 'suspend' : 'restore')}<span class="unseen"> {num(version.number)}</span></>} danger={version.state === 'ACTIVE'}>
            <Form button={t(version.state === 'ACTIVE' ? 'suspend' : 'restore')} danger={version.state === 'ACTIVE'} onSend={async (values) => {
              await change('POST', `${contestPath}/rulings`, { version: version.id, decision: version.state === 'ACTIVE' ? 'suspend' : 'restore', reason: values['reason'] ?? '' });
              again();
              return t('done');
            }}><Field name="reason" label={t('reason')} required rows={2} maxLength={4000} hint={t('reasonPublic')} /></Form>
          </Fold>
        )}
        {reported && open && <ReportOf path={`${one}/report`} />}
      </div>
    </li>
  );
}

/** Why a version is not good, as the reader has it: "check: name set" are the steps that it failed. */
export function whyText({ why = '', why_ja }: Version): string {
  const steps = /^check: ([a-z]+(?: [a-z]+)*)$/.exec(why)?.[1];
  return steps ? t('whyCheck', { step: steps.split(' ').map(stepWord).join(t('stepComma')) }) : shown((lang.value === 'ja' && why_ja) || why);
}

export function Versions(props: TeamProps) {
  const { contest, team, path } = props;
  const takes = contest.state === 'OPEN' || contest.state === 'REVISION';
  const own = props.standing.team === team.name && whyIdle(contest, team) === '';
  return (
    <>
      {own && <Block title={t('newVersion')}>{takes ? <NewVersion {...props} /> : <p class="panel">{t('noMoreVersions')}</p>}</Block>}
      <Block title={t('partVersions')} tools={<a class="button" href={`/api/v1/${path}/logs.zip`} download={`${contest.name}-${team.name}-logs.zip`}>{t('logsZip')}</a>}>
        {team.versions.length === 0 ? <Empty title={t('noVersions')}><p>{t('noVersionsText')}</p></Empty>
          : <ul class="panel versions">{[...team.versions].sort((a, b) => b.number - a.number).map((version) => <Row key={version.id} version={version} props={props} />)}</ul>}
      </Block>
    </>
  );
}
