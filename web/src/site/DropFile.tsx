// DropFile.tsx - a place for one file: chosen, or dropped on it.
import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { shown } from '../parts/shown.ts';
import { sizeText } from './size.ts';
import { t } from './words.ts';

interface DropFileProps {
  file: File | null;
  onFile: (file: File) => void;
  accept?: string;
  label: string;
  hint?: string;
  wrong?: string;
}

export function DropFile({ file, onFile, accept, label, hint, wrong }: DropFileProps) {
  const over = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  return (
    <div class={over.value ? 'dropfile over' : 'dropfile'}
      onDragOver={(event) => { event.preventDefault(); over.value = true; }}
      onDragLeave={() => { over.value = false; }}
      onDrop={(event) => {
        event.preventDefault();
        over.value = false;
        const dropped = event.dataTransfer?.files[0];
        if (dropped) onFile(dropped);
      }}>
      <input class="unseen-input" type="file" id={id} ref={input} accept={accept} aria-invalid={wrong ? 'true' : 'false'} aria-describedby={`${id}-told`}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          if (chosen) onFile(chosen);
          event.currentTarget.value = '';
        }} />
      <label class="button" for={id}>{label}</label>
      <span id={`${id}-told`}>
        {file ? <><bdi class="item-name">{shown(file.name)}</bdi> <span class="note">{sizeText(file.size)}</span></> : <span class="note">{t('orDrop')}{hint && <> · {hint}</>}</span>}
        {wrong && <><br /><span class="wrong">{wrong}</span></>}
      </span>
    </div>
  );
}

export const Going = ({ sent, all, stop }: { sent: number; all: number; stop: () => void }) => (
  <div class="going" role="status">
    <progress class="progress" max={Math.max(all, 1)} value={sent} aria-label={t('uploading')} />
    <span>{t('uploadedOf', { sent: sizeText(sent), all: sizeText(all) })}</span>
    <button type="button" class="button" onClick={stop}>{t('stop')}</button>
  </div>
);
