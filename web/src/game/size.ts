// size.ts - how large an element is, as a signal.
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function useSize<E extends Element>() {
  const ref = useRef<E>(null);
  const size = useSignal({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = (): void => {
      const { width, height } = element.getBoundingClientRect();
      if (Math.round(width) !== size.value.width || Math.round(height) !== size.value.height)
        size.value = { width: Math.round(width), height: Math.round(height) };
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return { ref, size };
}
