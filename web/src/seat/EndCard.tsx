// EndCard.tsx - the game is over: who won, who was what, and once more.
import type { GameDoc, Winner } from '../doc.ts';
import { Who } from '../parts/Chip.tsx';
import { gamePath, roomPath } from '../parts/Lists.tsx';
import { RoleWord } from '../parts/RoleSign.tsx';
import { shown } from '../parts/shown.ts';
import { t } from '../words.ts';
import type { Desk } from './desk.ts';
import { sideOf } from './RoleCard.tsx';

const winnerOf = (doc: GameDoc): Winner | undefined =>
  doc.winner ?? doc.events.findLast((event) => event.kind === 'end')?.winner;

function verdict(desk: Desk, winner: Winner | undefined): string {
  const role = desk.me?.role;
  if (!winner || !role) return t('endTitle');
  const won = winner === (sideOf(role) === 'OTHERS' ? 'FOX' : sideOf(role));
  return t(won ? 'endWon' : 'endLost');
}

export function EndCard({ desk, room }: { desk: Desk; room: string }) {
  const doc = desk.game.doc.value;
  const winner = winnerOf(doc);
  const roles = doc.seats.some((seat) => seat.role !== undefined && seat.seat !== desk.seat);
  return (
    <section class="endcard" aria-label={t('endTitle')}>
      <h2>{verdict(desk, winner)}</h2>
      {winner && <p class="note">{t(`winner${winner}`)}</p>}
      {roles && (
        <ul class="whowas">{doc.seats.map((seat) => (
          <li key={seat.seat} class={seat.seat === desk.seat ? 'own' : ''}>
            <Who seat={seat.seat} name={seat.name} />
            {seat.role && <RoleWord role={seat.role} />}
            {(seat.agent ?? seat.kind) && <bdi class="note">{shown(seat.agent ?? seat.kind ?? '')}</bdi>}
            {seat.points !== undefined && <span class="note">{seat.points}</span>}
          </li>
        ))}</ul>
      )}
      <p class="acts">
        {room && <a class="button strong" href={roomPath(room)}>{t('endAgain')}</a>}
        <a class="button" href={gamePath(desk.id)}>{t('endReplay')}</a>
      </p>
    </section>
  );
}
