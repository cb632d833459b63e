// Open.tsx - opens logs and documents: dropped, chosen or pasted; several become a list.
import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { gameOfUrl } from '../documents.ts';
import { filesOf, openedFiles, openFiles, removeFile, showDocs, type OpenedFile } from '../opening.ts';
import { Frame } from '../parts/Frame.tsx';
import { shown } from '../parts/shown.ts';
import type { PageProps } from '../routes.tsx';
import { t } from '../words.ts';

/** A button that chooses files. */
export function ChooseFiles({ strong }: { strong?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={`button${strong ? ' strong' : ''}`} onClick={() => input.current?.click()}>{t('openChoose')}</button>
      <input ref={input} type="file" multiple class="unseen" tabIndex={-1} aria-label={t('openChoose')}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])].map((file) => ({ name: file.name, blob: file as Blob }));
          event.currentTarget.value = '';
          void openFiles(files);
        }} />
    </>
  );
}

const about = (file: OpenedFile): string => {
  const [doc] = file.docs;
  if (!doc) return '';
  const rounds = file.docs.length > 1 ? ` · ${t('openRounds', { n: file.docs.length })}` : '';
  return `${doc.rules.name} · ${t('playersN', { n: doc.seats.length })}${rounds}`;
};

const FileRow = ({ file }: { file: OpenedFile }) => (
  <li class={`item file ${file.state}`}>
    <span class="item-main"><bdi class="item-name">{shown(file.name)}</bdi>
      {file.state === 'reading' && <span class="note">{t('loadingThing')}</span>}
      {file.state === 'good' && <span class="note">{about(file)}</span>}
      {file.state === 'bad' && <span class="bad-text" role="alert">{shown(file.trouble ?? '')}</span>}
    </span>
    {file.state === 'good' && <button type="button" class="button" onClick={() => showDocs(file.docs)}>{t('openShow')}<span class="unseen"> <bdi>{shown(file.name)}</bdi></span></button>}
    <button type="button" class="button quiet square" aria-label={t('openRemove', { name: shown(file.name) })} onClick={() => removeFile(file.id)}>✕</button>
  </li>
);

function FileList() {
  const files = openedFiles.value;
  const good = files.filter((file) => file.state === 'good');
  if (files.length === 0) return null;
  return (
    <section class="block">
      <div class="block-head"><h2>{t('openList')}</h2>
        {good.length > 1 && <button type="button" class="button" onClick={() => showDocs(good.flatMap((file) => file.docs))}>{t('openShowAll')}</button>}
      </div>
      <ul class="items panel">{files.map((file) => <FileRow key={file.id} file={file} />)}</ul>
    </section>
  );
}

function Paste() {
  const text = useSignal('');
  return (
    <form class="paste" onSubmit={(event) => {
      event.preventDefault();
      if (text.value.trim() !== '') void openFiles([{ name: t('openPasted'), blob: new Blob([text.value]) }]);
    }}>
      <label for="pasted">{t('openPaste')}</label>
      <textarea id="pasted" class="field area" rows={4} spellcheck={false} value={text.value}
        onInput={(event) => { text.value = event.currentTarget.value; }}
        onPaste={(event) => {
          const files = event.clipboardData && event.clipboardData.files.length > 0 ? filesOf(event.clipboardData) : [];
          if (files.length === 0) return;
          event.preventDefault();
          void openFiles(files);
        }} />
      <button type="submit" class="button" disabled={text.value.trim() === ''}>{t('openPasteButton')}</button>
    </form>
  );
}

export function Open(_: PageProps) {
  useEffect(() => {
    const url = new URLSearchParams(location.search).get('url');
    const game = url === null ? null : gameOfUrl(url, location.origin);
    if (game) location.replace(game);
  }, []);
  return (
    <Frame title={t('openTitle')}>
      <section class="dropzone">
        <svg class="dropsign" viewBox="0 0 48 48" aria-hidden="true"><path d="M24 6v24m-9-9 9 9 9-9M8 34v6h32v-6" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" /></svg>
        <p class="big">{t('openDrop')}</p>
        <ChooseFiles strong />
        <p class="note kinds">{t('openKinds')}</p>
      </section>
      <FileList />
      <section class="block"><Paste /></section>
    </Frame>
  );
}
