// MiniTable.tsx - a table small: faces around it, the sky of the hour, who speaks.
import { FaceDefs, Face } from './Face.tsx';
import { around } from './around.ts';
import { Chip, hues } from './Chip.tsx';
import { isNumberName, shown } from './shown.ts';
import { t } from '../words.ts';

export interface MiniSeat {
  seat: number;
  name: string;
  dead: boolean;
}

interface MiniTableProps {
  name: string; // for the sentence that stands for the picture
  seats: readonly MiniSeat[];
  day: number;
  night: boolean;
  speaking?: number; // seat
  line?: string; // what it says
  over?: string; // the sentence of the end
  names?: boolean; // below the faces
}

export const momentText = (day: number, night: boolean): string => t(night ? 'nightN' : 'dayN', { n: day });

export function MiniTable({ name, seats, day, night, speaking = 0, line, over, names }: MiniTableProps) {
  const alive = seats.filter((seat) => !seat.dead).length;
  const places = around(seats.length, 43, names ? 37 : 39);
  const size = seats.length > 12 ? 'many' : seats.length > 8 ? 'some' : 'few';
  return (
    <div class={`mini ${size}${night ? ' night' : ''}${names ? ' named' : ''}`} style={hues(seats.length)} role="img"
      aria-label={t('tableImage', { name: shown(name), moment: over ?? momentText(day, night), alive, n: seats.length })}>
      <FaceDefs seats={seats} />
      <div class="mini-wood" />
      <div class="mini-body" aria-hidden="true">
        <span class="mini-orb" />
        {seats.map((seat, i) => {
          const [x, y] = places[i] as [number, number];
          return (
            <div key={seat.seat} class={`mini-seat${seat.dead ? ' gone' : ''}${speaking === seat.seat ? ' speaks' : ''}`} style={{ left: `${50 + x}%`, top: `${50 + y}%` }}>
              <Face seat={seat.seat} name={seat.name} dead={seat.dead} />
              {names && <span class="mini-name"><bdi>{isNumberName(seat.name) ? seat.seat : shown(seat.name)}</bdi></span>}
            </div>
          );
        })}
        <div class="mini-middle">
          <strong>{over ?? momentText(day, night)}</strong>
          {line !== undefined && speaking > 0
            ? <p class="mini-line"><Chip seat={speaking} /> <bdi>{shown(line)}</bdi></p>
            : <span class="mini-alive">{t('aliveOf', { alive, n: seats.length })}</span>}
        </div>
      </div>
    </div>
  );
}
