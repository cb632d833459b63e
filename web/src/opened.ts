// opened.ts - documents that came with the page or from a file, not from the server.
import { signal } from '@preact/signals';
import type { GameDoc } from './doc.ts';

/** Not empty: the page shows these, whatever its address is. */
export const shownDocs = signal<GameDoc[]>([]);

/** The documents inside an exported file: no request is made. */
export function documentsInside(): unknown[] {
  const found: unknown[] = [];
  for (const element of document.querySelectorAll('script[type="application/json"]'))
    found.push(JSON.parse(element.textContent ?? 'null'));
  return found;
}
