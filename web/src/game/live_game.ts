// live_game.ts - a game's page that follows a running game: one view, by the feed.
import { batch, effect } from '@preact/signals';
import type { GameEvent, Phase, Seat } from '../doc.ts';
import type { FeedMessage } from '../feed.ts';
import { Watch } from '../live.ts';
import { viewName, type GameStore, type ViewChoice } from './store.ts';

const list = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);

/** What a frame of the feed adds to a view of the store; what is there already is left out. */
export function growBy(game: GameStore, view: ViewChoice, frame: FeedMessage): boolean {
  const length = game.lengthOf(view);
  const events = list<GameEvent>(frame['events']).filter((event) => event.n >= length);
  const phases = list<Phase>(frame['phases']).filter((phase) => events.length > 0 && phase.first >= length);
  return game.append(view, events, phases, list<Seat>(frame['seats']));
}

/** Follows game `id` in the view that is shown, and in another one when that is chosen. Returns how to stop. */
export function followGame(game: GameStore, id: string): () => void {
  let watch: Watch | null = null;
  let watched: ViewChoice | null = null;
  const begin = (view: ViewChoice): void => {
    watch?.stop();
    watched = view;
    watch = new Watch(id, viewName(view), {
      show: (doc) => {
        // The document anew: another process, or too far behind. One who looked back stays there.
        const follows = game.following.peek();
        batch(() => {
          game.show(doc);
          if (follows) game.go(game.last.value);
        });
      },
      grow: (frame) => growBy(game, view, frame),
    });
  };
  const stops = [
    effect(() => {
      const view = game.view.value;
      if (game.status.value === 'running' && view !== watched) begin(view);
    }),
    effect(() => {
      void game.view.value;
      game.typing.value = watch?.typing.value ?? 0;
      game.clock.value = watch?.clock.value ?? null;
    }),
    effect(() => {
      void game.view.value;
      // Over: all views may be asked for now.
      if (watch?.over.value && game.status.peek() === 'running') game.status.value = 'finished';
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    watch?.stop();
  };
}
