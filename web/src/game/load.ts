// load.ts - gets a game's document from the server, and keeps the address' part behind # and the
// store alike.
import { useEffect } from 'preact/hooks';
import { get, operatorSecret } from '../api.ts';
import { readDoc, type GameDoc } from '../doc.ts';
import { lang } from '../settings.ts';
import { toast } from '../parts/Toast.tsx';
import { followGame } from './live_game.ts';
import { momentText, readMoment, type Moment } from './hash.ts';
import type { GameSource } from './source.ts';
import { viewName, type GameStore, type ViewChoice } from './store.ts';

export async function fetchDoc(source: GameSource, view: ViewChoice): Promise<GameDoc> {
  return readDoc(await get(source.doc(viewName(view))));
}

/** Shows game `id` at the moment that the address names. Returns how to stop following it. */
export async function loadGame(game: GameStore, id: string, source: GameSource): Promise<() => void> {
  game.isOperator = operatorSecret() !== '';
  game.fetchView = (view) => fetchDoc(source, view);
  const wanted = readMoment(location.hash);
  game.show(await fetchDoc(source, 'public'));
  await applyMoment(game, wanted, true);
  if (game.status.value === 'running') return followGame(game, id);
  if (wanted.view === undefined && game.wasShown) await chooseView(game, 'all');
  return () => {};
}

export async function chooseView(game: GameStore, view: ViewChoice): Promise<void> {
  try {
    await game.choose(view);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), true);
  }
}

/** Goes where a link points. `first`: the page has just come, and a live game is shown at its end. */
export async function applyMoment(game: GameStore, moment: Moment, first = false): Promise<void> {
  if (moment.lang) lang.value = moment.lang;
  if (moment.tab) game.tab.value = moment.tab;
  if (moment.speed) game.speed.value = moment.speed;
  if (moment.view !== undefined && moment.view !== game.view.value) await chooseView(game, moment.view);
  if (moment.at !== undefined) game.goTo(moment.at);
  else if (first) game.go(game.status.value === 'running' ? game.last.value : 0);
}

export function momentOf(game: GameStore): Moment {
  const at = game.course.value.event(game.cursor.value)?.a;
  return {
    ...(game.view.value === 'public' ? {} : { view: game.view.value }),
    ...(at === undefined || (game.status.value === 'running' && game.following.value) ? {} : { at }),
    ...(game.tab.value === 'log' ? {} : { tab: game.tab.value }),
    ...(game.speed.value === 1 ? {} : { speed: game.speed.value }),
  };
}

/** Keeps the address up to date while one moves about, and follows links to moments. */
export function useAddress(game: GameStore): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let written = location.hash;
    const write = (): void => {
      if (game.course.value.length === 0) return;
      const text = momentText(momentOf(game));
      if (text === written) return;
      written = text;
      history.replaceState(null, '', text || location.pathname + location.search);
    };
    // Browsers allow so many changes a minute: the address waits until one rests.
    const later = (): void => {
      clearTimeout(timer);
      timer = setTimeout(write, 300);
    };
    const stops = [game.cursor, game.view, game.tab, game.speed].map((each) => each.subscribe(later));
    const changed = (): void => {
      if (location.hash === written) return;
      written = location.hash;
      clearTimeout(timer);
      game.playing.value = false;
      void applyMoment(game, readMoment(location.hash));
    };
    addEventListener('hashchange', changed);
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      removeEventListener('hashchange', changed);
    };
  }, [game]);
}

export async function copyLink(game: GameStore): Promise<boolean> {
  const at = game.course.value.event(game.cursor.value)?.a;
  const link = `${location.href.replace(/#.*$/, '')}${momentText({ ...momentOf(game), ...(at === undefined ? {} : { at }) })}`;
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    return false;
  }
}
