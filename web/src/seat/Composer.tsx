// Composer.tsx - where one writes: the draft, how much is left, what will be cut; Skip and Over.
import type { Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { lengthLeft, lengthLimit } from '../length.ts';
import { shown } from '../parts/shown.ts';
import type { Ask, AskKind } from '../seat_state.ts';
import { t } from '../words.ts';
import { cutOff } from './cut.ts';
import type { Desk } from './desk.ts';
import { seatName } from './Targets.tsx';

export const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ').trim();

function Remaining({ desk, ask, text }: { desk: Desk; ask: Ask; text: string }) {
  if (!ask.length) return null;
  const names = desk.game.doc.value.seats.map((seat) => seat.name);
  const rest = lengthLeft(ask.length, text, names, desk.seat);
  if (!rest) return null;
  const words = ask.length.unit === 'words';
  const sentence = rest.over ? t('lengthOver', { n: -rest.left }) : t(words ? 'lengthLeftWords' : 'lengthLeft', { n: rest.left });
  return <span class={rest.over ? 'remaining over' : rest.left <= 10 ? 'remaining few' : 'remaining'} title={sentence}><span aria-hidden="true">{rest.left}</span><span class="unseen">{sentence}</span></span>;
}

function CutNotice({ desk, ask, text }: { desk: Desk; ask: Ask; text: string }) {
  if (!ask.length) return null;
  const limit = lengthLimit(ask.length, oneLine(text), desk.game.doc.value.seats.map((seat) => seat.name), desk.seat);
  const lost = limit.lost > 0 ? cutOff(oneLine(text), limit.text) : '';
  return lost === '' ? null : <p class="cutnotice" role="status">{t('willBeCut', { text: '' })}<del><bdi>{shown(lost)}</bdi></del></p>;
}

interface ComposerProps {
  desk: Desk;
  ask: Ask | undefined; // absent: one writes ahead
  kind: AskKind;
  text: Signal<string>;
  whom: Signal<number>; // whisper_to
}

export function Composer({ desk, ask, kind, text, whom }: ComposerProps) {
  void desk.version.value; // asks change in place
  const field = useRef<HTMLTextAreaElement>(null);
  const pending = ask !== undefined && desk.state.isPending(ask.ask);
  const needsTarget = ask?.kind === 'whisper_to' && !ask.targets.includes(whom.value);
  const empty = text.value.trim() === '';
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight + 2, 160)}px`;
  }, [text.value, ask?.ask]);
  useEffect(() => {
    // On a phone the keyboard would cover the log: there one taps to write.
    if (ask && matchMedia('(pointer: fine)').matches && (document.activeElement === document.body || document.activeElement === null)) field.current?.focus({ preventScroll: true });
  }, [ask?.ask]);
  const send = (what: string) => {
    if (!ask || pending || what === '' || needsTarget) return;
    desk.answer(ask, { text: what, ...(ask.kind === 'whisper_to' ? { target: whom.value } : {}) });
  };
  return (
    <form class="composer" onSubmit={(event) => {
      event.preventDefault();
      send(oneLine(text.value));
    }}>
      {ask?.kind === 'whisper_to' && (
        <select class="field" aria-label={t('ask_whisper_to')} value={whom.value} onChange={(event) => { whom.value = Number(event.currentTarget.value); }}>
          <option value={0}>{t('chooseFirst')}</option>
          {ask.targets.map((seat) => <option key={seat} value={seat}>{t('do_whisper_to', { name: seatName(desk, seat) })}</option>)}
        </select>
      )}
      <div class="writeline">
        <textarea ref={field} class="field write" rows={1} value={text.value} maxLength={ask?.maxChars ?? 8000} autocomplete="off"
          enterkeyhint="send" id="write" aria-label={t(kind === 'talk' ? 'writeHere' : 'writeWhisper')}
          placeholder={t(ask ? (kind === 'talk' ? 'writeHere' : 'writeWhisper') : 'writeAhead')}
          onInput={(event) => { text.value = event.currentTarget.value; }}
          onKeyDown={(event) => {
            // 229: Safari tells of the key that ends an input method's word when that has ended.
            if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229 || event.shiftKey) return;
            event.preventDefault();
            send(oneLine(text.value));
          }} />
        {ask && <Remaining desk={desk} ask={ask} text={text.value} />}
        <button type="submit" class="button strong square sendbutton" disabled={!ask || pending || empty || needsTarget} aria-label={t('send')} title={t('send')}>
          <svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M3 3.500 17.500 10 3 16.500 5 10.800 12 10 5 9.200z" fill="currentColor" /></svg>
        </button>
      </div>
      {ask && <CutNotice desk={desk} ask={ask} text={text.value} />}
    </form>
  );
}

export function QuietButtons({ desk, ask }: { desk: Desk; ask: Ask }) {
  void desk.version.value; // asks change in place
  const pending = desk.state.isPending(ask.ask);
  const say = (text: string) => () => void desk.answer(ask, { text });
  return (
    <>
      {ask.may.includes('skip') && (
        <button type="button" class="button" disabled={pending || ask.skipsLeft === 0} title={t('skipHint')} onClick={say('Skip')}>{t('skip')}
          {ask.skipsLeft !== undefined && <span class="note">{t('skipsLeft', { n: ask.skipsLeft })}</span>}</button>
      )}
      {ask.may.includes('over') && <button type="button" class="button" disabled={pending} title={t('overHint')} onClick={say('Over')}>{t('over')}</button>}
    </>
  );
}
