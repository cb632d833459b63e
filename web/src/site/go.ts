// go.ts - from page to page without loading all anew; links are real, so everything else that one does
// with a link works, too.
import { signal } from '@preact/signals';

// Without a window, as in tests of what pages compute, one is at the start.
const read = (): { path: string; query: URLSearchParams } => {
  const { pathname, search } = typeof location === 'undefined' ? { pathname: '/', search: '' } : location;
  return { path: pathname, query: new URLSearchParams(search) };
};

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

/** What is not of this app: the programs' interface, pages of games. */
const served = /^\/(?:api|web)\/|^\/[^/]+\/games\/[^/]+\/watch$/;

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
    const before = here.value;
    const now = read();
    if (now.path === before.path && now.query.toString() === before.query.toString()) return; // within the page
    here.value = now;
    if (now.path !== before.path) turns.value++;
  });
}
