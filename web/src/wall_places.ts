// wall_places.ts - which table stands where on the wall. Pure.

/** Tables stay where they are; who is over makes room for the next one. */
export function placeTables(before: readonly string[], live: readonly string[], count: number): string[] {
  const stay = before.filter((id) => live.includes(id)).slice(0, count);
  const more = live.filter((id) => !stay.includes(id));
  const placed = before.slice(0, count).map((id) => (stay.includes(id) ? id : more.shift() ?? id));
  while (placed.length < count && more.length > 0) placed.push(more.shift() as string);
  return placed;
}
