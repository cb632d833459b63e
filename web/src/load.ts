// load.ts - what a page asked the server for: on its way, there, or refused with a sentence.
import { signal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError, get } from './api.ts';

export interface Loaded<T> {
  value: Signal<T | null>;
  trouble: Signal<ApiError | null>;
  again: () => void;
}

export const asTrouble = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(0, 'page', error instanceof Error ? error.message : String(error));

/** Asks for `path` now, when it changes, and on `again`. '' asks for nothing. */
export function useLoaded<T>(path: string): Loaded<T> {
  const kept = useRef<Loaded<T> & { asked: string; serial: number } | undefined>(undefined);
  if (!kept.current) {
    const made = {
      value: signal<T | null>(null),
      trouble: signal<ApiError | null>(null),
      asked: '',
      serial: 0,
      again: () => {
        const serial = ++made.serial;
        get<T>(made.asked).then(
          (value) => {
            if (serial !== made.serial) return;
            made.value.value = value;
            made.trouble.value = null;
          },
          (error: unknown) => {
            if (serial === made.serial) made.trouble.value = asTrouble(error);
          },
        );
      },
    };
    kept.current = made;
  }
  const loaded = kept.current;
  useEffect(() => {
    if (loaded.asked === path) return;
    loaded.asked = path;
    if (path) loaded.again();
  }, [path]);
  return loaded;
}

/** Calls `then` each `ms` while the page is visible. */
export function useEach(ms: number, then: () => void): void {
  const latest = useRef(then);
  latest.current = then;
  useEffect(() => {
    const timer = setInterval(() => { if (document.visibilityState === 'visible') latest.current(); }, ms);
    return () => clearInterval(timer);
  }, [ms]);
}
