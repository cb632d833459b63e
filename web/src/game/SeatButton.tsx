// SeatButton.tsx - a seat at the table: face, name, and signs around it. A full ring top left is the
// true role, a dashed one bottom right a claimed one, top right a cross or moon tells how somebody
// died, or a number how many votes there are. Signs are drawn by the style sheet: the button's name says
// it all in words.
import type { Count, Course, SeatState, Table } from '../model.ts';
import { Chip, Name } from '../parts/Chip.tsx';
import { Face } from '../parts/Face.tsx';
import { RoleSign, RoleWord, roleWord } from '../parts/RoleSign.tsx';
import { isNumberName, shown } from '../parts/shown.ts';
import { num, t } from '../words.ts';
import type { SeatPlace, StageLayout } from './layout.ts';
import { seatText } from './moment.ts';
import type { GameStore } from './store.ts';

interface SeatProps {
  game: GameStore;
  course: Course;
  table: Table;
  place: SeatPlace;
  layout: StageLayout;
  count: Count | undefined;
  onView: (seat: number) => void;
}

const DeathSign = ({ state }: { state: SeatState }) => (
  <svg class={`sign fate ${state.cause}`} viewBox="0 0 32 32" aria-hidden="true">
    <circle cx="16" cy="16" r="14.600" class="ring" />
    {state.cause === 'executed' || state.cause === 'left'
      ? <path d="M10.500 10.500l11 11M21.500 10.500l-11 11" class="cross" />
      : <path d="M20.500 19.500a8 8 0 0 1-8.300-11 8.300 8.300 0 1 0 10.700 10.400 8 8 0 0 1-2.400.6z" fill="currentColor" />}
  </svg>
);

function describe({ course, table, place, count }: SeatProps): string {
  const state = table.seats[place.seat];
  const parts = [seatText(course, place.seat)];
  if (state) parts.push(state.alive ? t('isAlive') : t('died', { day: state.diedDay, cause: t(`cause_${state.cause || 'attacked'}`) }));
  if (state?.role) parts.push(roleWord(state.role));
  if (state?.claim) parts.push(t('claimsRole', { role: roleWord(state.claim) }));
  if (count) parts.push(t('votes', { n: count.voters.length }));
  return parts.join(', ');
}

export function SeatButton(props: SeatProps) {
  const { game, course, table, place, layout, count, onView } = props;
  const { seat } = place;
  const state = table.seats[seat];
  if (!state) return null;
  const name = course.names[seat] ?? '';
  const event = course.event(table.n);
  const speaks = table.talk?.seat === seat && (event === table.talk || table.silent === 0);
  const acts = !speaks && event?.seat === seat && (event.kind === 'vote' || event.kind === 'attack_vote' || event.kind === 'divine' || event.kind === 'guard' || event.kind === 'identify');
  const isView = game.view.value === seat;
  const classes = ['seat', `s${seat}`];
  if (!state.alive) classes.push('dead');
  if (speaks) classes.push('speaks');
  if (acts) classes.push('acts');
  const types = game.typing.value === seat && table.n === game.last.value;
  if (types) classes.push('types');
  if (isView) classes.push('isview');
  if (table.attacked === seat) classes.push('attacked');
  const size = layout.radius * 2;
  return (
    <button type="button" class={classes.join(' ')} aria-label={describe(props)} aria-pressed={isView}
      style={{ left: `${place.x}px`, top: `${place.y}px`, '--d': `${size}px`, '--lw': `${layout.labelWidth}px`, '--lh': `${layout.labelHeight}px` }}
      onClick={() => onView(seat)}
      onPointerEnter={(move) => { if (move.pointerType === 'mouse') game.hovered.value = seat; }}
      onPointerLeave={() => { if (game.hovered.value === seat) game.hovered.value = 0; }}
      onFocus={(focus) => { if ((focus.currentTarget as Element).matches(':focus-visible')) game.hovered.value = seat; }}
      onBlur={() => { if (game.hovered.value === seat) game.hovered.value = 0; }}>
      <Face seat={seat} name={name} dead={!state.alive} />
      {state.role && <span class="at-role"><RoleSign role={state.role} /></span>}
      {state.claim && <span class="at-claim"><RoleSign role={state.claim} claimed /></span>}
      {count ? <span class={count.top ? 'at-fate votes top' : 'at-fate votes'} data-n={count.voters.length} />
        : !state.alive ? <span class="at-fate"><DeathSign state={state} /></span> : null}
      {(table.silent === seat || types) && <span class="at-silent" />}
      {table.faulty === seat && <span class="at-fault" />}
      <span class="label">{layout.named && !isNumberName(name) ? shown(name) : seat}</span>
    </button>
  );
}

/** What is known of the seat under the pointer or the focus. */
export function SeatCard({ game, course, table, layout }: { game: GameStore; course: Course; table: Table; layout: StageLayout }) {
  const seat = game.hovered.value;
  const place = layout.places.find((each) => each.seat === seat);
  const state = table.seats[seat];
  if (!place || !state || game.dragging.value) return null;
  const info = course.doc.seats.find((each) => each.seat === seat);
  const right = place.x < layout.centre.x;
  const below = place.y < layout.centre.y;
  let talks = 0;
  for (let n = 0; n <= table.n; n++) {
    const event = course.event(n);
    if (event?.seat === seat && event.kind === 'talk' && !event.quiet) talks++;
  }
  const gap = layout.radius + 14;
  const edges: Record<string, string> = {};
  edges[right ? 'left' : 'right'] = `${right ? place.x + gap : layout.width - place.x + gap}px`;
  edges[below ? 'top' : 'bottom'] = `${Math.max(8, below ? place.y - layout.radius : layout.height - place.y - layout.radius)}px`;
  return (
    <div class="card" style={edges} aria-hidden="true">
      <p class="cardhead"><Chip seat={seat} /> {!isNumberName(info?.name ?? '') && <Name text={info?.name ?? ''} />}</p>
      <p class="note">{state.alive ? t('isAlive') : t('died', { day: state.diedDay, cause: t(`cause_${state.cause || 'attacked'}`) })}</p>
      <dl>
        {state.role && <><dt>{t('figRole')}</dt><dd><RoleWord role={state.role} /></dd></>}
        {state.claim && <><dt>{t('figClaim')}</dt><dd><RoleWord role={state.claim} /></dd></>}
        {info?.agent && <><dt>{t('figAgent')}</dt><dd><bdi>{shown(info.agent)}</bdi></dd></>}
        <dt>{t('figTalks')}</dt><dd>{num(talks)}</dd>
      </dl>
      <p class="note">{game.view.value === seat ? t('seesPublic') : t('seesAs', { who: seatText(course, seat) })}</p>
    </div>
  );
}
