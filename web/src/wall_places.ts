// wall_places.ts - which table stands where on the wall. Pure.
import type { LiveTable } from './shapes.ts';

/** How long a game that is over stays on the wall, when nobody needs its place. */
export const WALL_AFTER_MS = 60_000;

/** Tables stay where they are. Who begins takes a place that is free, then one more, then that of a game that is
 * over; `lingers`: those that were over a short time ago. */
export function placeTables(before: readonly string[], live: readonly string[], lingers: readonly string[], count: number): string[] {
  const old = before.slice(0, count);
  const waiting = live.filter((id) => !old.includes(id));
  const placed = old.flatMap((id) => {
    if (live.includes(id) || lingers.includes(id)) return [id];
    const next = waiting.shift();
    return next === undefined ? [] : [next];
  });
  while (placed.length < count && waiting.length > 0) placed.push(waiting.shift() as string);
  return placed.map((id) => (live.includes(id) ? id : waiting.shift() ?? id));
}

/** Of the tables on the wall those that are over, but not for long. `ended`: when each was first seen so, kept here. */
export function lingering(onWall: readonly string[], live: readonly LiveTable[], ended: Map<string, number>, now: number): string[] {
  const played = live.filter((table) => !table.over).map((table) => table.id);
  for (const id of played) ended.delete(id); // begun anew
  return onWall.filter((id) => {
    if (played.includes(id)) return false;
    const since = ended.get(id) ?? now;
    ended.set(id, since);
    return now - since < WALL_AFTER_MS;
  });
}

/** What tables are called: by their rooms, as long as a page is open. `names` is filled. */
export function nameTables(names: Map<string, string>, rooms: readonly { code: string; title?: string; game?: string }[]): void {
  for (const room of rooms) if (room.game) names.set(room.game, room.title || room.code);
}
