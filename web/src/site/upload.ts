// upload.ts - a file on its way to the server, with how far it is. fetch tells nothing of that, so it
// is an XMLHttpRequest.
import { ApiError, api, headersFor, lost, taken } from './ask.ts';
import { t } from './words.ts';

export interface Upload<T> {
  done: Promise<T>;
  stop: () => void;
}

/** `told`: bytes that are gone so far. */
export function putFile<T>(path: string, file: Blob, told: (bytes: number) => void): Upload<T> {
  const request = new XMLHttpRequest();
  const done = new Promise<T>((good, bad) => {
    request.open('PUT', api + path);
    for (const [name, value] of Object.entries(headersFor('application/octet-stream'))) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => told(event.loaded);
    request.onload = () => {
      lost.value = false;
      try {
        good(taken(request.status, request.responseText) as T);
      } catch (error) {
        bad(error);
      }
    };
    // The server says "too large" at once and closes: a browser may see that as a broken connection.
    request.onerror = () => bad(new ApiError(0, 'network', t('uploadBroken')));
    request.onabort = () => bad(new ApiError(-1, 'stopped', t('uploadStopped')));
    request.send(file);
  });
  return { done, stop: () => request.abort() };
}

/** What can be said of a file before it is sent; '' when nothing speaks against it. */
export function fileTrouble(name: string, bytes: number, language: string, limit: number | undefined): 'fileEmpty' | 'fileLarge' | 'fileKind' | '' {
  if (bytes === 0) return 'fileEmpty';
  if (limit !== undefined && bytes > limit) return 'fileLarge';
  const endings: Readonly<Record<string, RegExp>> = { java: /\.jar$/i, dotnet: /\.(?:dll|zip)$/i, python: /\.zip$/i, native: /\.zip$/i };
  return endings[language] && !endings[language].test(name) ? 'fileKind' : '';
}

/** The language that a file's name tells, among those that the contest takes; '' when it doesn't. */
export function languageOf(name: string, languages: readonly string[]): string {
  const told = /\.jar$/i.test(name) ? 'java' : /\.dll$/i.test(name) ? 'dotnet' : '';
  return languages.includes(told) ? told : '';
}
