// OpinionLines.tsx - whom each model would vote for and how sure it is, over the lines of the day. What
// is drawn stands as text above it, so the drawing is for eyes alone.
import type { Course } from '../model.ts';
import { opinionLines, type OpinionLines as Lines, type OpinionRow } from '../opinion_lines.ts';
import { Chip, Who } from '../parts/Chip.tsx';
import type { MindData } from '../shapes.ts';
import { num, t } from '../words.ts';
import { seatText } from './moment.ts';

const width = 320;
const height = 66;
const left = 7;
const high = 12;
const low = 56;

function Drawing({ row, lines, isWolf }: { row: OpinionRow; lines: Lines; isWolf: (seat: number) => boolean }) {
  const x = (line: number): number => left + (line / Math.max(lines.lines, 1)) * (width - 2 * left);
  const y = (sure: number): number => low - (sure / 100) * (low - high);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path class="opinion-rule" d={`M${left} ${high}H${width - left}M${left} ${(high + low) / 2}H${width - left}M${left} ${low}H${width - left}`} />
      {lines.days.map(({ day, x: line }) => (
        <g key={day}><path class="opinion-day" d={`M${x(line).toFixed(1)} ${high}V${low}`} /><text x={x(line) + 2} y={height - 1}>{t('opinionDay', { day })}</text></g>
      ))}
      {row.steps.map((step, i) => {
        const before = row.steps[i - 1];
        return (
          <g key={i} class={`s${step.target}`}>
            {before && <path class="opinion-join" d={`M${x(step.x).toFixed(1)} ${y(before.sure).toFixed(1)}V${y(step.sure).toFixed(1)}`} />}
            <path class="opinion-step" d={`M${x(step.x).toFixed(1)} ${y(step.sure).toFixed(1)}H${x(step.until).toFixed(1)}`} />
            <circle class={isWolf(step.target) ? 'opinion-dot wolf' : 'opinion-dot'} cx={x(step.x).toFixed(1)} cy={y(step.sure).toFixed(1)} r="3" />
          </g>
        );
      })}
      {row.steps.map((step, i) => row.steps[i - 1]?.target !== step.target && <text key={i} class="opinion-who" x={x(step.x)} y={y(step.sure) - 5}>{step.target}</text>)}
    </svg>
  );
}

export function OpinionLines({ mind, course, until }: { mind: MindData; course: Course; until: number }) {
  const { opinions } = mind;
  if (!opinions || opinions.length === 0) return null;
  const table = course.tableAt(course.doc.events.length - 1);
  const lines = opinionLines(opinions, course.doc.events, (anchor) => course.anchor(anchor), until, (seat) => table.seats[seat]?.diedAt ?? -1);
  const isWolf = (seat: number): boolean => table.seats[seat]?.role === 'WEREWOLF';
  return (
    <section class="opinions">
      <h2>{t('opinionTitle')}</h2>
      <p class="note">{t('opinionNote')}</p>
      {lines.rows.length === 0 ? <p class="nothing">{t('opinionNone')}</p> : (
        <ul>
          {lines.rows.map((row) => {
            const last = row.steps[row.steps.length - 1];
            const name = mind.seats.find((seat) => seat.seat === row.seat)?.name ?? course.doc.seats.find((seat) => seat.seat === row.seat)?.name ?? '';
            return (
              <li key={row.seat}>
                <p class="opinion-head"><Who seat={row.seat} name={name} /> {last && <span title={seatText(course, last.target)}>→ <Chip seat={last.target} /> <b>{num(last.sure)} %</b></span>} <span class="note">{t('opinionCount', { n: row.steps.length })}</span></p>
                <Drawing row={row} lines={lines} isWolf={isWolf} />
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
