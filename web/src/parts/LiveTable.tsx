// LiveTable.tsx - a table that is played, small, as the feed tells of it.
import { useEffect, useMemo } from 'preact/hooks';
import type { GameDoc, GameEvent } from '../doc.ts';
import { LiveGame } from '../live.ts';
import { lang } from '../settings.ts';
import { t } from '../words.ts';
import { gamePath } from './Lists.tsx';
import { MiniTable } from './MiniTable.tsx';
import { shown } from './shown.ts';

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

/** `title`: of its room. `names`: below the faces, where there is room. */
export function LiveTable({ id, title, names }: { id: string; title?: string | undefined; names?: boolean }) {
  const game = useMemo(() => new LiveGame(id, 'public'), [id]);
  useEffect(() => () => game.stop(), [game]);
  const doc = game.doc.value;
  if (!doc) return <div class="mini-wait">{game.watch.trouble.value ? shown(game.watch.trouble.value.message) : t('loading')}</div>;
  const phase = doc.phases[doc.phases.length - 1];
  const dead = deadIn(doc);
  const word = lastWord(doc);
  const line = plainOf(word, lang.value);
  return (
    <>
      <a href={gamePath(id)}>
        <MiniTable name={title ?? id} day={phase?.day ?? 0} night={phase?.night ?? false} names={names === true} speaking={word?.seat ?? game.watch.typing.value}
          seats={doc.seats.map((seat) => ({ seat: seat.seat, name: seat.name, dead: dead.has(seat.seat) }))}
          {...(line !== undefined && names ? { line } : {})}
          {...(doc.status !== 'running' || game.watch.over.value ? { over: doc.winner ? t(`winner${doc.winner}`) : t('wallOver') } : {})} />
        <span class="tile-foot"><bdi class="item-name">{shown(title ?? id)}</bdi><span class="note">{shown(doc.rules.name)}</span></span>
      </a>
    </>
  );
}
