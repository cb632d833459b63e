// Stage.tsx - the table as a picture: who sits where, who speaks, who votes for whom, day or night.
import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { isArrowVote, tally, type Count, type Table } from '../model.ts';
import { lang, sentences } from '../settings.ts';
import { t } from '../words.ts';
import { isNumberName } from '../parts/shown.ts';
import { Bubble } from './Bubble.tsx';
import { arrowPaths, stageLayout, type StageLayout } from './layout.ts';
import { seatText, tableSentence } from './moment.ts';
import { SeatButton, SeatCard } from './SeatButton.tsx';
import { Sky } from './Sky.tsx';
import { useSize } from './size.ts';
import type { GameStore } from './store.ts';

/** What the arrows of a moment are: seats, a class for colour and kind. */
function Arrows({ layout, table, counts, names }: { layout: StageLayout; table: Table; counts: Map<number, Count>; names: readonly string[] }) {
  const arrows = table.arrows;
  const topOf = (i: number): boolean => {
    const arrow = arrows[i];
    return arrow !== undefined && isArrowVote(arrow.kind) && (counts.get(arrow.to)?.top ?? false);
  };
  const paths = arrowPaths(layout, arrows, layout.named ? names : [], (i) => (topOf(i) ? 13 : 10));
  return (
    <g class="arrows">
      {arrows.map((arrow, i) => (
        <g key={`${arrow.kind}/${arrow.from}/${arrow.to}/${arrow.n}`} class={`arrow ${arrow.kind}${topOf(i) ? ' top' : ''}`}>
          <path class="shaft" d={paths[i]?.line ?? ''} />
          <path class="tip" d={paths[i]?.head ?? ''} />
        </g>
      ))}
    </g>
  );
}

function Centre({ table, layout }: { table: Table; layout: StageLayout }) {
  const over = table.winner !== null;
  return (
    <div class="centre" style={{ left: `${layout.centre.x}px`, top: `${layout.centre.y}px`, maxWidth: `${layout.inner.width}px` }}>
      <p class="bigday">{over ? t('gameOver') : t('day', { day: table.day })}</p>
      <p class={over ? 'won' : 'alive'}>
        {over ? t(`won_${table.winner ?? 'NONE'}`) : table.night ? t('nightAlive', { n: table.alive }) : t('alive', { n: table.alive })}
      </p>
    </div>
  );
}

export function Stage({ game, onView }: { game: GameStore; onView: (seat: number) => void }) {
  const { ref, size } = useSize<HTMLDivElement>();
  const course = game.course.value;
  const table = game.table.value;
  const { width, height } = size.value;
  const seats = course.doc.seats.map((seat) => seat.seat);
  const named = course.doc.seats.some((seat) => !isNumberName(seat.name));
  const layout = useMemo(() => stageLayout(Math.max(width, 200), Math.max(height, 160), seats, named), [width, height, seats.length, named]);
  const counts = new Map(tally(table.arrows.filter((arrow) => isArrowVote(arrow.kind))).map((count) => [count.target, count]));
  void lang.value;
  // The sentence follows the log: a screen reader isn't told of moments that a hand drags over.
  const sentence = useComputed(() => {
    void sentences.value;
    void lang.value;
    const telling = game.course.value;
    return tableSentence(telling, telling.tableAt(game.resting.value));
  });
  const bubble = table.talk !== null && width >= 520 && height >= 420;
  return (
    <section class={`stage${table.night ? ' night' : ''}${layout.tiny ? ' tiny' : ''}`} ref={ref} aria-label={t('table')} id="table" tabIndex={-1}>
      {width > 0 && (
        <>
          <svg class="ground" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={sentence.value}>
            <Sky width={width} height={height} night={table.night} />
            <path class="wood" d={layout.table} />
            <path class="woodline" d={layout.tableInner} />
            {bubble ? null : <Arrows layout={layout} table={table} counts={counts} names={course.names} />}
          </svg>
          {bubble && table.talk ? <Bubble layout={layout} table={table} event={table.talk} course={course} /> : <Centre table={table} layout={layout} />}
          <div class="seats">
            {layout.places.map((place) => (
              <SeatButton key={place.seat} game={game} course={course} table={table} place={place} layout={layout}
                count={counts.get(place.seat)} onView={onView} />
            ))}
          </div>
          <SeatCard game={game} course={course} table={table} layout={layout} />
        </>
      )}
      {width === 0 && <span class="unseen">{seatText(course, 0)}</span>}
    </section>
  );
}
