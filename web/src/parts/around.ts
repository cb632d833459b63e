// around.ts - places along a rounded rectangle, equally far from each other, from the top clockwise.
const power = 2 / 2.6; // superellipse of exponent 2.6

function at(angle: number, rx: number, ry: number): [number, number] {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return [rx * Math.sign(c) * Math.abs(c) ** power, ry * Math.sign(s) * Math.abs(s) ** power];
}

/** `count` places around 0, 0. */
export function around(count: number, rx: number, ry: number): [number, number][] {
  const steps = 720;
  const curve: [number, number][] = [];
  const length = [0];
  for (let i = 0; i <= steps; i++) {
    const point = at(-Math.PI / 2 + (i / steps) * 2 * Math.PI, rx, ry);
    const before = curve[i - 1];
    curve.push(point);
    if (before) length.push((length[i - 1] as number) + Math.hypot(point[0] - before[0], point[1] - before[1]));
  }
  const whole = length[steps] as number;
  const places: [number, number][] = [];
  let i = 0;
  for (let seat = 0; seat < count; seat++) {
    while (i < steps && (length[i] as number) < (whole * seat) / count) i++;
    places.push(curve[i] as [number, number]);
  }
  return places;
}
