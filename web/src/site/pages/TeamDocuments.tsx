// TeamDocuments.tsx - source and description of a finalist, and under which licence they may be shown.
import { useSignal } from '@preact/signals';
import { shown } from '../../parts/shown.ts';
import { ApiError } from '../ask.ts';
import { zoneOf } from '../dates.ts';
import { DropFile, Going } from '../DropFile.tsx';
import { Field, Form } from '../Form.tsx';
import { Block } from '../Frame.tsx';
import { Moment, When } from '../Moment.tsx';
import { putFile } from '../upload.ts';
import { t } from '../words.ts';
import { whyIdle, type TeamProps } from './Team.tsx';

const kinds = ['source', 'description'] as const;
const mediaOf = (name: string): string => (/\.pdf$/i.test(name) ? 'application/pdf' : /\.md$/i.test(name) ? 'text/markdown' : /\.txt$/i.test(name) ? 'text/plain' : /\.zip$/i.test(name) ? 'application/zip' : /\.(?:tar\.gz|tgz)$/i.test(name) ? 'application/gzip' : 'application/octet-stream');

function One({ kind, props }: { kind: (typeof kinds)[number]; props: TeamProps }) {
  const { contest, team, path, again } = props;
  const file = useSignal<File | null>(null);
  const going = useSignal<{ sent: number; all: number; stop: () => void } | null>(null);
  const there = team.documents.filter((each) => each.kind === kind);
  const required = (contest.stages ?? []).some((stage) => stage.require?.includes(kind));
  return (
    <Block title={t(`doc_${kind}`)} tools={there.length > 0 ? <span class="pill good">{t('received')}</span> : required ? <span class="pill now">{t('required')}</span> : null}>
      <p class="lead">{t(kind === 'source' ? 'docSourceText' : 'docDescriptionText')}</p>
      {there.length > 0 && <ul class="items panel gap">{there.map((each, i) => (
        <li class="item" key={each.id ?? i}><div class="item-main"><span class="item-name">{each.number !== undefined ? t('versionN', { n: each.number }) : t('received')}</span><bdi class="note">{shown([each.media, each.licence].filter(Boolean).join(' · '))}</bdi></div><span class="note"><When at={each.at} /></span></li>
      ))}</ul>}
      {props.standing.team === team.name && whyIdle(contest, team) === '' && (
        <div class="panel">
          <Form button={t('upload')} quiet={there.length > 0} label={t(`doc_${kind}`)} draft={`document.${contest.name}.${kind}`} first={{ licence: there[0]?.licence ?? '' }} keepAfter onSend={async (values) => {
            const chosen = file.value;
            if (!chosen) throw new ApiError(-1, 'file', t('fileMissing'));
            const query = new URLSearchParams({ licence: values['licence'] ?? '', media: mediaOf(chosen.name) });
            const upload = putFile(`${path}/documents/${kind}?${query.toString()}`, chosen, (sent) => { if (going.value) going.value = { ...going.value, sent }; });
            going.value = { sent: 0, all: chosen.size, stop: upload.stop };
            try {
              await upload.done;
            } finally {
              going.value = null;
            }
            file.value = null;
            again();
            return t('uploadDone');
          }}>
            <div class="whole"><DropFile file={file.value} onFile={(chosen) => { file.value = chosen; }} label={t('chooseFile')} accept={kind === 'source' ? '.zip,.tar.gz,.tgz,.jar' : '.pdf,.md,.txt'} hint={kind === 'description' ? 'PDF, Markdown, TXT · 20 MiB' : 'zip, tar.gz'} /></div>
            <Field name="licence" label={t('licence')} maxLength={200} hint={t('licenceHint')} wide />
            {going.value && <div class="whole"><Going {...going.value} /></div>}
          </Form>
        </div>
      )}
    </Block>
  );
}

export function Documents(props: TeamProps) {
  const closes = whyIdle(props.contest, props.team) === '' ? props.contest.dates?.['revision_closes'] : undefined;
  return (
    <>
      {closes && <p class="lead">{t('docDeadline')} <Moment at={closes} zone={zoneOf(props.contest)} /></p>}
      {kinds.map((kind) => <One key={kind} kind={kind} props={props} />)}
    </>
  );
}
