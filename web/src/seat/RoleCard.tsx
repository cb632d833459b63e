// RoleCard.tsx - what one is, folded: people look over shoulders. Shown while it is held; by the
// keyboard it opens and closes.
import type { GameEvent, Role } from '../doc.ts';
import { momentText } from '../parts/MiniTable.tsx';
import { Who } from '../parts/Chip.tsx';
import { RoleSign, roleWord } from '../parts/RoleSign.tsx';
import { t } from '../words.ts';
import type { Desk } from './desk.ts';
import { seatName } from './Targets.tsx';

const wolfish: readonly string[] = ['WEREWOLF', 'POSSESSED'];
export const sideOf = (role: string): 'VILLAGER' | 'WEREWOLF' | 'OTHERS' => (wolfish.includes(role) ? 'WEREWOLF' : role === 'FOX' ? 'OTHERS' : 'VILLAGER');

function resultText(desk: Desk, event: GameEvent): string | undefined {
  const name = seatName(desk, event.target ?? 0);
  if (!event.target) return undefined;
  if (event.kind === 'guard') return t('resultGuard', { day: momentText(event.day, true), name });
  return t('resultDivine', { day: momentText(event.day, event.kind === 'divine'), name, what: event.species === 'WEREWOLF' ? t('speciesWEREWOLF') : t('speciesHUMAN') });
}

export function ownResults(desk: Desk): GameEvent[] {
  return desk.game.doc.value.events.filter((event) => event.seat === desk.seat && (event.kind === 'divine' || event.kind === 'identify' || event.kind === 'guard'));
}

function Card({ desk, role }: { desk: Desk; role: Role | undefined }) {
  const mates = desk.game.doc.value.seats.filter((seat) => seat.seat !== desk.seat && seat.role !== undefined);
  const results = ownResults(desk).map((event) => resultText(desk, event)).filter((text) => text !== undefined);
  if (!role) return <div class="rolecard"><p>{t('roleUnknown')}</p></div>;
  return (
    <div class="rolecard">
      <p class={`rolehead r-${role}`}><RoleSign role={role} /><strong>{roleWord(role)}</strong></p>
      <p class="note">{t(`side${sideOf(role)}`)}</p>
      {mates.length > 0 && <><h3>{t('roleMates')}</h3><ul>{mates.map((mate) => <li key={mate.seat}><Who seat={mate.seat} name={mate.name} /> {mate.role && roleWord(mate.role)}</li>)}</ul></>}
      {results.length > 0 && <><h3>{t('roleResults')}</h3><ul>{results.map((text, i) => <li key={i}>{text}</li>)}</ul></>}
    </div>
  );
}

export function RoleButton({ desk }: { desk: Desk }) {
  const open = desk.peeks;
  const role = desk.me?.role;
  const show = (on: boolean) => () => { open.value = on; };
  return (
    <span class="rolehold">
      <button type="button" class="button" aria-expanded={open.value} title={t('roleHold')}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          open.value = true;
        }}
        onPointerUp={show(false)} onPointerCancel={show(false)} onContextMenu={(event) => event.preventDefault()} onBlur={show(false)}
        onClick={(event) => { if (event.detail === 0) open.value = !open.value; }}>
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><rect x="4" y="2.500" width="12" height="15" rx="2.500" fill="none" stroke="currentColor" stroke-width="1.700" /><path d="M10 7l2.200 3L10 13l-2.200-3z" fill="currentColor" /></svg>
        <span class="rolebutton">{t('roleCard')}</span>
      </button>
      {open.value && <div class="rolepop" role="status"><Card desk={desk} role={role} /></div>}
    </span>
  );
}
