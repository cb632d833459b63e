// layout.ts - where things lie on the stage, in its pixels: seats, the table's edge, arrows. Pure.
export interface Point {
  x: number;
  y: number;
}

export interface SeatPlace extends Point {
  seat: number;
}

export interface StageLayout {
  width: number;
  height: number;
  centre: Point;
  /** Half a face's width. */
  radius: number;
  /** The widest name. */
  labelWidth: number;
  labelHeight: number;
  /** Names stand under faces; else there is room for numbers only. */
  named: boolean;
  /** So low that the day is small, too. */
  tiny: boolean;
  places: SeatPlace[];
  table: string;
  tableInner: string;
  /** Room in the middle for a spoken line, and for the day above it. */
  inner: { width: number; height: number };
}

const power = 2.6; // of the superellipse: between an ellipse and a rectangle

function curve(a: number, b: number, turn: number): Point {
  const angle = turn * 2 * Math.PI - Math.PI / 2; // 0 = top, clockwise
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return { x: a * Math.sign(c) * Math.abs(c) ** (2 / power), y: b * Math.sign(s) * Math.abs(s) ** (2 / power) };
}

// `count` points equally far from each other along the curve, from the top clockwise.
function spread(a: number, b: number, count: number): Point[] {
  const steps = 1440;
  const points: Point[] = [];
  const along: number[] = [0];
  for (let i = 0; i <= steps; i++) {
    const point = curve(a, b, i / steps);
    points.push(point);
    const before = points[i - 1];
    if (before) along.push((along[i - 1] as number) + Math.hypot(point.x - before.x, point.y - before.y));
  }
  const total = along[steps] as number;
  const made: Point[] = [];
  for (let i = 0, at = 0; i < count; i++) {
    while (at < steps && (along[at] as number) < (total * i) / count) at++;
    made.push(points[at] as Point);
  }
  return made;
}

function outline(centre: Point, a: number, b: number): string {
  let path = '';
  for (let i = 0; i < 120; i++) {
    const point = curve(a, b, i / 120);
    path += `${i === 0 ? 'M' : 'L'}${(centre.x + point.x).toFixed(1)} ${(centre.y + point.y).toFixed(1)}`;
  }
  return `${path}Z`;
}

/** `named`: seats have names, which want more room than numbers. */
export function stageLayout(width: number, height: number, seats: readonly number[], named: boolean): StageLayout {
  const count = Math.max(seats.length, 1);
  const small = width < 520 || height < 420;
  const room = 2 * (width + height) * 0.72; // about the length of the curve
  const radius = Math.round(Math.max(13, Math.min(small ? (count <= 9 ? 24 : 21) : count <= 6 ? 42 : 34, (room / count) * 0.2, height * 0.075)));
  const labelHeight = small ? 14 : 18;
  const nameRoom = Math.round(Math.min(small ? 76 : 116, (room / count) * 0.82, width * 0.24));
  const showNames = named && nameRoom >= 46;
  const labelWidth = showNames ? Math.max(radius * 2 + 4, nameRoom) : radius * 2;
  const sideways = Math.max(radius + 14, labelWidth / 2 + 4);
  const up = radius + (small ? 9 : 16);
  const down = radius + labelHeight + (small ? 5 : 12);
  const centre = { x: width / 2, y: (up + height - down) / 2 };
  const a = Math.max(30, width / 2 - sideways - (small ? 0 : 10));
  const b = Math.max(30, (height - up - down) / 2);
  const places = spread(a, b, count).map((point, i) => ({ seat: seats[i] ?? 0, x: centre.x + point.x, y: centre.y + point.y }));
  const ta = Math.max(20, a - radius * 0.5);
  const tb = Math.max(20, b - radius * 0.5);
  return {
    width, height, centre, radius, labelWidth, labelHeight, named: showNames, tiny: height < 250 || width < 300, places,
    table: outline(centre, ta, tb),
    tableInner: outline(centre, Math.max(10, ta - (small ? 5 : 9)), Math.max(10, tb - (small ? 5 : 9))),
    inner: { width: Math.max(80, 2 * (a - radius - (showNames ? labelWidth / 2 - radius : 0) - 18)), height: Math.max(60, 2 * (b - radius - labelHeight - 8)) },
  };
}

export interface ArrowPath {
  line: string;
  head: string;
}

const turned = (v: Point, angle: number): Point => ({
  x: v.x * Math.cos(angle) - v.y * Math.sin(angle),
  y: v.x * Math.sin(angle) + v.y * Math.cos(angle),
});

