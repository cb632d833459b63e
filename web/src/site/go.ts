// go.ts - from page to page without loading all anew; links are real, so everything else that one does
// with a link works, too.
import { signal } from '@preact/signals';

const read = (): { path: string; query: URLSearchParams } => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export const here = signal(read());
/** Counts pages that were gone to: the first one gets no focus, it is where the reader begins. */
export const turns = signal(0);

export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', to);
  else history.replaceState(null, '', to);
  const before = here.value.path;
  here.value = read();
  if (here.value.path === before) return;
  turns.value++;
  scrollTo(0, 0);
}

/** What the server answers itself: its programs' interface, pages of games. */
const served = /^\/(?:api|web)\//;

function pressed(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin || served.test(link.pathname)) return;
  if (link.hash !== '' && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

export function followLinks(): void {
  document.addEventListener('click', pressed);
  addEventListener('popstate', () => {
    here.value = read();
    turns.value++;
  });
}
