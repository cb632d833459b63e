// loaded.ts - what a page asked for: there, on its way, refused. While the server is away the last
// answer stays and the question is put again.
import { signal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type ApiError, asTrouble, changesSoFar, get } from './ask.ts';

export interface Loaded<T> {
  value: Signal<T | null>;
  trouble: Signal<ApiError | null>;
  again: () => void;
}

// So that going back shows at once what was there; it is asked for anew all the same.
const before = new Map<string, unknown>();
export const forgetAll = (): void => before.clear();

// From part to part of a contest its head is not asked for each time: a server counts calls.
const FRESH_MS = 5_000;
const asked = new Map<string, { at: number; changes: number }>();
function isFresh(path: string): boolean {
  const last = asked.get(path);
  return before.has(path) && last !== undefined && last.changes === changesSoFar() && Date.now() - last.at < FRESH_MS;
}

/** Pause before the question is put again, in ms: 2 s and doubling, up to 30 s. */
export const pauseOf = (tries: number): number => Math.min(30_000, 2_000 * 2 ** Math.min(tries, 10));

/** Asks for `path` now, when it changes, and on `again`; '' asks for nothing. What is fresh is not asked for by itself. */
export function useLoaded<T>(path: string): Loaded<T> {
  const loaded = useMemo(() => {
    const value = signal<T | null>((before.get(path) as T | undefined) ?? null);
    const trouble = signal<ApiError | null>(null);
    let serial = 0;
    let tries = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (): void => {
      if (path === '') return;
      const mine = ++serial;
      clearTimeout(timer);
      const changes = changesSoFar();
      get<T>(path).then(
        (got) => {
          if (mine !== serial) return;
          tries = 0;
          before.set(path, got);
          asked.set(path, { at: Date.now(), changes });
          value.value = got;
          trouble.value = null;
        },
        (error: unknown) => {
          if (mine !== serial) return;
          trouble.value = asTrouble(error);
          if ([0, 429, 503].includes(trouble.value.status)) timer = setTimeout(again, pauseOf(tries++));
          else if (trouble.value.status > 0) {
            before.delete(path);
            value.value = null;
          }
        },
      );
    };
    const stop = (): void => {
      serial++;
      clearTimeout(timer);
    };
    return { value, trouble, again, stop };
  }, [path]);
  useEffect(() => {
    if (!isFresh(path)) loaded.again();
    addEventListener('online', loaded.again);
    return () => {
      loaded.stop();
      removeEventListener('online', loaded.again);
    };
  }, [loaded]);
  return loaded;
}
