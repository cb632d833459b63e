// Inside.tsx - the frame of a contest's pages: its name and state, the ways to its parts; follows what
// the server tells while the page is in sight.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useEach } from '../load.ts';
import { shown } from '../parts/shown.ts';
import { api } from './ask.ts';
import { Frame, When } from './Frame.tsx';
import { here } from './go.ts';
import { pauseOf, useLoaded } from './loaded.ts';
import { me } from './me.ts';
import { pathTo } from './route.ts';
import type { Contest } from './shapes.ts';
import { StatePill } from './StatePill.tsx';
import { both, t, type WordKey } from './words.ts';

export interface InContest {
  contest: Contest;
  again: () => void;
}

/** Whether the finalists of this contest are named, and others are not in the final. */
export const hasFinalists = (contest: Contest): boolean =>
  (contest.stages?.length ?? 0) > 1 && ['REVISION', 'FINAL', 'JUDGING', 'APPEALS', 'PUBLISHED', 'ARCHIVED'].includes(contest.state);

/** What the reader is here. */
export interface Standing {
  team: string;
  captain: boolean;
  judge: boolean;
  organiser: boolean;
}

export function standingIn(contest: Contest): Standing {
  const own = me.value?.teams?.find((each) => each.contest === contest.name);
  const has = (role: string): boolean => me.value?.roles?.some((each) => each.contest === contest.name && each.role === role) === true;
  return {
    team: contest.me?.team ?? own?.team ?? '',
    captain: contest.me?.captain ?? own?.captain ?? false,
    judge: contest.me?.judge ?? has('judge'),
    organiser: (contest.me?.organiser ?? has('organiser')) || me.value?.admin === true,
  };
}

/** Tells of changes while the page is visible: a browser has six connections to a server, so hidden pages give theirs back. */
export function useNews(contest: string, changed: () => void): void {
  useEffect(() => {
    if (contest === '') return;
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let tries = 0;
    const follow = (): void => {
      clearTimeout(timer);
      source?.close();
      source = undefined;
      if (document.visibilityState !== 'visible') return;
      const own = new EventSource(`${api}contests/${encodeURIComponent(contest)}/events`);
      source = own;
      // A stream begins with how things stand, which this page knows.
      const told = new Map<string, string>();
      for (const kind of ['state', 'round', 'notice'])
        own.addEventListener(kind, (event) => {
          const before = told.get(kind);
          told.set(kind, String((event as MessageEvent).data));
          if (kind === 'notice' || (before !== undefined && before !== told.get(kind))) changed();
        });
      own.onopen = () => {
        if (tries > 0) changed(); // what was told meanwhile was missed
        tries = 0;
      };
      // A browser comes back to a broken stream by itself, but not to one that was refused.
      own.onerror = () => {
        if (own.readyState === EventSource.CLOSED) timer = setTimeout(follow, pauseOf(tries++));
        else tries = Math.max(tries, 1);
      };
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      clearTimeout(timer);
      source?.close();
    };
  }, [contest]);
}

function Tabs({ contest }: { contest: Contest }) {
  const { team, judge, organiser } = standingIn(contest);
  const tabs: [string, string, boolean][] = [
    [pathTo(contest.name), t('tabContest'), true],
    [pathTo(contest.name, 'team', team), t('tabTeam'), team !== ''],
    [pathTo(contest.name, 'judge'), t('tabJudge'), judge],
    [pathTo(contest.name, 'organise'), t('tabOrganise'), organiser],
    [pathTo(contest.name, 'teams'), t('tabTeams'), true],
    [pathTo(contest.name, 'standings'), t('tabStandings'), true],
    [pathTo(contest.name, 'games'), t('tabGames'), true],
    [pathTo(contest.name, 'ledger'), t('tabLedger'), true],
  ];
  const at = here.value.path;
  const nav = useRef<HTMLElement>(null);
  // On a phone not all of them are in sight: the one of now is.
  useEffect(() => {
    const now = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (now && nav.current) nav.current.scrollLeft = now.offsetLeft - (nav.current.clientWidth - now.offsetWidth) / 2;
  }, [at, team]);
  return (
    <nav class="tabs" aria-label={t('tabsLabel')} ref={nav}>
      {tabs.filter(([, , there]) => there).map(([to, word]) => (
        <a key={to} href={to} aria-current={at === to || (to !== pathTo(contest.name) && at.startsWith(`${to}/`)) ? 'page' : undefined}>{word}</a>
      ))}
    </nav>
  );
}

interface InsideProps {
  name: string;
  title?: string; // of the part
  wide?: boolean;
  children: (inside: InContest) => ComponentChildren;
}

export function Inside({ name, title, wide, children }: InsideProps) {
  const loaded = useLoaded<Contest>(`contests/${encodeURIComponent(name)}`);
  useNews(name, loaded.again);
  useEach(60_000, loaded.again);
  // Rights are the account's: a login changes what may be seen. Who it is that was logged in before
  // this page began is no change: the contest was asked for with that login.
  const who = me.value === undefined ? undefined : (me.value?.id ?? '');
  const was = useRef(who);
  useEffect(() => {
    if (was.current !== undefined && who !== was.current) loaded.again();
    was.current = who;
  }, [who]);
  const contest = loaded.value.value;
  const called = contest ? both(contest.title) || contest.name : name;
  return (
    <Frame title={title ? `${title} · ${called}` : called} wide={wide === true}
      heading={<><a class="homely" href={pathTo(name)}><bdi>{shown(called)}</bdi></a>{title && <span class="unseen"> · {title}</span>}</>}
      below={contest ? <Tabs contest={contest} /> : null}>
      <When of={loaded}>{(value) => <>{value.paused && <p class="warning" role="status"><strong>{t('paused')}</strong> {t('pausedLine')}</p>}{children({ contest: value, again: loaded.again })}</>}</When>
    </Frame>
  );
}

/** A choice of parts within a page: `?part=`. */
export function Parts<T extends string>({ path, parts, now, label }: { path: string; parts: readonly (readonly [T, WordKey, number?])[]; now: T; label: string }) {
  return (
    <nav class="parts" aria-label={label}>
      {parts.map(([part, word, count], i) => (
        <a key={part} href={i === 0 ? path : `${path}?part=${part}`} aria-current={part === now ? 'page' : undefined}>
          {t(word)}{count ? <span class="count"> {count}</span> : null}
        </a>
      ))}
    </nav>
  );
}

export function partOf<T extends string>(parts: readonly (readonly [T, ...unknown[]])[]): T {
  const asked = here.value.query.get('part');
  return (parts.find(([part]) => part === asked) ?? (parts[0] as readonly [T]))[0];
}

export function StateLine({ contest }: { contest: Contest }) {
  const sentence = both(contest.sentence).replace(/^[A-Z]+[:：] ?/, ''); // the pill says it in words
  return <p class="stateline"><StatePill contest={contest} />{sentence && <span>{shown(sentence)}</span>}</p>;
}
