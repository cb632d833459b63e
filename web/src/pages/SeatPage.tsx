// SeatPage.tsx - the seat of this browser: the table, the log, and what is asked. Full screen.
import { effect, useSignal, type Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Log } from '../game/Log.tsx';
import { momentSentence } from '../game/moment.ts';
import { Stage } from '../game/Stage.tsx';
import { feed } from '../live.ts';
import { useEach, useLoaded } from '../load.ts';
import { hues } from '../parts/Chip.tsx';
import { FaceDefs } from '../parts/Face.tsx';
import { Empty, Frame, Loading, Trouble, useTitle } from '../parts/Frame.tsx';
import { roomPath } from '../parts/Lists.tsx';
import { momentText } from '../parts/MiniTable.tsx';
import { shown } from '../parts/shown.ts';
import { LangButton, Mark, ThemeButton } from '../parts/TopBar.tsx';
import { base, type PageProps } from '../routes.tsx';
import { isSpeech, type Ask, type AskKind, type Outcome } from '../seat_state.ts';
import { NOT_AHEAD, useAhead, type Ahead } from '../seat/ahead.ts';
import { Builder, SentenceCheck } from '../seat/Builder.tsx';
import { Composer, QuietButtons } from '../seat/Composer.tsx';
import { Countdown } from '../seat/Countdown.tsx';
import { cutOff } from '../seat/cut.ts';
import { Desk, keepDraft, keptDraft } from '../seat/desk.ts';
import { EndCard } from '../seat/EndCard.tsx';
import { RoleButton } from '../seat/RoleCard.tsx';
import { Strip } from '../seat/Strip.tsx';
import { RoleWish, seatName, Targets } from '../seat/Targets.tsx';
import { aloud, keysOn, lang } from '../settings.ts';
import type { Room } from '../shapes.ts';
import { t, type WordKey } from '../words.ts';
import { mergedRoom } from './RoomPage.tsx';

/** The time that is shown: that of what is asked, else the table's. */
function TimeLeft({ desk }: { desk: Desk }) {
  void desk.version.value;
  const asks = desk.state.asks.filter((ask) => ask.until !== undefined).sort((a, b) => (a.until ?? 0) - (b.until ?? 0));
  const [ask] = asks;
  if (ask?.until !== undefined) return <Countdown key={ask.ask} until={ask.until} total={ask.total ?? 0} loud />;
  const clock = desk.watch.clock.value;
  if (!clock || desk.ended.value) return null;
  return <Countdown key={clock.at} until={clock.at + clock.leftMs} total={clock.leftMs} loud={false} {...(clock.paused ? { frozen: clock.leftMs } : {})} />;
}

function whenText(desk: Desk): string {
  void desk.version.value;
  const table = desk.game.table.value;
  if (desk.ended.value) return t('endTitle');
  // What is asked is nearer than what was last heard.
  const asked = (desk.state.speech ?? desk.state.choices[0])?.kind;
  if (asked === 'vote') return `${momentText(table.day, false)} · ${t('phase_vote')}`;
  if (table.night || asked === 'divine' || asked === 'guard' || asked === 'attack') return momentText(table.day, true);
  return `${momentText(table.day, false)} · ${t(`phase_${table.action}` as WordKey)}`;
}

function stateText(desk: Desk, speech: Ask | undefined, choices: Ask[]): string {
  if (desk.ended.value) return '';
  if (speech?.kind === 'talk') {
    const turns = speech.turnsLeft === undefined ? '' : ` · ${t('turnsLeft', { n: speech.turnsLeft })}`;
    return (speech.standing ? t('speakAnytime') : t('yourTurn')) + turns;
  }
  if (speech) return t(speech.kind === 'whisper' ? 'yourWhisper' : 'ask_whisper_to');
  if (choices.length > 0) return '';
  const table = desk.game.table.value;
  if (table.seats[desk.seat]?.alive === false) return t('youAreDead');
  if (table.night) return t('nightWait');
  const typing = desk.watch.typing.value;
  return typing > 0 && typing !== desk.seat ? t('waitingFor', { name: seatName(desk, typing) }) : t('waiting');
}

