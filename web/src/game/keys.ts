// keys.ts - the keys of the game's page (docs/spec/web.md 10.5). None with Ctrl, Alt or Meta or in a
// field; all can be switched off.
import { useEffect } from 'preact/hooks';
import { keysOn, sentences } from '../settings.ts';
import { changeSpeed, togglePlay } from './Controls.tsx';
import type { GameStore, ViewChoice } from './store.ts';

export interface KeyActs {
  view: (view: ViewChoice) => void;
  link: () => void;
  find: () => void;
  list: () => void;
}

const inField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input,textarea,select,[contenteditable]') !== null;

const tabKeys: Partial<Record<string, 'log' | 'votes' | 'claims' | 'stances' | 'mind'>> = { l: 'log', v: 'votes', c: 'claims', s: 'stances', m: 'mind' };

/** What a key does; false when it means nothing here. */
export function actKey(key: string, shift: boolean, game: GameStore, acts: KeyActs): boolean {
  const course = game.course.value;
  const at = game.cursor.value;
  const go = (n: number): true => {
    game.playing.value = false;
    if (n >= 0) game.go(n);
    return true;
  };
  switch (key) {
    case 'ArrowLeft': return go(shift ? course.sameSeat(at, -1) : at - 1);
    case 'ArrowRight': return go(shift ? course.sameSeat(at, 1) : at + 1);
    case '[': return go(course.otherDay(at, -1));
    case ']': return go(course.otherDay(at, 1));
    case 'Home': return go(0);
    case 'End': return go(game.last.value);
    case ' ': togglePlay(game); return true;
    case '-': changeSpeed(game, -1); return true;
    case '+': changeSpeed(game, 1); return true;
    case '0': acts.view('public'); return true;
    case 'r': acts.view('all'); return true;
    case 'o': sentences.value = sentences.value === 'plain' ? 'said' : 'plain'; return true;
    case '/': acts.find(); return true;
    case 'y': acts.link(); return true;
    case 't': document.getElementById('table')?.focus(); return true;
    case '?': acts.list(); return true;
    default:
  }
  const tab = tabKeys[key];
  if (tab) {
    game.tab.value = tab;
    return true;
  }
  if (/^[1-9]$/.test(key) && course.doc.seats.some((seat) => seat.seat === Number(key))) {
    acts.view(Number(key));
    return true;
  }
  return false;
}

export function useKeys(game: GameStore, acts: KeyActs): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
      if (keysOn.value === 'off' || inField(event.target) || document.querySelector('dialog[open]')) return;
      // Space presses the button that has the focus; the scrubber's own keys are these too.
      if ((event.key === ' ' || event.key === 'Enter') && (event.target as Element).closest?.('button,a,summary')) return;
      if (actKey(event.key, event.shiftKey, game, acts)) event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [game, acts]);
}
