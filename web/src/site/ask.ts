// ask.ts - asks the contest site's API (docs/contest-api.md), in the reader's language. Errors are
// sentences for people and name their field.
import { signal } from '@preact/signals';
import { ApiError } from '../api.ts';
import { lang } from '../settings.ts';
import { hearClock } from './clock.ts';
import { t } from './words.ts';

export { ApiError };

export const api = '/api/v1/';

/** The server does not answer: a line says so on every page until it does. */
export const lost = signal(false);

/** What a login must send with each change; '' without one. */
let csrf = '';
export const setCsrf = (token: string): void => { csrf = token; };

/** How many changes were sent: what was read before one may be old. */
let changes = 0;
export const changesSoFar = (): number => changes;

/** Who hears that a login is over. */
let denied: () => void = () => {};
export const onDenied = (then: () => void): void => { denied = then; };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export function headersFor(type?: string): Record<string, string> {
  const made: Record<string, string> = { Accept: 'application/json', 'Accept-Language': lang.value };
  if (type !== undefined) made['Content-Type'] = type;
  if (csrf) made['X-Warg-Token'] = csrf;
  return made;
}

/** The field that an error of the API is about, '' for none. */
export function fieldOf(error: ApiError): string {
  const inside = (error.body as { error?: { field?: unknown } } | null)?.error?.field;
  return typeof inside === 'string' ? inside : '';
}

/** What an answer holds, or the error it tells. */
export function taken(status: number, text: string): unknown {
  let body: unknown = null;
  try {
    body = text === '' ? null : JSON.parse(text);
  } catch {
    throw new ApiError(status, 'not-json', t('troubleAnswer', { status: String(status) }));
  }
  if (status >= 200 && status < 300) return body;
  const error = (body as { error?: { code?: string; text?: string } } | null)?.error;
  throw new ApiError(status, error?.code ?? 'http', error?.text ?? t('troubleAnswer', { status: String(status) }), body);
}

async function sent(path: string, how: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(path.startsWith('/') ? path : api + path, { credentials: 'same-origin', ...how });
    lost.value = false;
    hearClock(answer.headers.get('X-Warg-Now'));
    return answer;
  } catch {
    lost.value = true;
    throw new ApiError(0, 'network', t('troubleNetwork'));
  }
}

export async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const how: RequestInit = { method, headers: headersFor(body === undefined && method !== 'POST' ? undefined : 'application/json') };
  if (method !== 'GET' && (body !== undefined || method === 'POST')) how.body = JSON.stringify(body ?? {});
  const answer = await sent(path, how);
  const text = await answer.text();
  if (method !== 'GET') changes++;
  if (answer.status === 401 && path !== 'account' && path !== 'login') denied();
  return taken(answer.status, text) as T;
}

export const get = <T>(path: string): Promise<T> => ask<T>('GET', path);

/** A text that is no JSON: the ledger, a checkpoint. */
export async function getText(path: string): Promise<string> {
  const answer = await sent(path, { headers: headersFor() });
  const text = await answer.text();
  if (!answer.ok) taken(answer.status, text);
  return text;
}

export const asTrouble = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(-1, 'page', error instanceof Error ? error.message : String(error));