/** What came of the last answer, where it isn't plain from the log. */
function OutcomeLine({ outcome }: { outcome: Outcome | undefined }) {
  if (!outcome) return null;
  if (!outcome.taken) return <p class="outcome bad-text" role="alert">{outcome.code === 'stale' && outcome.sent.text !== undefined ? t('tooLate') : t('refused', { why: shown(outcome.error ?? outcome.code ?? '') })}</p>;
  const lost = outcome.sent.text !== undefined && outcome.text !== undefined ? cutOff(outcome.sent.text, outcome.text) : '';
  return lost === '' ? null : <p class="outcome" role="status">{t('wasCut', { text: '' })}<del><bdi>{shown(lost)}</bdi></del></p>;
}

const AreYouThere = ({ desk }: { desk: Desk }) => (
  <div class="there" role="alertdialog" aria-labelledby="there-title" aria-describedby="there-text">
    <div><h2 id="there-title">{t('thereTitle')}</h2><p id="there-text">{t('thereText')}</p></div>
    <button type="button" class="button strong" onClick={() => desk.here()}>{t('thereYes')}</button>
  </div>
);

interface Writing {
  text: Signal<string>;
  about: Signal<number>;
  whom: Signal<number>;
  ahead: Ahead;
}

// A draft belongs to what is written: talk or whisper. It is kept, and comes back when it was refused.
function useDraft(desk: Desk, kind: AskKind, text: Signal<string>): void {
  // At once, not at the next frame: a page may be gone by then, or somebody has written already.
  useLayoutEffect(() => {
    text.value = keptDraft(desk.id, kind);
    return effect(() => keepDraft(desk.id, kind, text.value));
  }, [desk, kind]);
  useEffect(() => effect(() => {
    void desk.version.value;
    const outcome = desk.state.outcome;
    if (!outcome || outcome.sent.text === undefined || !isSpeech(outcome.kind)) return;
    const quiet = outcome.sent.text === 'Skip' || outcome.sent.text === 'Over';
    if (outcome.taken && text.peek().replace(/\s+/g, ' ').trim() === outcome.sent.text.trim()) text.value = '';
    if (!outcome.taken && !quiet && text.peek().trim() === '') text.value = outcome.sent.text;
  }), [desk]);
}

function Dock({ desk, room, writing }: { desk: Desk; room: string; writing: Writing }) {
  void desk.version.value;
  const { speech, choices, outcome, areYouThere } = desk.state;
  const kind = speech?.kind ?? 'talk';
  useDraft(desk, kind, writing.text);
  useAhead(desk, speech, writing.text, writing.ahead);
  const dead = desk.game.table.value.seats[desk.seat]?.alive === false;
  const protocol = desk.game.doc.value.division === 'protocol';
  const state = stateText(desk, speech, choices);
  const writes = speech !== undefined || (!dead && !desk.ended.value && choices.length === 0);
  // Why a sentence is none stands once, below it, and goes when it is mended.
  const ofSentence = writes && protocol && outcome?.code === 'no-sentence';
  const refused = ofSentence && outcome.sent.text?.trim() === writing.text.value.trim() ? shown(outcome.error ?? '') : undefined;
  return (
    <section class={speech || choices.length > 0 ? 'dock asked' : 'dock'} aria-label={t('yourTurn')}>
      {areYouThere && <AreYouThere desk={desk} />}
      {desk.ended.value && <EndCard desk={desk} room={room} />}
      <p class={speech ? 'dockstate asked' : 'dockstate'} role="status">{state}</p>
      {!ofSentence && <OutcomeLine outcome={outcome} />}
      {choices.map((ask) => (ask.kind === 'role_wish' ? <RoleWish key={ask.ask} desk={desk} ask={ask} /> : <Targets key={ask.ask} desk={desk} ask={ask} />))}
      {writes && protocol && speech && <Builder desk={desk} whisper={speech.kind === 'whisper'} text={writing.text} about={writing.about} />}
      {writes && <Composer desk={desk} ask={speech} kind={kind} text={writing.text} whom={writing.whom} ahead={writing.ahead} />}
      {writes && protocol && <SentenceCheck text={writing.text.value} refused={refused} />}
      <div class={speech ? 'dockacts full' : 'dockacts'}>
        {speech && <QuietButtons desk={desk} ask={speech} />}
        <span class="space" />
        {!desk.ended.value && <RoleButton desk={desk} />}
      </div>
    </section>
  );
}

