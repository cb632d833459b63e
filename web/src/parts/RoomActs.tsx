// RoomActs.tsx - what an operator does to a room: start, hold, next, close, remove a guest.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { post } from '../api.ts';
import { asTrouble } from '../load.ts';
import type { Room } from '../shapes.ts';
import { t } from '../words.ts';
import { shown } from './shown.ts';
import { toast } from './Toast.tsx';

/** Does something that can't be undone at the second press. */
export function SureButton({ word, act }: { word: string; act: () => void }) {
  const armed = useSignal(false);
  useEffect(() => {
    if (!armed.value) return;
    const timer = setTimeout(() => { armed.value = false; }, 4000);
    return () => clearTimeout(timer);
  }, [armed.value]);
  return (
    <button type="button" class={`button${armed.value ? ' danger' : ''}`} onClick={() => {
      if (armed.value) act();
      armed.value = !armed.value;
    }}>{armed.value ? t('actSure') : word}</button>
  );
}

export function RoomActs({ room, changed }: { room: Room; changed: () => void }) {
  const act = async (what: string, body: object = {}) => {
    try {
      await post(`rooms/${encodeURIComponent(room.code)}/${what}`, body);
      toast(t('actDone'));
    } catch (error) {
      toast(asTrouble(error).message, true);
    }
    changed();
  };
  const idle = room.state === 'OPEN' || room.state === 'READY';
  return (
    <div class="acts" role="group" aria-label={t('operatorTitle')}>
      {idle && <button type="button" class="button strong" onClick={() => void act('start')}>{t('actStart')}</button>}
      <button type="button" class="button" onClick={() => void act('hold')}>{t(room.held ? 'actGoOn' : 'actHold')}</button>
      {room.state === 'OVER' && <button type="button" class="button strong" onClick={() => void act('next')}>{t('actNext')}</button>}
      {(room.guests ?? []).map((guest) => <SureButton key={guest.guest} word={t('actKick', { name: shown(guest.name) })} act={() => void act('kick', { guest: guest.guest })} />)}
      <SureButton word={t('actClose')} act={() => void act('close')} />
    </div>
  );
}
