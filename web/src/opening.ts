// opening.ts - files that people give to the page: documents and exported pages are read here, logs
// by the server, because it is the only reader of logs.
//
// For:    the page "open", and drops on any page.
// Source: docs/spec/web.md 9.1.
import { signal } from '@preact/signals';
import { postBytes } from './api.ts';
import { readDoc, type GameDoc } from './doc.ts';
import { readHere } from './documents.ts';
import { asTrouble } from './load.ts';
import { shownDocs } from './opened.ts';
import { t } from './words.ts';

export const FILE_MAX = 16 * 1024 * 1024;

export interface OpenedFile {
  id: number;
  name: string;
  state: 'reading' | 'good' | 'bad';
  docs: GameDoc[];
  trouble?: string;
}

/** What was dropped, chosen or pasted on this page. */
export const openedFiles = signal<OpenedFile[]>([]);
let lastId = 0;

function change(id: number, made: Partial<OpenedFile>): void {
  openedFiles.value = openedFiles.value.map((file) => (file.id === id ? { ...file, ...made } : file));
}

export function removeFile(id: number): void {
  openedFiles.value = openedFiles.value.filter((file) => file.id !== id);
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function unpacked(blob: Blob): Promise<string> {
  return new Response(blob.stream().pipeThrough(new DecompressionStream('gzip'))).text();
}

async function read(name: string, blob: Blob): Promise<GameDoc[]> {
  if (blob.size === 0) throw new Error(t('openEmpty', { name }));
  if (blob.size > FILE_MAX) throw new Error(t('openTooBig', { name }));
  const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  const here = readHere(isGzip(head) ? await unpacked(blob) : await blob.text());
  if (here) return here;
  const answer = await postBytes<unknown>(`open?name=${encodeURIComponent(name)}`, blob);
  const docs = Array.isArray(answer) ? answer : (answer as { documents?: unknown[] }).documents ?? [answer];
  return docs.map(readDoc);
}

/** Reads files one after the other; one that is alone and good is shown at once. */
export async function openFiles(files: readonly { name: string; blob: Blob }[]): Promise<void> {
  const rows = files.map<OpenedFile>((file) => ({ id: ++lastId, name: file.name, state: 'reading', docs: [] }));
  openedFiles.value = [...openedFiles.value, ...rows];
  for (const [i, file] of files.entries()) {
    const { id } = rows[i] as OpenedFile;
    try {
      change(id, { state: 'good', docs: await read(file.name, file.blob) });
    } catch (error) {
      change(id, { state: 'bad', trouble: asTrouble(error).message });
    }
  }
  const last = openedFiles.value[openedFiles.value.length - 1];
  const overGame = shownDocs.value.length > 0;
  if (files.length === 1 && last?.state === 'good' && (overGame || openedFiles.value.length === 1)) showDocs(last.docs);
  else if (overGame) shownDocs.value = []; // the list, which says what could not be read
}

export function showDocs(docs: GameDoc[]): void {
  shownDocs.value = docs;
}

/** Files of a drop or a paste, and texts that are long enough to be a log. */
export function filesOf(data: DataTransfer | null): { name: string; blob: Blob }[] {
  if (!data) return [];
  const files = [...data.files].map((file) => ({ name: file.name, blob: file as Blob }));
  if (files.length > 0) return files;
  const text = data.getData('text/plain');
  return text.includes('\n') ? [{ name: t('openPasted'), blob: new Blob([text]) }] : [];
}
