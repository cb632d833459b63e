// RoomActs.tsx - what an operator does to a room: start, hold, next, close, remove a guest.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { post } from '../api.ts';
import { asTrouble } from '../load.ts';
import type { Room, RoomRow } from '../shapes.ts';
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

/** `room` of a list, or all that is known of it: then guests can be sent away, too. */
export function RoomActs({ room, changed }: { room: RoomRow | Room; changed: () => void }) {
  const act = async (what: string, body: object = {}) => {
    try {
      await post(`rooms/${encodeURIComponent(room.code)}/${what}`, body);
      toast(t('actDone'));
    } catch (error) {
      toast(asTrouble(error).message, true);
    }
    changed();
  };
  const whole = 'rules' in room ? room : null;
  const guests = whole ? [...(whole.seats ?? []), ...(whole.queue ?? [])] : [];
  const held = whole?.held === true;
  const idle = room.state === 'open' || room.state === 'ready';
  return (
    <div class="acts" role="group" aria-label={t('operatorTitle')}>
      {idle && <button type="button" class="button strong" onClick={() => void act('start')}>{t('actStart')}</button>}
      {whole && idle && <button type="button" class="button" onClick={() => void act('hold', { on: !held })}>{t(held ? 'actGoOn' : 'actHold')}</button>}
      {room.state === 'over' && <button type="button" class="button strong" onClick={() => void act('next')}>{t('actNext')}</button>}
      {guests.map((guest) => <SureButton key={guest.id} word={t('actKick', { name: shown(guest.name) })} act={() => void act('kick', { id: guest.id })} />)}
      <SureButton word={t('actClose')} act={() => void act('close')} />
    </div>
  );
}
