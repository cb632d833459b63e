// Bubble.tsx - what is being said, in the middle of the table, with a beam to who says it.
import type { GameEvent } from '../doc.ts';
import type { Course, Table } from '../model.ts';
import { Chip, Name } from '../parts/Chip.tsx';
import { isNumberName } from '../parts/shown.ts';
import { t } from '../words.ts';
import type { StageLayout } from './layout.ts';
import { Claims, Said, saidLang } from './Said.tsx';

export function Bubble({ layout, table, event, course }: { layout: StageLayout; table: Table; event: GameEvent; course: Course }) {
  const seat = event.seat ?? 0;
  const name = course.names[seat] ?? '';
  const place = layout.places.find((each) => each.seat === seat);
  const dayHeight = 84;
  const middle = { x: layout.centre.x, y: layout.centre.y + dayHeight / 2 };
  const length = (event.text ?? '').length;
  return (
    <>
      {place && <Beam layout={layout} from={place} to={middle} />}
      <div class="centre top" style={{ left: `${layout.centre.x}px`, top: `${layout.centre.y - layout.inner.height / 2 + 8}px` }}>
        <p class="bigday">{t('day', { day: table.day })}</p>
        <p class="alive">{table.night ? t('nightAlive', { n: table.alive }) : t('alive', { n: table.alive })}</p>
      </div>
      <div class={`bubble${event.kind === 'whisper' ? ' whisper' : ''}${length > 240 ? ' small' : ''}`}
        style={{ left: `${middle.x}px`, top: `${middle.y}px`, width: `${Math.min(layout.inner.width, 540)}px`, maxHeight: `${layout.inner.height - dayHeight - 44}px` }}>
        <p lang={saidLang(event, course)}>
          <Chip seat={seat} />{' '}
          {!isNumberName(name) && <><Name text={name} />{' '}</>}
          <Said event={event} course={course} /> <Claims event={event} />
        </p>
      </div>
    </>
  );
}

// A light from the speaker into the middle; the bubble lies over its wide end.
function Beam({ layout, from, to }: { layout: StageLayout; from: { x: number; y: number }; to: { x: number; y: number } }) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const wide = 22; // less than half a line's bubble is high
  const tip = { x: from.x + along.x * layout.radius * 0.6, y: from.y + along.y * layout.radius * 0.6 };
  const points = `${tip.x.toFixed(1)},${tip.y.toFixed(1)} ${(to.x - along.y * wide).toFixed(1)},${(to.y + along.x * wide).toFixed(1)} ${(to.x + along.y * wide).toFixed(1)},${(to.y - along.x * wide).toFixed(1)}`;
  return (
    <svg class="beam" width={layout.width} height={layout.height} aria-hidden="true"><polygon points={points} /></svg>
  );
}
