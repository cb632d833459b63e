// RoomPage.tsx - a room: take a seat or watch, who is here, a code for others to scan.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
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
import { t, type WordKey } from '../words.ts';

export const roomUrl = (room: Room): string => room.url ?? `${location.origin}${roomPath(room.code)}`;

function Countdown({ ms }: { ms: number }) {
  const end = useSignal(performance.now() + ms);
  const left = useSignal(ms);
  useEffect(() => {
    end.value = performance.now() + ms;
    left.value = ms;
    const timer = setInterval(() => { left.value = Math.max(0, end.value - performance.now()); }, 500);
    return () => clearInterval(timer);
  }, [ms]);
  return <>{t('roomStart_after', { time: clockText(left.value) })}</>;
}

function When({ room }: { room: Room }) {
  if (room.held) return <p>{t('roomHeld')}</p>;
  if (room.state === 'PLAYING') return <p>{t('roomBegan')}</p>;
  if (room.start_ms !== undefined && (room.state === 'READY' || room.start === 'after')) return <p><Countdown ms={room.start_ms} /></p>;
  return room.start ? <p>{t(room.start === 'after' ? 'roomStart_full' : `roomStart_${room.start}`)}</p> : null;
}

const GuestRow = ({ guest, room }: { guest: Guest; room: Room }) => (
  <li class={`guest${guest.away ? ' gone' : ''}`}>
    <span class="dot" aria-hidden="true" />
    <bdi>{shown(guest.name)}</bdi>
    {room.you?.guest === guest.guest && <span class="pill">{t('roomYou')}</span>}
    {guest.away && <span class="note">{t('roomAway')}</span>}
  </li>
);

function Guests({ room }: { room: Room }) {
  const guests = (room.guests ?? []).slice(0, room.people);
  const free = Math.max(0, room.people - (room.guests?.length ?? room.taken ?? 0));
  const others = room.players - room.people;
  return (
    <section class="panel">
      <h2 class="small">{t('roomGuests')}</h2>
      <ul class="guests">
        {guests.map((guest) => <GuestRow key={guest.guest} guest={guest} room={room} />)}
        {Array.from({ length: Math.min(free, 30) }, (_, i) => <li class="guest free" key={`free${i}`}><span class="dot" aria-hidden="true" />{t('roomFree')}</li>)}
      </ul>
      {others > 0 && <p class="note">{t('roomFill', { n: others, kind: shown(room.fill ?? 'bot') })}</p>}
      {(room.queue ?? 0) > 0 && <p class="note">{t('roomQueueN', { n: room.queue ?? 0 })}</p>}
      {(room.watchers ?? 0) > 0 && <p class="note">{t('roomWatchers', { n: room.watchers ?? 0 })}</p>}
    </section>
  );
}

function Join({ room, act }: { room: Room; act: (what: string, body: object) => Promise<void> }) {
  const name = useSignal(kept('name') ?? '');
  const busy = useSignal(false);
  const full = (room.guests?.length ?? room.taken ?? 0) >= room.people;
  const waits = full || room.state === 'PLAYING';
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

function Yours({ room, act }: { room: Room; act: (what: string, body: object) => Promise<void> }) {
  const you = room.you;
  if (!you) return <Join room={room} act={act} />;
  const name = shown(you.name);
  return (
    <div class="join">
      <p class="big" role="status">{you.queue !== undefined ? t('roomYouWait', { n: you.queue, name }) : t('roomYouSit', { name })}</p>
      {you.queue === undefined && <a class="button strong wide" href={`${base}seat`}>{t('roomToSeat')}</a>}
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
    {room.lang && <span>{t('roomPlayLang', { lang: ['en', 'ja', 'aiwolf'].includes(room.lang) ? t(`lang${room.lang}` as WordKey) : room.lang })}</span>}
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
      if (what === 'join' && answer?.you && answer.you.queue === undefined && answer.state === 'PLAYING') location.assign(`${base}seat`);
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
  useEffect(() => {
    const deaf = feed.onMessage((message) => {
      if (message.type !== 'room' || message.code !== id) return;
      const before = loaded.value.value;
      const { type: _, ...changed } = message;
      if (!before) return;
      const now = { ...before, ...(changed as unknown as Room) };
      loaded.value.value = now;
      // Who sits here goes to the table when the game begins.
      if (before.state !== 'PLAYING' && now.state === 'PLAYING' && now.you && now.you.queue === undefined) location.assign(`${base}seat`);
    });
    const leave = feed.follow({ type: 'watch', room: id });
    return () => {
      deaf();
      leave();
    };
  }, [id]);
  useEach(10_000, loaded.again);
  const room = loaded.value.value;
  return (
    <Frame title={room?.name ?? id}>
      {room ? <Body room={room} loaded={loaded} /> : loaded.trouble.value ? <Trouble trouble={loaded.trouble.value} again={loaded.again} /> : <Loading />}
    </Frame>
  );
}