function unit(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

// Moves angles apart until each has `gap` to the next one, as little as that takes (pools of those that
// touch lie around their mean); all stay within `most` of the middle.
function fanned(wanted: readonly number[], gap: number, most: number): number[] {
  const step = wanted.length > 1 ? Math.min(gap, (2 * most) / (wanted.length - 1)) : 0;
  const pools: { sum: number; count: number }[] = [];
  wanted.forEach((angle, i) => {
    pools.push({ sum: angle - i * step, count: 1 });
    for (let last = pools.length - 1; last > 0; last--) {
      const one = pools[last - 1] as { sum: number; count: number };
      const other = pools[last] as { sum: number; count: number };
      if (one.sum / one.count <= other.sum / other.count) break;
      pools.splice(last - 1, 2, { sum: one.sum + other.sum, count: one.count + other.count });
    }
  });
  const low = -most;
  const high = most - (wanted.length - 1) * step;
  return pools.flatMap((pool) => Array<number>(pool.count).fill(Math.max(low, Math.min(high, pool.sum / pool.count)))).map((angle, i) => angle + i * step);
}

// How far from a seat's middle an arrow ends, so that neither face nor name is under its tip.
function standOff(layout: StageLayout, out: Point, label: number): number {
  const round = layout.radius + 6;
  if (out.y <= 0.05) return round;
  const below = (layout.radius + layout.labelHeight + 6) / out.y;
  const aside = Math.abs(out.x) > 0.01 ? (label / 2 + 5) / Math.abs(out.x) : Infinity;
  return Math.max(round, Math.min(below, aside));
}

/** About how wide a name is drawn: characters of Chinese and Japanese are twice as wide. */
export function labelWidthOf(layout: StageLayout, name: string): number {
  let units = 0;
  for (const char of name) units += (char.codePointAt(0) ?? 0) > 0x2e7f ? 2 : 1.15;
  return Math.min(layout.labelWidth, units * layout.labelHeight * 0.36 + 10);
}

// Arrows leave and arrive between the straight way and the way through the middle.
const bent = (straight: Point, inward: Point): Point => unit({ x: 0, y: 0 }, { x: straight.x * 0.7 + inward.x * 0.5, y: straight.y * 0.7 + inward.y * 0.5 });

/** Curves through the middle, their tips fanned on the target's inner side by where they come from. */
export function arrowPaths(layout: StageLayout, arrows: readonly { from: number; to: number }[], names: readonly (string | undefined)[], headSize: (i: number) => number): ArrowPath[] {
  const place = new Map(layout.places.map((each) => [each.seat, each]));
  const made: ArrowPath[] = arrows.map(() => ({ line: '', head: '' }));
  for (const target of new Set(arrows.map((arrow) => arrow.to))) {
    const to = place.get(target);
    if (!to) continue;
    const inward = unit(to, layout.centre);
    const coming = arrows.flatMap((arrow, i) => {
      const from = place.get(arrow.from);
      if (arrow.to !== target || !from) return [];
      const v = arrow.from === target ? turned(inward, 0.6) : bent(unit(to, from), inward);
      return [{ i, from, angle: Math.atan2(inward.x * v.y - inward.y * v.x, inward.x * v.x + inward.y * v.y) }];
    });
    coming.sort((one, other) => one.angle - other.angle);
    const angles = fanned(coming.map((each) => each.angle), 10 / (layout.radius + 6), 1.3);
    const label = labelWidthOf(layout, names[target] ?? String(target));
    coming.forEach((each, at) => {
      made[each.i] = oneArrow(layout, each.from, to, turned(inward, angles[at] as number), label, headSize(each.i));
    });
  }
  return made;
}

function oneArrow(layout: StageLayout, from: Point, to: Point, out: Point, label: number, size: number): ArrowPath {
  const far = standOff(layout, out, label);
  const tip = { x: to.x + out.x * far, y: to.y + out.y * far };
  const neck = { x: tip.x + out.x * size * 0.8, y: tip.y + out.y * size * 0.8 };
  const away = from === to ? turned(unit(from, layout.centre), -0.6) : bent(unit(from, tip), unit(from, layout.centre));
  const start = { x: from.x + away.x * (layout.radius + 4), y: from.y + away.y * (layout.radius + 4) };
  const reach = Math.hypot(neck.x - start.x, neck.y - start.y) * 0.36 + (from === to ? layout.radius * 1.6 : 0);
  const c1 = { x: start.x + away.x * reach, y: start.y + away.y * reach };
  const c2 = { x: neck.x + out.x * reach, y: neck.y + out.y * reach };
  const side = { x: -out.y * size * 0.5, y: out.x * size * 0.5 };
  const p = (point: Point): string => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
  return {
    line: `M${p(start)}C${p(c1)} ${p(c2)} ${p(neck)}`,
    head: `M${p(tip)}L${p({ x: tip.x + out.x * size + side.x, y: tip.y + out.y * size + side.y })}L${p(neck)}L${p({ x: tip.x + out.x * size - side.x, y: tip.y + out.y * size - side.y })}Z`,
  };
}
