// Strip.tsx - everybody at the table in one strip, for phones: number, face, the dead grey and
// struck out. A press mentions somebody.
import { Chip } from '../parts/Chip.tsx';
import { Face } from '../parts/Face.tsx';
import { isNumberName, shown } from '../parts/shown.ts';
import { t } from '../words.ts';
import type { Desk } from './desk.ts';

export function Strip({ desk, press, about }: { desk: Desk; press: (seat: number) => void; about: number }) {
  const { game } = desk;
  const course = game.course.value;
  const table = game.table.value;
  const seats = course.doc.seats;
  const speaks = desk.watch.typing.value || (table.talk && course.event(table.n) === table.talk ? table.talk.seat : 0);
  const protocol = course.doc.division === 'protocol';
  return (
    <ul class={seats.length > 9 ? 'seatstrip two' : 'seatstrip'} style={{ '--n': seats.length > 9 ? Math.ceil(seats.length / 2) : seats.length }}>
      {seats.map((seat) => {
        const alive = table.seats[seat.seat]?.alive !== false;
        const name = isNumberName(seat.name) ? String(seat.seat) : shown(seat.name);
        const classes = ['stripseat', `s${seat.seat}`, ...(alive ? [] : ['dead']), ...(speaks === seat.seat ? ['speaks'] : []), ...(desk.seat === seat.seat ? ['own'] : []), ...(about === seat.seat ? ['about'] : [])];
        return (
          <li key={seat.seat}>
            <button type="button" class={classes.join(' ')} onClick={() => press(seat.seat)} title={name}
              aria-label={`${seat.seat} ${name === String(seat.seat) ? '' : name} ${desk.seat === seat.seat ? t('seatYou') : alive ? '' : t('isDead')} – ${t(protocol ? 'talkAbout' : 'mention', { name })}`}>
              <Face seat={seat.seat} name={seat.name} dead={!alive} />
              <Chip seat={seat.seat} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
