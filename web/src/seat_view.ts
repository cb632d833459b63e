// seat_view.ts - what one seat was told, out of a document that holds everything: by `to` and
// `role_to`, with no rule in it (docs/spec/web.md 4.2). A test holds it to the server's own views.
import type { GameDoc, GameEvent, Phase, Seat } from './doc.ts';

const told = (to: readonly number[] | undefined, seat: number): boolean => to === undefined || to.includes(seat);

/** The document as seat `seat` has it; 0: as everybody has it. */
export function seatView(doc: GameDoc, seat: number): GameDoc {
  const events: GameEvent[] = [];
  const newN: number[] = []; // of the first event from there on
  for (const event of doc.events) {
    newN.push(events.length);
    if (!told(event.to, seat)) continue;
    const { to: _, ...rest } = event;
    events.push({ ...rest, n: events.length });
  }
  const phases: Phase[] = [];
  doc.phases.forEach((phase, i) => {
    const first = newN[phase.first] ?? events.length;
    const next = newN[doc.phases[i + 1]?.first ?? newN.length] ?? events.length;
    const before = phases[phases.length - 1];
    const goesOn = before !== undefined && before.day === phase.day && before.night === phase.night && before.action === phase.action;
    if (first < next && !goesOn) phases.push({ ...phase, first });
  });
  const seats: Seat[] = doc.seats.map(({ role, role_to, ...rest }) => (role && told(role_to, seat) ? { ...rest, role } : rest));
  const { belief: _, ...rest } = doc;
  return { ...rest, view: seat === 0 ? { kind: 'public' } : { kind: 'seat', seat }, seats, phases, events };
}
