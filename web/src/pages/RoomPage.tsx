// RoomPage.tsx - a room: take a seat or watch, who is here, a code for others to scan.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { operatorSecret, post } from '../api.ts';
import { feed } from '../live.ts';
import { asTrouble, useEach, useLoaded, type Loaded } from '../load.ts';
import { Frame, Loading, Trouble } from '../parts/Frame.tsx';
import { divisionWord, gamePath, roomPath } from '../parts/Lists.tsx';
import { Qr } from '../parts/Qr.tsx';
import { RoomActs } from '../parts/RoomActs.tsx';
import { shown } from '../parts/shown.ts';
import { toast } from '../parts/Toast.tsx';
import { base, type PageProps } from '../routes.tsx';
import { keep, kept } from '../settings.ts';
import type { Guest, Room } from '../shapes.ts';
import { clockText, spanText } from '../times.ts';
import { t } from '../words.ts';

/** A frame is the room as it is: what it doesn't have is gone, but for what only an answer tells. */
export const mergedRoom = (before: Room, now: Room): Room => ({
  ...now,
  ...(before.url !== undefined ? { url: before.url } : {}),
  ...(before.delay_ms !== undefined ? { delay_ms: before.delay_ms } : {}),
});

export const roomUrl = (room: Room): string => room.url ?? `${location.origin}${roomPath(room.code)}`;

type Act = (what: string, body: object) => Promise<void>;

function Countdown({ ms, word }: { ms: number; word: 'roomStart_after' | 'roomOpensIn' }) {
  const end = useSignal(performance.now() + ms);
  const left = useSignal(ms);
  useEffect(() => {
    end.value = performance.now() + ms;
    left.value = ms;
    const timer = setInterval(() => { left.value = Math.max(0, end.value - performance.now()); }, 500);
    return () => clearInterval(timer);
  }, [ms]);
  return <>{t(word, { time: clockText(left.value) })}</>;
}

function When({ room }: { room: Room }) {
  if (room.trouble) return <p class="bad-text">{shown(room.trouble)}</p>;
  if (room.held) return <p>{t('roomHeld')}</p>;
  if (room.state === 'playing') return <p>{t('roomBegan')}</p>;
  if (room.state === 'over') return <p>{room.opens_ms === undefined ? t('roomNextSame') : <Countdown ms={room.opens_ms} word="roomOpensIn" />}</p>;
  if (room.starts_ms !== undefined) return <p><Countdown ms={room.starts_ms} word="roomStart_after" /></p>;
  if (room.start === 'after') return <p>{t('roomStart_after', { time: spanText(room.start_after_ms ?? 0) })}</p>;
  return room.start ? <p>{t(`roomStart_${room.start}`)}</p> : null;
}

const GuestRow = ({ guest, room }: { guest: Guest; room: Room }) => (
  <li class={`guest${guest.here === false ? ' gone' : ''}`}>
    <span class="dot" aria-hidden="true" />
    <bdi>{shown(guest.name)}</bdi>
    {room.you?.id === guest.id && <span class="pill">{t('roomYou')}</span>}
    {guest.here === false && <span class="note">{t('roomAway')}</span>}
  </li>
);

const freeSeats = (room: Room): number => Math.max(0, room.people - (room.seats?.length ?? 0));

function Guests({ room }: { room: Room }) {
  const others = room.players - room.people;
  const waiting = room.queue?.length ?? 0;
  return (
    <section class="panel">
      <h2 class="small">{t('roomGuests')}</h2>
      <ul class="guests">
        {(room.seats ?? []).map((guest) => <GuestRow key={guest.id} guest={guest} room={room} />)}
        {room.state !== 'playing' && Array.from({ length: Math.min(freeSeats(room), 30) }, (_, i) => (
          <li class="guest free" key={`free${i}`}><span class="dot" aria-hidden="true" />{t('roomFree')}</li>
        ))}
      </ul>
      {others > 0 && !room.names_hidden && <p class="note">{t(room.fill === 'model' ? 'roomFill_model' : 'roomFill_bot', { n: others })}</p>}
      {waiting > 0 && <p class="note">{t('roomQueueN', { n: waiting })}</p>}
      {(room.watching ?? 0) > 0 && <p class="note">{t('roomWatchers', { n: room.watching ?? 0 })}</p>}
    </section>
  );
}

