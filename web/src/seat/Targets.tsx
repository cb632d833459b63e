// Targets.tsx - whom? One button for each that may be chosen; a number, then Enter, does it too.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Role } from '../doc.ts';
import { Chip, Name } from '../parts/Chip.tsx';
import { Face } from '../parts/Face.tsx';
import { RoleSign, roleWord } from '../parts/RoleSign.tsx';
import { isNumberName, shown } from '../parts/shown.ts';
import { ROLES } from '../protocol_builder.ts';
import { typedTarget, type Ask } from '../seat_state.ts';
import { keysOn } from '../settings.ts';
import { t, type WordKey } from '../words.ts';
import type { Desk } from './desk.ts';

const inField = (target: EventTarget | null): boolean => target instanceof Element && target.closest('input,textarea,select,button,a,summary') !== null;

/** "7 Rin", or "7". */
export function seatName(desk: Desk, seat: number): string {
  const name = desk.game.course.value.names[seat] ?? '';
  return name === '' || isNumberName(name) ? String(seat) : shown(name);
}

const question = (ask: Ask): string => t((ask.kind === 'vote' && ask.revote ? 'ask_revote' : `ask_${ask.kind}`) as WordKey);

// Digits that follow each other are one number, so that seats from 10 on can be typed.
function useDigits(ask: Ask, choose: (seat: number) => void, confirm: () => void): void {
  const typed = useRef({ digits: '', at: 0 });
  const latest = useRef({ choose, confirm });
  latest.current = { choose, confirm };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing || keysOn.value === 'off') return;
      if (event.target instanceof Element && event.target.closest('input,textarea,select')) return;
      if (event.key === 'Enter' && !inField(event.target)) {
        event.preventDefault();
        latest.current.confirm();
      }
      if (!/^[0-9]$/.test(event.key)) return;
      const now = performance.now();
      const digits = (now - typed.current.at < 800 ? typed.current.digits : '') + event.key;
      typed.current = { digits: digits.slice(-2), at: now };
      const seat = typedTarget(typed.current.digits, ask.targets);
      if (seat === undefined) return;
      event.preventDefault();
      latest.current.choose(seat);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [ask.ask, ask.targets.join()]);
}

export function Targets({ desk, ask }: { desk: Desk; ask: Ask }) {
  void desk.version.value; // asks change in place
  const chosen = useSignal(ask.answered?.target ?? 0);
  const group = useRef<HTMLDivElement>(null);
  const pending = desk.state.isPending(ask.ask);
  const answered = ask.answered?.target;
  const choose = (seat: number) => { if (!desk.state.guarded(ask, performance.now())) chosen.value = seat; };
  const confirm = () => {
    if (chosen.value > 0 && !pending && chosen.value !== answered) desk.answer(ask, { target: chosen.value });
  };
  useDigits(ask, choose, confirm);
  useEffect(() => {
    if (!ask.targets.includes(chosen.value)) chosen.value = 0;
  }, [ask.targets.join()]);
  useEffect(() => {
    // Who is writing is not torn away from it.
    const field = document.activeElement;
    if (!(field instanceof HTMLTextAreaElement && field.value !== '')) group.current?.focus({ preventScroll: true });
  }, [ask.ask]);
  const name = chosen.value > 0 ? seatName(desk, chosen.value) : '';
  return (
    <div class="targets" role="group" aria-label={question(ask)} ref={group} tabIndex={-1}>
      <h2 class="question">{question(ask)}</h2>
      <ul class="targetlist">
        {ask.targets.map((seat) => (
          <li key={seat}>
            <button type="button" class={`target s${seat}`} aria-pressed={chosen.value === seat} title={shown(desk.game.course.value.names[seat] ?? '')}
              onClick={() => choose(seat)}
              onKeyDown={(event) => {
                // Enter on what is chosen already does it; the first Enter chooses.
                if (event.key !== 'Enter' || chosen.value !== seat || event.repeat) return;
                event.preventDefault();
                confirm();
              }}>
              <Face seat={seat} name={desk.game.course.value.names[seat] ?? ''} />
              <span class="target-name"><Chip seat={seat} />{!isNumberName(desk.game.course.value.names[seat] ?? '') && <Name text={desk.game.course.value.names[seat] ?? ''} />}</span>
            </button>
          </li>
        ))}
      </ul>
      <div class="confirm">
        <button type="button" class="button strong" disabled={chosen.value === 0 || pending || chosen.value === answered} onClick={confirm}>
          {pending ? t('sending') : chosen.value === 0 ? t('chooseFirst') : t(`do_${ask.kind}` as WordKey, { name })}
        </button>
        {ask.withdraw && <button type="button" class="button" disabled={pending || (answered ?? 0) === 0} onClick={() => desk.answer(ask, { target: 0 })}>{t('withdraw')}</button>}
        {answered !== undefined && answered > 0 ? <span class="note" role="status">{t('voteStands', { name: seatName(desk, answered) })}</span>
          : <span class="note keyhint">{t('targetKeys')}</span>}
      </div>
    </div>
  );
}

/** Which role does one wish for? */
export function RoleWish({ desk, ask }: { desk: Desk; ask: Ask }) {
  void desk.version.value; // asks change in place
  const pending = desk.state.isPending(ask.ask);
  return (
    <div class="targets" role="group" aria-label={question(ask)}>
      <h2 class="question">{question(ask)}</h2>
      <ul class="targetlist roles">
        {ROLES.map((role) => (
          <li key={role}>
            <button type="button" class="target" aria-pressed={ask.answered?.text === role} disabled={pending} onClick={() => desk.answer(ask, { text: role })}>
              <RoleSign role={role as Role} /><span class="target-name">{roleWord(role as Role)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
