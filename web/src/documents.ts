// documents.ts - game documents in what people open: alone, several, inside an exported page. Pure.
import { docTrouble, readDoc, type GameDoc } from './doc.ts';

/** The documents inside the text of an exported page; their scripts are not run. */
export function documentsIn(page: string): GameDoc[] {
  const found: GameDoc[] = [];
  const element = /<script[^>]*type="application\/json"[^>]*>([^<]*)<\/script>/g;
  for (const [, text] of page.matchAll(element)) {
    try {
      const value: unknown = JSON.parse(text ?? '');
      if (docTrouble(value) === null) found.push(readDoc(value));
    } catch {
      // Other JSON that a page may have.
    }
  }
  return found;
}

/** The documents in a text that needs no server; null: a log. Throws for a document that is none. */
export function readHere(text: string): GameDoc[] | null {
  const start = text.slice(0, 2000).trimStart();
  if (start.startsWith('<')) {
    const found = documentsIn(text);
    return found.length > 0 ? found : null;
  }
  if (!/^[[{]\s*[{"]/.test(start)) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null; // lines of JSON, or broken: the server says where
  }
  const all = Array.isArray(value) ? value : [value];
  if (!all.every((each) => (each as { format?: unknown } | null)?.format === 'warg-game')) return null;
  return all.map(readDoc);
}

/** `open?url=`: a game of this server by its address, never a path of files. */
export function gameOfUrl(url: string, origin: string): string | null {
  try {
    const address = new URL(url, origin);
    if (address.origin !== origin || !address.pathname.startsWith('/web/g/')) return null;
    return address.pathname + address.hash;
  } catch {
    return null;
  }
}
