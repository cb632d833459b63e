// Scrubber.tsx - the course of the game: ground by day and night, volume of talk, deaths, claims,
// faults; and the place where one is. A slider for hands, wheels, keys and screen readers.
import { useComputed, useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { GameEvent } from '../doc.ts';
import type { Course } from '../model.ts';
import { course as courseChoice, lang } from '../settings.ts';
import { t } from '../words.ts';
import { momentSentence, sliderText, whenText } from './moment.ts';
import { useSize } from './size.ts';
import type { GameStore } from './store.ts';

const barHeight = 40;
const barStep = 6;

interface Drawing {
  days: { x: number; day: number; night: boolean; end: number }[];
  bars: string;
  deaths: string;
  executions: string;
  claims: string;
  faults: string;
}

/** What one has not seen yet of a game whose roles are hidden stays plain; nor does its length tell. */
export function spanOf(length: number, reached: number, whole: boolean): number {
  if (whole || reached >= length - 1) return Math.max(1, length - 1);
  return Math.max(100, Math.ceil(reached * 1.25));
}

function draw(course: Course, width: number, span: number, until: number): Drawing {
  const x = (n: number): number => (n / span) * width;
  const made: Drawing = { days: [], bars: '', deaths: '', executions: '', claims: '', faults: '' };
  const volume = new Float64Array(Math.ceil(width / barStep) + 1);
  const events = course.doc.events;
  const mark = (at: number, top: number, bottom: number): string => `M${at.toFixed(1)} ${top}V${bottom}`;
  let phase = -1;
  for (let n = 0; n <= until; n++) {
    const event = events[n] as GameEvent;
    const at = x(n);
    const now = course.phaseIndex(n);
    if (now !== phase) {
      phase = now;
      const { day, night } = course.doc.phases[now] ?? { day: event.day, night: event.kind === 'night' };
      const before = made.days[made.days.length - 1];
      if (!before || before.day !== day || before.night !== night) {
        if (before) before.end = at;
        made.days.push({ x: at, day, night, end: at });
      }
    }
    if ((event.kind === 'talk' || event.kind === 'whisper') && !event.quiet) {
      const bin = Math.floor(at / barStep);
      volume[bin] = (volume[bin] ?? 0) + 12 + Math.min(200, (event.text ?? '').length);
      for (const says of event.says ?? [])
        if (says.kind === 'COMINGOUT' && says.role && says.role !== 'VILLAGER') made.claims += `M${(at - 2.5).toFixed(1)} 5a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0`;
    } else if (event.kind === 'death') made.deaths += mark(at, 0, barHeight);
    else if (event.kind === 'execute') made.executions += mark(at, 0, barHeight);
    else if (event.kind === 'fault') made.faults += `M${at.toFixed(1)} 1l3.500 6h-7z`;
  }
  const last = made.days[made.days.length - 1];
  if (last) last.end = x(until);
  const most = Math.max(1, ...volume);
  volume.forEach((each, bin) => {
    if (each > 0) made.bars += `M${bin * barStep + 1} ${barHeight}v-${(4 + (each / most) * 24).toFixed(1)}h${barStep - 2}V${barHeight}z`;
  });
  return made;
}

// Which days can have their name: not one on the other, the longer day's before the shorter one's.
function dayLabels(days: Drawing['days'], width: number): { x: number; day: number }[] {
  const room = (lang.value === 'ja' ? 34 : 26) + (days.length > 20 ? 5 : 0);
  const spans: { x: number; day: number; wide: number }[] = [];
  for (const { x, day, end } of days) {
    const before = spans[spans.length - 1];
    if (before && before.day === day) before.wide = end - before.x;
    else spans.push({ x, day, wide: end - x });
  }
  const made: typeof spans = [];
  for (const span of spans) {
    const before = made[made.length - 1];
    if (span.x > width - 14) continue;
    if (!before || span.x >= before.x + room) made.push(span);
    else if (before.wide < span.wide && before.wide < room) made[made.length - 1] = span;
  }
  return made;
}

function Ground({ drawing, width }: { drawing: Drawing; width: number }) {
  return (
    <>
      {drawing.days.map((part) => (
        <rect key={part.x} class={part.night ? 'part night' : 'part'} x={part.x} width={Math.max(1, part.end - part.x)} y="0" height={barHeight} />
      ))}
      <path class="bars" d={drawing.bars} />
      <path class="deaths" d={drawing.deaths} />
      <path class="executions" d={drawing.executions} />
      <path class="claimdots" d={drawing.claims} />
      <path class="faults" d={drawing.faults} />
      <g class="days" aria-hidden="true">{dayLabels(drawing.days, width).map((each) => <text key={each.day} x={Math.max(1, each.x + 1)} y={barHeight + 15}>{t('dayShort', { day: each.day })}</text>)}</g>
    </>
  );
}

export function Scrubber({ game }: { game: GameStore }) {
  const { ref, size } = useSize<HTMLDivElement>();
  const width = Math.max(60, size.value.width);
  void game.grown.value;
  const course = game.course.value;
  const whole = game.view.value !== 'public' || game.status.value === 'running' || courseChoice.value === 'whole';
  // While a hand drags the ruler stands still, or it would run away from the hand.
  const frozen = useSignal(0);
  const span = frozen.value || spanOf(course.length, game.reached.value, whole);
  const until = Math.min(course.length - 1, whole ? course.length - 1 : game.reached.value);
  const drawing = useMemo(() => draw(course, width, span, until), [course, course.length, width, span, until]);
  const hover = useSignal(-1);
  const wheelRest = useRef(0);
  const frame = useRef(0);
  const wanted = useRef(0);
  void lang.value;
  const text = useComputed(() => sliderText(game.course.value, game.course.value.tableAt(game.resting.value)));

  const eventAt = (clientX: number): number => {
    const box = ref.current?.getBoundingClientRect();
    if (!box) return 0;
    return Math.max(0, Math.min(course.length - 1, Math.round(((clientX - box.left) / box.width) * span)));
  };
  // Moves are collected: one step a frame.
  const goSoon = (n: number): void => {
    wanted.current = n;
    if (frame.current) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      game.go(wanted.current);
    });
  };
  const press = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    frozen.value = span;
    game.playing.value = false;
    game.dragging.value = true;
    game.go(eventAt(event.clientX));
  };
  const move = (event: PointerEvent): void => {
    const n = eventAt(event.clientX);
    if (event.pointerType === 'mouse') hover.value = n;
    if (game.dragging.value) goSoon(n);
  };
  const release = (): void => {
    frozen.value = 0;
    if (frame.current) {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
      game.go(wanted.current);
    }
    if (game.dragging.value) game.drop();
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    wheelRest.current += Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
    const steps = Math.trunc(wheelRest.current / 24);
    wheelRest.current -= steps * 24;
    if (steps !== 0) game.go(game.cursor.value + steps);
  };
  const thumb = Math.min(width, (game.cursor.value / span) * width);
  return (
    <div class="scrubber" ref={ref} role="slider" tabIndex={0} aria-label={t('course')} aria-valuemin={0} aria-valuemax={whole ? game.last.value : Math.max(game.reached.value, game.cursor.value)}
      aria-valuenow={game.cursor.value} aria-valuetext={text.value}
      onPointerDown={press} onPointerMove={move} onPointerUp={release} onPointerCancel={release} onPointerLeave={() => { hover.value = -1; }} onWheel={wheel}>
      <svg width={width} height={barHeight + 20} aria-hidden="true">
        <rect class="plain" x="0" y="0" width={width} height={barHeight} rx="4" />
        <Ground drawing={drawing} width={width} />
        <rect class="frame" x=".5" y=".5" width={width - 1} height={barHeight - 1} rx="4" />
        <g class="thumb" transform={`translate(${thumb.toFixed(1)} 0)`}><path d={`M0 0V${barHeight + 3}`} /><circle cx="0" cy="2" r="7" /></g>
      </svg>
      {hover.value >= 0 && hover.value <= until && <Hint course={course} n={hover.value} x={(hover.value / span) * width} width={width} />}
    </div>
  );
}

function Hint({ course, n, x, width }: { course: Course; n: number; x: number; width: number }) {
  const event = course.event(n);
  if (!event) return null;
  const night = course.doc.phases[course.phaseIndex(n)]?.night ?? false;
  const half = Math.min(150, width / 2);
  return (
    <div class="hint" style={{ left: `${Math.max(half, Math.min(width - half, x))}px` }} aria-hidden="true">
      <b>{whenText(event.day, night)}</b> {event.kind === 'day' || event.kind === 'night' ? '' : momentSentence(course, event, true).slice(0, 160)}
    </div>
  );
}