function Join({ room, act }: { room: Room; act: Act }) {
  const name = useSignal(kept('name') ?? '');
  const busy = useSignal(false);
  const waits = freeSeats(room) === 0 || room.state === 'playing';
  return (
    <form class="join" onSubmit={(event) => {
      event.preventDefault();
      if (busy.value) return;
      keep('name', name.value.trim());
      busy.value = true;
      void act('join', { name: name.value.trim() }).finally(() => { busy.value = false; });
    }}>
      <label for="guestname">{t('roomName')}</label>
      <input id="guestname" class="field" value={name.value} maxLength={32} autocomplete="nickname" enterkeyhint="go" placeholder={t('roomNameHint')}
        onInput={(event) => { name.value = event.currentTarget.value; }} />
      {waits && <p class="note">{t('roomFull')}</p>}
      <button type="submit" class="button strong wide" disabled={busy.value}>{t(waits ? 'roomQueueUp' : 'roomJoin')}</button>
    </form>
  );
}

function Yours({ room, act }: { room: Room; act: Act }) {
  const you = room.you;
  if (!you || (you.place === 'none' && !you.playing)) return <Join room={room} act={act} />;
  const name = shown(you.name);
  const waits = you.place === 'queue' && !you.playing;
  return (
    <div class="join">
      <p class="big" role="status">{waits ? t('roomYouWait', { n: (you.before ?? 0) + 1, name }) : t('roomYouSit', { name })}</p>
      {!waits && <a class="button strong wide" href={`${base}seat`}>{t('roomToSeat')}</a>}
      <button type="button" class="button wide" onClick={() => void act('leave', {})}>{t('roomLeave')}</button>
    </div>
  );
}

async function copyLink(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('roomCopied'));
  } catch {
    toast(text);
  }
}

const Facts = ({ room }: { room: Room }) => (
  <p class="facts">
    <span class={`pill state-${room.state}`}>{t(`roomState_${room.state}`)}</span>
    <span>{divisionWord(room.division)} · <bdi>{shown(room.rules)}</bdi> · {t('playersN', { n: room.players })}</span>
    {room.division !== 'protocol' && room.language && <span>{t('roomPlayLang', { lang: t(room.language === 'ja' ? 'langja' : 'langen') })}</span>}
    {(room.delay_ms ?? 0) > 0 && <span>{t('roomDelay', { time: spanText(room.delay_ms ?? 0) })}</span>}
    {room.names_hidden && <span>{t('roomNamesHidden')}</span>}
  </p>
);

function Body({ room, loaded }: { room: Room; loaded: Loaded<Room> }) {
  const act = async (what: string, body: object) => {
    try {
      const answer = await post<Room>(`rooms/${encodeURIComponent(room.code)}/${what}`, body);
      if (answer && answer.code) loaded.value.value = answer;
      else loaded.again();
      feed.renew(); // the socket was opened without the cookie that came with this answer
    } catch (error) {
      toast(asTrouble(error).message, true);
      loaded.again();
    }
  };
  return (
    <div class="room">
      <div class="room-main">
        <Facts room={room} />
        <When room={room} />
        <Yours room={room} act={act} />
        {room.game !== undefined && <a class="button wide" href={gamePath(room.game)}>{t('roomWatch')}</a>}
        <Guests room={room} />
        {operatorSecret() && <RoomActs room={room} changed={loaded.again} />}
      </div>
      <figure class="room-code">
        <Qr text={roomUrl(room)} label={t('roomQrLabel', { url: roomUrl(room) })} />
        <figcaption><strong>{t('roomScan')}</strong><span class="room-url">{roomUrl(room)}</span>
          <button type="button" class="button" onClick={() => void copyLink(roomUrl(room))}>{t('roomCopy')}</button>
        </figcaption>
      </figure>
    </div>
  );
}

export function RoomPage({ id }: PageProps) {
  const loaded = useLoaded<Room>(`rooms/${encodeURIComponent(id)}`);
  const there = loaded.value.value !== null;
  useEffect(() => {
    if (!there) return;
    const deaf = feed.onMessage((message) => {
      if (message.type !== 'room' || message.code !== id) return;
      const before = loaded.value.value;
      const { type: _, ...changed } = message;
      if (before) loaded.value.value = mergedRoom(before, changed as unknown as Room);
    });
    const leave = feed.follow({ type: 'watch', room: id });
    return () => {
      deaf();
      leave();
    };
  }, [id, there]);
  useEach(10_000, loaded.again);
  const room = loaded.value.value;
  // Who sits here goes to the table when the game begins; who comes back from there may stay.
  const playing = room ? room.you?.playing === true : undefined;
  const played = useRef(playing);
  useEffect(() => {
    if (played.current === false && playing) location.assign(`${base}seat`);
    played.current = playing ?? played.current;
  }, [playing]);
  return (
    <Frame title={room?.title || id}>
      {room ? <Body room={room} loaded={loaded} /> : loaded.trouble.value ? <Trouble trouble={loaded.trouble.value} again={loaded.again} /> : <Loading />}
    </Frame>
  );
}
