// contest.ts - what a script adds to the pages of a contest, which the server writes and which are whole without it:
// the colours that were chosen, before anything is drawn; the button for them; "12 new games"; for operators, whose
// secret this tab keeps, what was done to the server, and the logs of a team.
//
// Source: docs/spec/web.md 7. All words stand in the page, in its language.
import { Feed } from './feed.ts';
import { browserWorld } from './feed_browser.ts';
import { keep, kept, operatorSecret } from './kept.ts';
import { shown } from './parts/shown.ts';

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

const ACTS_SHOWN = 10;
const operators = '/api/v1/operator/';
const asOperator = (path: string): Promise<Response> => fetch(operators + path, { credentials: 'same-origin', headers: { Authorization: `Bearer ${operatorSecret()}` } });

type Act = Partial<Record<'act' | 'game' | 'team' | 'agent' | 'by' | 'why' | 'at', string> & Record<'set' | 'number', number>>;

function part(tag: 'span' | 'strong' | 'bdi', ...texts: (string | number | undefined)[]): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = shown(texts.filter((text) => text !== undefined && text !== '').join(' '));
  return made;
}

/** The latest first, as the server has them. */
function showActs(section: HTMLElement, acts: Act[]): void {
  const note = section.querySelector<HTMLElement>('.note');
  section.querySelector('ul')?.replaceChildren(...acts.slice(0, ACTS_SHOWN).map(({ act, game, set, number, team, agent, by, why, at }) => {
    const line = document.createElement('li');
    line.append(part('span', at), ' ', part('strong', act), ' ', part('bdi', team, agent, game, set, number), ' ', part('bdi', by, why && `– ${why}`));
    return line;
  }));
  if (note) note.hidden = acts.length > 0;
  section.hidden = false;
}

function offerLogs(line: HTMLElement): void {
  const button = line.querySelector('button');
  const status = line.querySelector('span');
  const save = async (team: string): Promise<void> => {
    const answer = await asOperator(`logs?team=${encodeURIComponent(team)}`);
    if (!answer.ok) throw new Error(((await answer.json()) as { error?: { text?: string } }).error?.text ?? answer.statusText);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await answer.blob());
    link.download = 'logs-team.tar.gz';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  button?.addEventListener('click', () => {
    if (status) status.textContent = '';
    button.disabled = true;
    save(button.dataset['team'] ?? '')
      .catch((error: unknown) => { if (status) status.textContent = shown(error instanceof Error ? error.message : String(error)); })
      .finally(() => { button.disabled = false; });
  });
  line.hidden = false;
}

/** Where the server plays games, and this is its operator's tab; without its secret nothing is asked. */
async function forOperators(): Promise<void> {
  const acts = document.getElementById('acts');
  const logs = document.getElementById('logs');
  if ((!acts && !logs) || operatorSecret() === '') return;
  try {
    const answer = await asOperator('acts');
    if (!answer.ok) return;
    if (acts) showActs(acts, ((await answer.json()) as { acts: Act[] }).acts);
    if (logs) offerLogs(logs);
  } catch {
    // A server that is away, or one that has no operators' interface.
  }
}

document.addEventListener('DOMContentLoaded', () => {
  const button = document.getElementById('theme');
  const line = document.getElementById('fresh');
  if (button) themeButton(button);
  if (line) newGames(line);
  void forOperators();
  for (const link of document.querySelectorAll<HTMLElement>('.language a')) link.addEventListener('click', () => keep('lang', link.lang));
});
