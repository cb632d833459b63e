// Drop.tsx - a file that is dropped anywhere on a page is opened; a line at the top when the
// connection is lost.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { filesOf, openFiles } from '../opening.ts';
import { base } from '../routes.tsx';
import { t } from '../words.ts';

/** True while files hang over the page. */
const over = signal(false);
/** What was dropped on another page than "open": that page shows itself over it. */
export const openHere = signal(false);

export function DropAnywhere() {
  useEffect(() => {
    let depth = 0;
    const hasFiles = (event: DragEvent) => [...(event.dataTransfer?.types ?? [])].includes('Files');
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth++;
      over.value = true;
      event.preventDefault();
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      over.value = depth > 0;
    };
    const allow = (event: DragEvent) => { if (hasFiles(event)) event.preventDefault(); };
    const drop = (event: DragEvent) => {
      depth = 0;
      over.value = false;
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (location.pathname !== `${base}open`) openHere.value = true;
      void openFiles(filesOf(event.dataTransfer));
    };
    addEventListener('dragenter', enter);
    addEventListener('dragleave', leave);
    addEventListener('dragover', allow);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragenter', enter);
      removeEventListener('dragleave', leave);
      removeEventListener('dragover', allow);
      removeEventListener('drop', drop);
    };
  }, []);
  return over.value ? <div class="dropping"><p>{t('dropHere')}</p></div> : null;
}