const More = ({ room }: { room: string }) => (
  <details class="moremenu">
    <summary class="button square" aria-label={t('moreThings')} title={t('moreThings')}><span aria-hidden="true">⋯</span></summary>
    <div class="menu">
      <LangButton /><ThemeButton />
      {room && <a class="button" href={roomPath(room)}>{t('homeRooms')}</a>}
      <label class="switch"><input type="checkbox" checked={keysOn.value === 'on'} onChange={(event) => { keysOn.value = event.currentTarget.checked ? 'on' : 'off'; }} />{t('keys')}</label>
    </div>
  </details>
);

// The new moment alone, politely: the log is there for who reads.
function StatusLine({ desk }: { desk: Desk }) {
  const course = desk.game.course.value;
  const event = course.event(desk.game.resting.value);
  const deed = event && !['talk', 'whisper', 'fault', 'notice'].includes(event.kind);
  const tells = event && (aloud.value === 'all' || (aloud.value === 'deeds' && deed));
  return <div class="unseen" role="status">{tells ? momentSentence(course, event, true) : ''}</div>;
}

function useTableKey(shows: Signal<'log' | 'table'>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 't' || event.ctrlKey || event.altKey || event.metaKey || event.isComposing || keysOn.value === 'off') return;
      if (event.target instanceof Element && event.target.closest('input,textarea,select')) return;
      shows.value = shows.value === 'log' ? 'table' : 'log';
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

/** When the place for the log gets smaller or larger, its end stays in sight if it was. */
function useBottom(ready: boolean) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const log = box.current?.querySelector('.log');
    if (!log || !box.current) return;
    let height = log.clientHeight;
    const watcher = new ResizeObserver(() => {
      const wasAtEnd = log.scrollTop + height >= log.scrollHeight - 40;
      height = log.clientHeight;
      if (wasAtEnd) log.scrollTop = log.scrollHeight;
    });
    watcher.observe(log);
    return () => watcher.disconnect();
  }, [ready]);
  return box;
}

/** A swipe to the side changes between the log and the table, on phones. */
function swipes(shows: Signal<'log' | 'table'>) {
  let from: { x: number; y: number } | undefined;
  return {
    onTouchStart: (event: TouchEvent) => {
      const touch = event.touches[0];
      from = touch && event.touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : undefined;
    },
    onTouchEnd: (event: TouchEvent) => {
      const touch = event.changedTouches[0];
      if (!from || !touch) return;
      const [dx, dy] = [touch.clientX - from.x, touch.clientY - from.y];
      if (Math.abs(dx) > 60 && Math.abs(dx) > 2 * Math.abs(dy)) shows.value = dx < 0 ? 'table' : 'log';
      from = undefined;
    },
  };
}

