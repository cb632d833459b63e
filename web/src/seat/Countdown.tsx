// Countdown.tsx - the time that is left: a ring and a number; read out at 30, 10 and 5 seconds only.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { secondsToSay } from '../seat_state.ts';
import { clockText } from '../times.ts';
import { t } from '../words.ts';
import { nowMs } from './desk.ts';

const around = 2 * Math.PI * 15;

interface CountdownProps {
  until: number; // on the page's clock
  total: number;
  frozen?: number; // it stands still with so much left
  loud: boolean; // the one who looks is asked
}

export function Countdown({ until, total, frozen, loud }: CountdownProps) {
  const left = useSignal(Math.max(0, frozen ?? until - nowMs()));
  const saying = useSignal(0);
  const before = useRef(left.value);
  useEffect(() => {
    before.current = Infinity;
    saying.value = 0;
    const tick = () => {
      const now = Math.max(0, frozen ?? until - nowMs());
      const mark = Number.isFinite(before.current) ? secondsToSay(before.current, now) : 0;
      if (mark && loud) saying.value = mark;
      before.current = now;
      left.value = now;
    };
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [until, total, frozen, loud]);
  const soon = loud && left.value <= 10_000;
  const part = total > 0 ? Math.min(1, left.value / total) : 0;
  return (
    <span class={soon ? 'countdown soon' : 'countdown'}>
      <svg viewBox="0 0 36 36" aria-hidden="true">
        <circle cx="18" cy="18" r="15" class="ring-ground" />
        <circle cx="18" cy="18" r="15" class="ring-left" stroke-dasharray={`${(around * part).toFixed(2)} ${around.toFixed(2)}`} transform="rotate(-90 18 18)" />
      </svg>
      <span role="timer" aria-label={t('timeLeft')} aria-live="off">{clockText(left.value)}</span>
      <span class="unseen" role="status">{saying.value > 0 && t('secondsLeft', { n: saying.value })}</span>
    </span>
  );
}
