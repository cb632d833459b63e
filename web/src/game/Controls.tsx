// Controls.tsx - buttons to walk through a game, and to let it play by itself.
import { useEffect } from 'preact/hooks';
import type { GameEvent } from '../doc.ts';
import { course } from '../settings.ts';
import { num, t, type WordKey } from '../words.ts';
import { speeds } from './hash.ts';
import type { GameStore } from './store.ts';

const icons = {
  first: 'M5 4v12M15 4.500v11L7.500 10z',
  back: 'M13.500 4.500v11L6 10z',
  play: 'M6 4l9.500 6L6 16z',
  pause: 'M6 4.500h2.800v11H6zM11.200 4.500H14v11h-2.800z',
  forward: 'M6.500 4.500v11L14 10z',
  lastEvent: 'M15 4v12M5 4.500v11l7.500-5.500z',
  link: 'M8.500 11.500a3 3 0 0 0 4.300.3l2.600-2.600a3 3 0 0 0-4.300-4.300L9.800 6.200M11.500 8.500a3 3 0 0 0-4.300-.3l-2.600 2.600a3 3 0 0 0 4.300 4.300l1.300-1.300',
  course: 'M2.500 10C5 6.200 7.500 5 10 5s5 1.200 7.500 5C15 13.800 12.500 15 10 15s-5-1.200-7.500-5zM10 7.800a2.200 2.200 0 1 0 .01 0z',
  more: 'M4.500 8.300a1.700 1.700 0 1 0 .01 0zM10 8.300a1.700 1.700 0 1 0 .01 0zM15.500 8.300a1.700 1.700 0 1 0 .01 0z',
  find: 'M8.800 3.500a5.300 5.300 0 1 0 .01 0zM12.800 12.800l4 4',
  save: 'M10 3.500v8M6.500 8.500l3.500 3.500 3.500-3.500M4 15.500h12',
  keys: 'M3 5.500h14v9H3zM6 12h8M5.800 8.200h.1M8.600 8.200h.1M11.400 8.200h.1M14.200 8.200h.1',
} as const;

export const ControlIcon = ({ name }: { name: keyof typeof icons }) => (
  <svg class={`icon i-${name}`} viewBox="0 0 20 20" aria-hidden="true"><path d={icons[name]} /></svg>
);

/** How long an event stays when a game plays by itself, before the speed. */
export function restMs(event: GameEvent | undefined): number {
  if (!event) return 400;
  switch (event.kind) {
    case 'talk':
    case 'whisper':
      return event.quiet ? 160 : 700 + Math.min(3300, (event.text ?? '').length * 26);
    case 'vote':
    case 'attack_vote':
      return 420;
    case 'day':
    case 'night':
      return 1000;
    case 'execute':
    case 'death':
      return 1600;
    default:
      return 900;
  }
}

/** Moves on while the game plays. */
export function usePlaying(game: GameStore): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const step = (): void => {
      if (!game.playing.value) return;
      if (game.cursor.value >= game.last.value) {
        game.playing.value = false;
        return;
      }
      game.go(game.cursor.value + 1);
      wait();
    };
    const wait = (): void => {
      timer = setTimeout(step, restMs(game.course.value.event(game.cursor.value)) / game.speed.value);
    };
    const stop = game.playing.subscribe((playing) => {
      clearTimeout(timer);
      if (playing) wait();
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [game]);
}

export function togglePlay(game: GameStore): void {
  if (!game.playing.value && game.cursor.value >= game.last.value) game.go(0);
  game.playing.value = !game.playing.value;
}

export function changeSpeed(game: GameStore, step: 1 | -1): void {
  const at = speeds.indexOf(game.speed.value as 1);
  game.speed.value = speeds[Math.max(0, Math.min(speeds.length - 1, at + step))] ?? 1;
}

function Key({ game, name, go, disabled }: { game: GameStore; name: 'first' | 'back' | 'forward' | 'lastEvent'; go: () => number; disabled: boolean }) {
  return (
    <button type="button" class="button square" aria-label={t(name as WordKey)} title={t(name as WordKey)} aria-disabled={disabled}
      onClick={() => { game.playing.value = false; game.go(go()); }}>
      <ControlIcon name={name} />
    </button>
  );
}

export const SpeedSelect = ({ game, label }: { game: GameStore; label: string }) => (
  <select class="field speed" aria-label={label} title={label} value={String(game.speed.value)}
    onChange={(change) => { game.speed.value = Number((change.currentTarget as HTMLSelectElement).value); }}>
    {speeds.map((speed) => <option key={speed} value={String(speed)}>{`${speed}×`}</option>)}
  </select>
);

/** Whether the part of the course that wasn't seen may be hidden: only where roles are. */
export const mayHideCourse = (game: GameStore): boolean => game.view.value === 'public' && game.status.value !== 'running';

export function Controls({ game, onLink, onMenu }: { game: GameStore; onLink: () => void; onMenu: () => void }) {
  const at = game.cursor.value;
  const last = game.last.value;
  const playing = game.playing.value;
  const hidden = mayHideCourse(game) && course.value === 'reached' && game.reached.value < last;
  return (
    <>
      <div class="controls">
        <Key game={game} name="first" go={() => 0} disabled={at === 0} />
        <Key game={game} name="back" go={() => game.cursor.value - 1} disabled={at === 0} />
        <button type="button" class="button square strong" aria-label={t(playing ? 'pause' : 'play')} title={t(playing ? 'pause' : 'play')} onClick={() => togglePlay(game)}>
          <ControlIcon name={playing ? 'pause' : 'play'} />
        </button>
        <Key game={game} name="forward" go={() => game.cursor.value + 1} disabled={at >= last} />
        <Key game={game} name="lastEvent" go={() => last} disabled={at >= last} />
      </div>
      <div class="figures">
        <span class="position">{hidden ? num(at + 1) : t('position', { at: at + 1, all: last + 1 })}</span>
        <span class="wide-only"><SpeedSelect game={game} label={t('speed')} /></span>
        {mayHideCourse(game) && (
          <button type="button" class="button square quiet wide-only" aria-pressed={course.value === 'whole'} aria-label={t('wholeCourse')} title={t('wholeCourse')}
            onClick={() => { course.value = course.value === 'whole' ? 'reached' : 'whole'; }}>
            <ControlIcon name="course" />
          </button>
        )}
        <button type="button" class="button square quiet wide-only" aria-label={t('copyLink')} title={t('copyLink')} onClick={onLink}><ControlIcon name="link" /></button>
        <button type="button" class="button square quiet" aria-label={t('more')} title={t('more')} onClick={onMenu}><ControlIcon name="more" /></button>
      </div>
    </>
  );
}
