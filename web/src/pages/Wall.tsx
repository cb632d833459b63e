// Wall.tsx - up to nine live tables on one screen, by one feed: for a hall.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { GameDoc, GameEvent } from '../doc.ts';
import { WATCHES_MAX } from '../feed.ts';
import { feed, LiveGame } from '../live.ts';
import { useEach, useLoaded } from '../load.ts';
import { Empty, Frame, Loading, Trouble } from '../parts/Frame.tsx';
import { gamePath } from '../parts/Lists.tsx';
import { MiniTable } from '../parts/MiniTable.tsx';
import { shown } from '../parts/shown.ts';
import type { PageProps } from '../routes.tsx';
import type { HomeData } from '../shapes.ts';
import { t } from '../words.ts';

/** Who is dead at the end of a document. */
export function deadIn(doc: GameDoc): Set<number> {
  const dead = new Set<number>();
  for (const event of doc.events)
    if (event.kind === 'execute' || event.kind === 'death') dead.add(event.seat ?? 0);
  return dead;
}

/** The last thing that was said, unless something else has happened since. */
function lastWord(doc: GameDoc): GameEvent | undefined {
  for (let i = doc.events.length - 1; i >= 0; i--) {
    const event = doc.events[i] as GameEvent;
    if (event.kind !== 'talk' && event.kind !== 'fault') return undefined;
    if (event.kind === 'talk' && !event.quiet) return event;
  }
  return undefined;
}

const plainOf = (event: GameEvent | undefined, lang: string): string | undefined => event?.plain?.[lang] ?? event?.text;

function WallTable({ id }: { id: string }) {
  const game = useMemo(() => new LiveGame(id, 'public'), [id]);
  useEffect(() => () => game.stop(), [game]);
  const doc = game.doc.value;
  if (!doc) return <div class="mini-wait">{game.trouble.value ? shown(game.trouble.value.message) : t('loading')}</div>;
  const phase = doc.phases[doc.phases.length - 1];
  const dead = deadIn(doc);
  const word = lastWord(doc);
  const line = plainOf(word, document.documentElement.lang);
  return (
    <>
      <a href={gamePath(id)}>
        <MiniTable name={id} day={phase?.day ?? 0} night={phase?.night ?? false} names speaking={word?.seat ?? game.typing.value}
          seats={doc.seats.map((seat) => ({ seat: seat.seat, name: seat.name, dead: dead.has(seat.seat) }))}
          {...(line !== undefined ? { line } : {})}
          {...(doc.status !== 'running' || game.over.value ? { over: doc.winner ? t(`winner${doc.winner}`) : t('wallOver') } : {})} />
        <span class="card-foot"><bdi class="row-name">{shown(id)}</bdi><span class="note">{shown(doc.rules.name)}</span></span>
      </a>
    </>
  );
}

/** Tables stay where they are; who is over makes room for the next one. */
export function placeTables(before: readonly string[], live: readonly string[], count: number): string[] {
  const stay = before.filter((id) => live.includes(id)).slice(0, count);
  const more = live.filter((id) => !stay.includes(id));
  const placed = before.slice(0, count).map((id) => (stay.includes(id) ? id : more.shift() ?? id));
  while (placed.length < count && more.length > 0) placed.push(more.shift() as string);
  return placed;
}

export function Wall(_: PageProps) {
  const asked = Number(new URLSearchParams(location.search).get('tables') ?? WATCHES_MAX);
  const count = Math.min(WATCHES_MAX, Math.max(1, Number.isInteger(asked) ? asked : WATCHES_MAX));
  const { value, trouble, again } = useLoaded<HomeData>('home');
  const shownIds = useSignal<string[]>([]);
  useEffect(() => {
    feed.keep = true; // a screen in a hall, whatever the browser thinks of it
    return () => { feed.keep = false; };
  }, []);
  useEach(5_000, again);
  const live = value.value?.live;
  useEffect(() => {
    if (live) shownIds.value = placeTables(shownIds.value, live.map((table) => table.id), count);
  }, [live]);
  const ids = shownIds.value;
  return (
    <Frame title={t('wallTitle')} wide>
      {ids.length > 0 ? <ul class={`wall of${ids.length > 4 ? 9 : ids.length > 1 ? 4 : 1}`}>{ids.map((id) => <li class="card" key={id}><WallTable id={id} /></li>)}</ul>
        : live ? <Empty title={t('wallNothing')}><p>{t('wallNothingText')}</p></Empty>
        : trouble.value ? <Trouble trouble={trouble.value} again={again} /> : <Loading />}
    </Frame>
  );
}
