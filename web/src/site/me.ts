// me.ts - who reads these pages.
import { signal } from '@preact/signals';
import { keep } from '../kept.ts';
import { ApiError, ask, asTrouble, get, onDenied, setCsrf } from './ask.ts';
import { forgetAll } from './loaded.ts';
import type { Me } from './shapes.ts';

/** undefined: not known yet; null: nobody is logged in. */
export const me = signal<Me | null | undefined>(undefined);

/** Whether there may be a login: a browser that keeps something knows, and asks for nothing in vain. */
function mayBeIn(): boolean {
  try {
    return localStorage.getItem('warg.in') === 'yes';
  } catch {
    return true;
  }
}

function take(now: Me | null): void {
  keep('in', now ? 'yes' : '');
  if (me.value !== undefined && (me.value?.id ?? '') !== (now?.id ?? '')) forgetAll();
  setCsrf(now?.csrf ?? '');
  me.value = now;
}

onDenied(() => { if (me.value) void findMe(); });

/** At the start of a page. */
export async function findMeFirst(): Promise<void> {
  if (mayBeIn()) await findMe();
  else take(null);
}

/** Asks who is logged in; a server that is away leaves things as they are. */
export async function findMe(): Promise<void> {
  try {
    take(await get<Me>('account'));
  } catch (error) {
    const trouble = asTrouble(error);
    if (trouble.status === 401) take(null);
    else if (me.value === undefined) setTimeout(() => void findMe(), 3000);
  }
}

export async function logIn(login: string, password: string): Promise<void> {
  await ask('POST', 'login', { login, password });
  await findMe();
  if (!me.value) throw new ApiError(-1, 'cookie', 'cookie');
}

export async function logOut(): Promise<void> {
  await ask('POST', 'logout');
  take(null);
}

/** A change, once more with a fresh token when the old one was of an earlier login. */
export async function change<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
  try {
    return await ask<T>(method, path, body);
  } catch (error) {
    const trouble = asTrouble(error);
    if (trouble.status !== 403 || trouble.code !== 'csrf') throw error;
    await findMe();
    return ask<T>(method, path, body);
  }
}

export const isLoggedIn = (): boolean => Boolean(me.value);
