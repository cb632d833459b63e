// Composer.tsx - where one writes: the draft, how much is left, what will be cut; Skip and Over.
import type { Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { lengthLeft } from '../length.ts';
import { shown } from '../parts/shown.ts';
import type { Ask, AskKind } from '../seat_state.ts';
import { t } from '../words.ts';
import { lostOf, NOT_AHEAD, oneLine, type Ahead } from './ahead.ts';
import type { Desk } from './desk.ts';
import { seatName } from './Targets.tsx';

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
  const lost = lostOf(desk, ask, text);
  return lost === '' ? null : <p class="cutnotice" role="status">{t('willBeCut', { text: '' })}<del><bdi>{shown(lost)}</bdi></del></p>;
}

/** A draft that nobody has asked for yet: what Enter does, or that it will be sent. */
function AheadLine({ marked, empty, unmark }: { marked: boolean; empty: boolean; unmark: () => void }) {
  return (
    <p class={marked ? 'aheadline marked' : 'aheadline note'}>
      <span role="status">{marked ? t('aheadMarked') : empty ? '' : t('aheadHint')}</span>
      {marked && <button type="button" class="button" onClick={unmark}>{t('aheadBack')}</button>}
    </p>
  );
}

interface ComposerProps {
  desk: Desk;
  ask: Ask | undefined; // absent: one writes ahead
  kind: AskKind;
  text: Signal<string>;
  whom: Signal<number>; // whisper_to
  ahead: Ahead;
}

export function Composer({ desk, ask, kind, text, whom, ahead }: ComposerProps) {
  void desk.version.value; // asks change in place
  const field = useRef<HTMLTextAreaElement>(null);
  const pending = ask !== undefined && desk.state.isPending(ask.ask);
  const needsTarget = ask?.kind === 'whisper_to' && !ask.targets.includes(whom.value);
  const empty = text.value.trim() === '';
  const marked = !ask && ahead.value !== NOT_AHEAD;
  // What was written before one was asked: it is still to be sent.
  const before = useRef<{ ask: number; text: string }>({ ask: 0, text: '' });
  if (before.current.ask !== (ask?.ask ?? 0)) before.current = { ask: ask?.ask ?? 0, text: text.value };
  const waits = ask !== undefined && !pending && !ask.standing && !empty && ahead.value === NOT_AHEAD && before.current.text === text.value;
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
    if (!ask && what !== '') ahead.value = desk.game.table.value.day;
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
          onInput={(event) => {
            text.value = event.currentTarget.value;
            ahead.value = NOT_AHEAD;
          }}
          onKeyDown={(event) => {
            // 229: Safari tells of the key that ends an input method's word when that has ended.
            if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229 || event.shiftKey) return;
            event.preventDefault();
            send(oneLine(text.value));
          }} />
        {ask && <Remaining desk={desk} ask={ask} text={text.value} />}
        <button type="submit" class="button strong square sendbutton" disabled={pending || empty || needsTarget || marked} aria-label={t(ask ? 'send' : 'sendAhead')} title={t(ask ? 'send' : 'sendAhead')}>
          <svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M3 3.500 17.500 10 3 16.500 5 10.800 12 10 5 9.200z" fill="currentColor" /></svg>
        </button>
      </div>
      {ask ? <CutNotice desk={desk} ask={ask} text={text.value} /> : <AheadLine marked={marked} empty={empty} unmark={() => { ahead.value = NOT_AHEAD; }} />}
      {waits && <p class="aheadline note" role="status">{t('draftWaits')}</p>}
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
