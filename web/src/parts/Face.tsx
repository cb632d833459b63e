// Face.tsx - a face for each seat: six hairs, four eyes, five extras, in the seat's colour. Drawn
// once as symbols and used by reference, which takes a third of the time of a jump.
import type { ComponentChildren } from 'preact';

export interface FaceShape {
  hair: number;
  eyes: number;
  extra: number;
}

/** Always the same face for a name at a seat. */
export function faceShape(name: string, seat: number): FaceShape {
  let hash = 0x811c9dc5; // FNV-1a
  for (const unit of `${name}/${seat}`) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  hash = (hash ^ (hash >>> 15)) >>> 0;
  return { hair: hash % 6, eyes: (hash >>> 8) % 4, extra: (hash >>> 16) % 5 };
}

export const faceId = (shape: FaceShape): string => `face-${shape.hair}${shape.eyes}${shape.extra}`;

const hairBehind: ComponentChildren[] = [
  null,
  <path d="M14 34Q12 12 32 11T50 34Q51 46 47 50H17Q13 46 14 34z" class="f-hair" />,
  <g class="f-hair"><circle cx="19" cy="19" r="7.500" /><circle cx="32" cy="13.500" r="8" /><circle cx="45" cy="19" r="7.500" /></g>,
  null,
  <circle cx="32" cy="10" r="6.500" class="f-hair" />,
  null,
];
const hairBefore: ComponentChildren[] = [
  <path d="M16.500 30Q15 14 32 13.500T47.500 30Q44 23 38 21.500 27 24 20.500 22.500 18 25 16.500 30z" class="f-hair" />,
  <path d="M17 31Q16 15 32 15T47 31Q45 22.500 32 21.500 19 22.500 17 31z" class="f-hair" />,
  <path d="M17 28Q18 17 32 17T47 28Q42 22.500 32 22.500T17 28z" class="f-hair" />,
  <path d="M16.500 31Q14.500 14 33 13 48.500 14 47.500 31 46.500 25 42.500 22 34 28 22 26 18 27 16.500 31z" class="f-hair" />,
  <path d="M16.500 29Q17 15 32 15T47.500 29Q44 20.500 35 20 30 19.500 27 21 19 22.500 16.500 29z" class="f-hair" />,
  <path d="M16.500 30Q15.500 14 30 13 36 9.500 41 14 48.500 17 47.500 30 45 24.500 41.500 23L38 25.500 35 22 31 25.500 27.500 22 23 25.500 20.500 23Q17.500 25.500 16.500 30z" class="f-hair" />,
];
const eyesOf: ComponentChildren[] = [
  <g class="f-ink"><circle cx="26" cy="32.500" r="2" /><circle cx="38" cy="32.500" r="2" /></g>,
  <g class="f-line"><path d="M23 33q3-3.500 6 0" /><path d="M35 33q3-3.500 6 0" /></g>,
  <g class="f-ink"><ellipse cx="26" cy="32.500" rx="1.700" ry="2.700" /><ellipse cx="38" cy="32.500" rx="1.700" ry="2.700" /></g>,
  <g class="f-line"><path d="M23.500 32.500h5" /><path d="M35.500 32.500h5" /></g>,
];
const extras: ComponentChildren[] = [
  <path d="M28 41q4 3.500 8 0" class="f-line" />,
  <><g class="f-line"><circle cx="26" cy="32.500" r="5" /><circle cx="38" cy="32.500" r="5" /><path d="M31 32h2" /></g><path d="M28.500 42h7" class="f-line" /></>,
  <><path d="M25 40q3.500-3 7-.6 3.500-2.400 7 .6-3.500 1.800-7 .6-3.500 1.200-7-.6z" class="f-hair" /><path d="M29.500 43.500q2.500 1.500 5 0" class="f-line" /></>,
  <><g class="f-blush"><circle cx="22.500" cy="38" r="3" /><circle cx="41.500" cy="38" r="3" /></g><path d="M28.500 40.500q3.500 4.500 7 0z" class="f-ink" /></>,
  <><path d="M28 41.500q4 2.500 8 0" class="f-line" /><path d="M22.500 27.500q3.500-2 6.500-.5M35 27q3-1.500 6.500.5" class="f-line" /></>,
];

const symbolOf = (shape: FaceShape) => (
  <symbol id={faceId(shape)} viewBox="4 3 56 56" key={faceId(shape)}>
    <rect width="64" height="64" class="f-ground" />
    {hairBehind[shape.hair]}
    <path d="M10 66Q11 50 27 48.500V44h10v4.500Q53 50 54 66z" class="f-coat" />
    <path d="M27 45h10v4.500q-5 4-10 0z" class="f-shade" />
    <path d="M17.500 29Q17 17 32 17T46.500 29Q47 47.500 32 47.500T17.500 29z" class="f-skin" />
    {extras[shape.extra]}
    {eyesOf[shape.eyes]}
    {hairBefore[shape.hair]}
  </symbol>
);

/** The symbols that the faces of these seats refer to; once a page and game. */
export function FaceDefs({ seats }: { seats: readonly { seat: number; name: string }[] }) {
  const shapes = new Map(seats.map((each) => [faceId(faceShape(each.name, each.seat)), faceShape(each.name, each.seat)]));
  return (
    <svg class="defs" aria-hidden="true" width="0" height="0">
      <defs>{[...shapes.values()].map(symbolOf)}</defs>
    </svg>
  );
}

export const Face = ({ seat, name, dead }: { seat: number; name: string; dead?: boolean }) => (
  <svg class={`face s${seat}${dead ? ' gone' : ''}`} viewBox="0 0 64 64" aria-hidden="true">
    <use href={`#${faceId(faceShape(name, seat))}`} />
  </svg>
);
