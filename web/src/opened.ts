// opened.ts - documents that came with the page or from a file, not from the server.
import { signal } from '@preact/signals';
import { readDoc, type GameDoc } from './doc.ts';

/** Not empty: the page shows these, whatever its address is. */
export const shownDocs = signal<GameDoc[]>([]);
/** The page is one file with its documents in it: no server, no way home. */
export const exported = signal(false);

/** The documents inside an exported file: no request is made. */
export function takeDocumentsInside(): void {
  const found: GameDoc[] = [];
  for (const element of document.querySelectorAll('script[type="application/json"]'))
    found.push(readDoc(JSON.parse(element.textContent ?? 'null')));
  if (found.length === 0 && location.protocol !== 'file:') return;
  exported.value = true;
  shownDocs.value = found;
}

/** Documents in a file's text: a document, a list of them, or an exported page. Throws a sentence. */
export function docsInText(text: string): GameDoc[] {
  if (/^\s*</.test(text)) return docsInPage(text);
  const value: unknown = JSON.parse(text);
  return (Array.isArray(value) ? value : [value]).map(readDoc);
}

// An exported page is read as text: nothing in it is run or drawn.
function docsInPage(text: string): GameDoc[] {
  const found: GameDoc[] = [];
  const begin = /<script type="application\/json"[^>]*>/g;
  for (let at = begin.exec(text); at; at = begin.exec(text)) {
    const end = text.indexOf('</script>', begin.lastIndex);
    if (end < 0) break;
    found.push(readDoc(JSON.parse(text.slice(begin.lastIndex, end))));
  }
  if (found.length === 0) throw new Error('This page holds no game document.');
  return found;
}
