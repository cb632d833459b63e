// api.ts - asks the server that the page came from. Errors are sentences for people.
import { operatorSecret } from './kept.ts';
import { kept } from './settings.ts';

export { operatorSecret };

export class ApiError extends Error {
  /** `body`: the whole answer, for who knows what else is in it. */
  constructor(readonly status: number, readonly code: string, text: string, readonly body: unknown = null) {
    super(text);
  }
}

function headers(type?: string): Record<string, string> {
  const made: Record<string, string> = { Accept: 'application/json' };
  if (type) made['Content-Type'] = type;
  const secret = operatorSecret() || (kept('token') ?? '');
  if (secret) made['Authorization'] = `Bearer ${secret}`;
  return made;
}

async function taken(answer: Response): Promise<unknown> {
  const text = await answer.text();
  let body: unknown;
  try {
    body = text === '' ? null : JSON.parse(text);
  } catch {
    throw new ApiError(answer.status, 'not-json', `${answer.status}: ${text.slice(0, 200)}`);
  }
  if (answer.ok) return body;
  const error = (body as { error?: { code?: string; text?: string } } | null)?.error;
  throw new ApiError(answer.status, error?.code ?? 'http', error?.text ?? `${answer.status} ${answer.statusText}`, body);
}

async function ask(path: string, how: RequestInit): Promise<Response> {
  try {
    return await fetch(path.startsWith('/') ? path : `/web/api/${path}`, { credentials: 'same-origin', ...how });
  } catch {
    throw new ApiError(0, 'network', 'The server does not answer.');
  }
}

export async function get<T>(path: string): Promise<T> {
  return (await taken(await ask(path, { headers: headers() }))) as T;
}

/** The same with the headers of the answer, for documents of games that run. */
export async function getWithHeaders<T>(path: string): Promise<{ body: T; headers: Headers }> {
  const answer = await ask(path, { headers: headers() });
  return { body: (await taken(answer)) as T, headers: answer.headers };
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const how = { method: 'POST', headers: headers('application/json'), body: JSON.stringify(body) };
  return (await taken(await ask(path, how))) as T;
}

export async function postBytes<T>(path: string, bytes: Blob | ArrayBuffer): Promise<T> {
  const how = { method: 'POST', headers: headers('application/octet-stream'), body: bytes };
  return (await taken(await ask(path, how))) as T;
}

/** Bytes that need the operator's right, as a file to keep. */
export async function download(path: string, name: string): Promise<void> {
  const answer = await ask(path, { headers: headers() });
  if (!answer.ok) {
    await taken(answer);
    return;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
