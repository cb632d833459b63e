// ranking.ts - a judge's order of players, as it is built on the page. Pure.
import type { Sheet } from './shapes.ts';

export interface Order {
  placed: string[]; // best first
  rest: string[]; // not placed yet, in the order of the sheet
}

/** From what the server keeps of a sheet; ranks that fit no more are dropped. */
export function orderOf(names: readonly string[], ranks: Sheet['ranks']): Order {
  const placed = names.filter((name) => typeof ranks?.[name]?.rank === 'number').sort((a, b) => (ranks?.[a]?.rank ?? 0) - (ranks?.[b]?.rank ?? 0));
  return { placed, rest: names.filter((name) => !placed.includes(name)) };
}

export const place = (order: Order, name: string): Order =>
  order.rest.includes(name) ? { placed: [...order.placed, name], rest: order.rest.filter((each) => each !== name) } : order;

export const takeBack = (order: Order, name: string, names: readonly string[]): Order =>
  order.placed.includes(name)
    ? { placed: order.placed.filter((each) => each !== name), rest: names.filter((each) => each === name || order.rest.includes(each)) }
    : order;

/** Puts `name` to the place `to` (from 0), the others close up. */
export function moveTo(order: Order, name: string, to: number): Order {
  const from = order.placed.indexOf(name);
  if (from < 0) return order;
  const placed = order.placed.filter((each) => each !== name);
  placed.splice(Math.max(0, Math.min(to, placed.length)), 0, name);
  return { ...order, placed };
}

export const ranksOf = (order: Order): Record<string, number> => Object.fromEntries(order.placed.map((name, i) => [name, i + 1]));

export const isWhole = (order: Order): boolean => order.rest.length === 0;

/** The place under a pointer at `y`, by the middles of the rows. */
export function placeAt(y: number, middles: readonly number[]): number {
  let at = 0;
  while (at < middles.length && y > (middles[at] as number)) at++;
  return at;
}