function Play({ room, id, seat }: { room: string; id: string; seat: number }) {
  const desk = useMemo(() => new Desk(id, seat), [id, seat]);
  const shows = useSignal<'log' | 'table'>('log');
  const writing: Writing = { text: useSignal(''), about: useSignal(0), whom: useSignal(0), ahead: useSignal(NOT_AHEAD) };
  const swipe = useMemo(() => swipes(shows), []);
  const box = useBottom(desk.ready.value);
  useEffect(() => () => desk.stop(), [desk]);
  useEach(1000, () => desk.tick());
  useTableKey(shows);
  useTitle(desk.ready.value ? whenText(desk) : '');
  void lang.value;
  const trouble = desk.watch.trouble.value;
  if (!desk.ready.value) return <Frame title={t('siteName')}>{trouble ? <Trouble trouble={trouble} again={() => void desk.watch.load()} /> : <Loading />}</Frame>;
  const doc = desk.game.doc.value;
  const mention = (to: number) => {
    if (doc.division === 'protocol') {
      writing.about.value = to === seat ? 0 : to;
      return;
    }
    if (to === seat) return;
    const name = doc.seats.find((each) => each.seat === to)?.name ?? '';
    const text = writing.text.value;
    writing.text.value = `${text}${text === '' || text.endsWith(' ') ? '' : ' '}@${name} `;
    document.getElementById('write')?.focus();
  };
  return (
    <div class={`screen seatpage shows-${shows.value}${desk.peeks.value || desk.ended.value ? '' : ' discreet'}`} style={hues(doc.seats.length)}>
      <FaceDefs seats={doc.seats} />
      <header class="topbar">
        <a class="brand" href={base} aria-label={t('toHome')}><Mark /></a>
        <h1 class="title" aria-live="off">{whenText(desk)}</h1>
        <span class="space" />
        <TimeLeft desk={desk} />
        <div class="showswitch" role="group" aria-label={t('panels')}>
          <button type="button" class="tab" aria-pressed={shows.value === 'log'} onClick={() => { shows.value = 'log'; }}>{t('showLog')}</button>
          <button type="button" class="tab" aria-pressed={shows.value === 'table'} onClick={() => { shows.value = 'table'; }}>{t('showTable')}</button>
        </div>
        <More room={room} />
      </header>
      <main class="seatmain">
        <div class="seattable" {...swipe}><Stage game={desk.game} onView={mention} /></div>
        <div class="seatside">
          <div class="seatstripbox"><Strip desk={desk} press={mention} about={writing.about.value} /></div>
          <div class="seatlog" ref={box} {...swipe}><h2 class="unseen">{t('tab_log')}</h2><Log key={`${id}/${String(desk.game.view.value)}`} game={desk.game} telling={desk.game.telling.value} /></div>
          <Dock desk={desk} room={room} writing={writing} />
        </div>
      </main>
      <StatusLine desk={desk} />
    </div>
  );
}

function Waiting({ room }: { room: Room }) {
  return (
    <Frame title={room.title || room.code}>
      <Empty title={t('seatWaiting')}>
        <p>{room.you && t('roomYouSit', { name: shown(room.you.name) })}</p>
        <p class="acts"><a class="button strong" href={roomPath(room.code)}>{t('homeRooms')}</a></p>
      </Empty>
    </Frame>
  );
}

export function SeatPage(_: PageProps) {
  const { value, trouble, again } = useLoaded<Room>('seat');
  const room = value.value;
  const code = room?.code ?? '';
  // The game that is shown stays until the next one begins: one wants to see who was what.
  const shownGame = useSignal<{ id: string; seat: number } | null>(null);
  useEffect(() => {
    if (!code) return;
    const deaf = feed.onMessage((message) => {
      if (message.type === 'room' && message.code === code && value.value) value.value = mergedRoom(value.value, message as unknown as Room);
    });
    const leave = feed.follow({ type: 'watch', room: code });
    return () => {
      deaf();
      leave();
    };
  }, [code]);
  useEach(5000, () => { if (!shownGame.value) again(); });
  const playing = room?.you?.playing ? room : null;
  const [game, seat] = [playing?.game, playing?.you?.seat];
  useEffect(() => {
    if (game && seat && (shownGame.value?.id !== game || shownGame.value.seat !== seat)) shownGame.value = { id: game, seat };
  }, [game, seat]);
  if (shownGame.value) return <Play key={`${shownGame.value.id} ${shownGame.value.seat}`} room={code} {...shownGame.value} />;
  if (room && room.you && room.you.place !== 'none') return <Waiting room={room} />;
  if (room || trouble.value?.status === 404 || trouble.value?.status === 401) return <Frame title={t('siteName')}><Empty title={t('seatNone')}><p>{t('seatNoneText')}</p><p class="acts"><a class="button" href={base}>{t('toHome')}</a></p></Empty></Frame>;
  return <Frame title={t('siteName')}>{trouble.value ? <Trouble trouble={trouble.value} again={again} /> : <Loading />}</Frame>;
}
