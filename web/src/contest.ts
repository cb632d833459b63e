// contest.ts - what a script adds to the pages of a contest, which the server writes and which are whole without it:
// the colours that were chosen, before anything is drawn; the button for them; "12 new games".
//
// Source: docs/spec/web.md 7. All words stand in the page, in its language.
import { Feed } from './feed.ts';
import { browserWorld } from './feed_browser.ts';
import { keep, kept } from './kept.ts';

const AFTER_FEED_MS = 5_000; // a game that ends is in the figures a little later
const LOOK_EACH_MS = 30_000; // where no feed tells, or a delay holds games back

const { dataset } = document.documentElement;
const theme = kept('theme');
if (theme === 'light' || theme === 'dark') dataset['theme'] = theme;

const darkNow = (): boolean => dataset['theme'] === 'dark' || (dataset['theme'] === undefined && matchMedia('(prefers-color-scheme: dark)').matches);

function themeButton(button: HTMLElement): void {
  const show = (): void => button.setAttribute('aria-pressed', String(darkNow()));
  button.hidden = false;
  show();
  button.addEventListener('click', () => {
    dataset['theme'] = darkNow() ? 'light' : 'dark';
    keep('theme', dataset['theme']);
    show();
  });
}

/** How many games ended since the page was made: it says so, and moves nothing. */
function newGames(line: HTMLElement): void {
  const { played, figures, one = '', many = '', feed: tells } = line.dataset;
  const text = line.querySelector('span');
  if (!text || !figures) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async (): Promise<void> => {
    timer = undefined;
    try {
      const answer = await fetch(figures);
      if (!answer.ok) return;
      const { contest } = (await answer.json()) as { contest: { games: number } };
      const more = contest.games - Number(played);
      if (more <= 0) return;
      const said = more === 1 ? one : many.replace('{0}', new Intl.NumberFormat(document.documentElement.lang).format(more));
      if (text.textContent !== said) text.textContent = said;
      line.hidden = false;
    } catch {
      // A server that is away: the next time.
    }
  };
  const soon = (ms: number): void => { if (timer === undefined && document.visibilityState === 'visible') timer = setTimeout(() => void look(), ms); };
  setInterval(() => soon(0), LOOK_EACH_MS);
  document.addEventListener('visibilitychange', () => soon(0));
  if (tells === undefined) return;
  const feed = new Feed(browserWorld);
  let first = true; // what is played now
  feed.onMessage((message) => {
    if (message.type !== 'home') return;
    if (!first) soon(AFTER_FEED_MS);
    first = false;
  });
  document.addEventListener('visibilitychange', () => feed.seen(document.visibilityState === 'visible'));
  addEventListener('online', () => feed.online());
  feed.follow({ type: 'watch', home: true });
}

document.addEventListener('DOMContentLoaded', () => {
  const button = document.getElementById('theme');
  const line = document.getElementById('fresh');
  if (button) themeButton(button);
  if (line) newGames(line);
  for (const link of document.querySelectorAll<HTMLElement>('.language a')) link.addEventListener('click', () => keep('lang', link.lang));
});
