// Sky.tsx - the ground behind the table: the sun by day, the moon and stars by night, so that one sees
// the phase from across a hall.
const starCount = 46;

// The same sky each time: a few numbers mixed, no chance.
const stars = Array.from({ length: starCount }, (_, i) => {
  const mixed = Math.imul(i + 7, 0x9e3779b1) >>> 0;
  return { x: (mixed % 1000) / 1000, y: ((mixed >>> 10) % 1000) / 1000, r: 0.6 + ((mixed >>> 20) % 10) / 12 };
});

const Glow = ({ name, x, y, r }: { name: string; x: number; y: number; r: number }) => (
  <>
    <radialGradient id={name}><stop offset=".3" class={name} stop-opacity=".4" /><stop offset="1" class={name} stop-opacity="0" /></radialGradient>
    <circle cx={x} cy={y} r={r} fill={`url(#${name})`} />
  </>
);

export function Sky({ width, height, night }: { width: number; height: number; night: boolean }) {
  const r = Math.max(11, Math.min(22, Math.min(width, height) * 0.03));
  const x = width - r - Math.max(12, width * 0.035);
  const y = r + Math.max(12, height * 0.03);
  if (!night) {
    return (
      <g class="sky">
        <Glow name="sunglow" x={x} y={y} r={r * 3} />
        <circle class="sun" cx={x} cy={y} r={r} />
      </g>
    );
  }
  return (
    <g class="sky">
      {stars.map((star, i) => <circle key={i} class="star" cx={(star.x * width).toFixed(1)} cy={(star.y * height).toFixed(1)} r={star.r} />)}
      <Glow name="moonglow" x={x} y={y} r={r * 3} />
      <path class="moon" d={`M${x + r * 0.35} ${y - r}A${r} ${r} 0 1 0 ${x + r} ${y + r * 0.45}A${r * 0.86} ${r * 0.86} 0 0 1 ${x + r * 0.35} ${y - r}Z`} />
    </g>
  );
}
