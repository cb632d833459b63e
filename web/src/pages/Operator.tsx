// Operator.tsx - rooms: make, start, hold, close; tables that are played.
import { useSignal } from '@preact/signals';
import { operatorSecret, post } from '../api.ts';
import { useEach, useLoaded, asTrouble } from '../load.ts';
import { Empty, Frame, Loading, Trouble } from '../parts/Frame.tsx';
import { divisionWord, gamePath, RoomLine, roomPath } from '../parts/Lists.tsx';
import { momentText } from '../parts/MiniTable.tsx';
import { RoomActs } from '../parts/RoomActs.tsx';
import { askServer, ServerActs, type ActsData } from '../parts/ServerActs.tsx';
import { shown } from '../parts/shown.ts';
import { toast } from '../parts/Toast.tsx';
import { base, type PageProps } from '../routes.tsx';
import type { HomeData, LiveTable, OperatorData, RoomRow } from '../shapes.ts';
import { t, type WordKey } from '../words.ts';
import { setSecret } from './Login.tsx';

const Locked = () => <Empty title={t('operatorLocked')}><p>{t('operatorLockedText')}</p></Empty>;

interface FieldProps {
  name: string;
  word: WordKey;
  first: number;
  min: number;
  max: number;
}

const NumberField = ({ name, word, first, min, max }: FieldProps) => (
  <label class="labelled">{t(word)}<input class="field" type="number" name={name} min={min} max={max} defaultValue={String(first)} required /></label>
);

const Check = ({ name, word, on }: { name: string; word: WordKey; on?: boolean }) => (
  <label class="switch"><input type="checkbox" name={name} defaultChecked={on === true} />{t(word)}</label>
);

function roomOf(form: FormData): object {
  const text = (name: string) => String(form.get(name) ?? '');
  const whole = (name: string) => Number(form.get(name) ?? 0);
  return {
    title: text('title'), division: text('division'), rules: text('rules'), players: whole('players'), people: whole('people'), fill: text('fill'),
    start: text('start') === 'after' ? `${whole('start_s')}s` : text('start'), language: text('language'), delay_s: whole('delay_s'),
    names_hidden: form.has('names_hidden'), listed: form.has('listed'), kept: form.has('kept'),
  };
}

function NewRoom({ offers, made }: { offers: OperatorData['offers']; made: () => void }) {
  const division = useSignal(offers?.divisions?.[0] ?? 'nlp');
  const start = useSignal('full');
  const rules = offers?.rules?.[division.value];
  return (
    <form class="panel newroom" onSubmit={(event) => {
      event.preventDefault();
      post<{ code?: string }>('rooms', roomOf(new FormData(event.currentTarget))).then(
        (room) => {
          toast(t('actDone'));
          made();
          if (room?.code) location.assign(roomPath(room.code));
        },
        (error: unknown) => toast(asTrouble(error).message, true),
      );
    }}>
      <div class="fields">
        <label class="labelled">{t('operatorName')}<input class="field" name="title" maxLength={40} autocomplete="off" /></label>
        <label class="labelled">{t('operatorDivision')}
          <select class="field" name="division" value={division.value} onChange={(event) => { division.value = event.currentTarget.value; }}>
            {(offers?.divisions ?? ['nlp', 'protocol', 'maw']).map((each) => <option key={each} value={each}>{divisionWord(each)}</option>)}
          </select>
        </label>
        <label class="labelled">{t('operatorRules')}
          {rules && rules.length > 0
            ? <select class="field" name="rules">{rules.map((each) => <option key={each}>{each}</option>)}</select>
            : <input class="field" name="rules" autocomplete="off" />}
        </label>
        <NumberField name="players" word="operatorPlayers" first={5} min={3} max={30} />
        <NumberField name="people" word="operatorPeople" first={1} min={1} max={30} />
        <label class="labelled">{t('operatorFill')}
          {offers?.fill && offers.fill.length > 0
            ? <select class="field" name="fill">{offers.fill.map((each) => <option key={each} value={each}>{each || t('operatorFillUsual')}</option>)}</select>
            : <input class="field" name="fill" defaultValue="bot:talker" autocomplete="off" />}
        </label>
        <label class="labelled">{t('operatorStart')}
          <select class="field" name="start" value={start.value} onChange={(event) => { start.value = event.currentTarget.value; }}>
            {(['full', 'after', 'hand'] as const).map((each) => <option key={each} value={each}>{t(`operatorStart_${each}`)}</option>)}
          </select>
        </label>
        {start.value === 'after' && <NumberField name="start_s" word="operatorStartS" first={60} min={5} max={3600} />}
        <label class="labelled">{t('operatorLang')}
          <select class="field" name="language"><option value="en">English</option><option value="ja">日本語</option></select>
        </label>
        <NumberField name="delay_s" word="operatorDelay" first={0} min={0} max={86400} />
      </div>
      <div class="switches">
        <Check name="listed" word="operatorListed" on />
        <Check name="names_hidden" word="operatorNamesHidden" />
        <Check name="kept" word="operatorKept" />
      </div>
      <button type="submit" class="button strong">{t('operatorMake')}</button>
    </form>
  );
}

const RoomRow = ({ room, changed }: { room: RoomRow; changed: () => void }) => (
  <li class="roomrow"><ul class="items"><RoomLine room={room} /></ul><RoomActs room={room} changed={changed} /></li>
);

function TableRow({ table, acts }: { table: LiveTable; acts: boolean }) {
  return (
    <li class="item">
      <a class="item-main" href={`${gamePath(table.id)}#view=all`}><bdi class="item-name">{shown(table.id)}</bdi>
        <span class="note">{shown(table.rules)} · {momentText(table.day, table.night)} · {t('playersN', { n: table.players })}</span></a>
      <a class="button" href={`${base}mind/${encodeURIComponent(table.id)}`}>{t('actMind')}<span class="unseen"> {shown(table.id)}</span></a>
      {acts && <button type="button" class="button" onClick={() => void askServer({ act: 'end', game: table.id })}>{t('actEnd')}<span class="unseen"> {shown(table.id)}</span></button>}
    </li>
  );
}

function Desk() {
  const rooms = useLoaded<OperatorData>('rooms');
  const home = useLoaded<HomeData>('home');
  const acts = useLoaded<ActsData>('/api/v1/operator/acts');
  const again = () => {
    if (acts.value.value) acts.again();
    rooms.again();
    home.again();
  };
  useEach(5_000, again);
  const trouble = rooms.trouble.value;
  if ((trouble?.status === 401 || trouble?.status === 403) && !acts.value.value) return <Locked />;
  const data = rooms.value.value;
  const live = (home.value.value?.live ?? []).filter((table) => !table.over);
  if (!data && !trouble) return <Loading />;
  return (
    <>
      {trouble && trouble.status !== 404 && <Trouble trouble={trouble} again={again} />}
      {acts.value.value && <ServerActs acts={acts.value.value} changed={again} />}
      {data && (
        <section class="block"><div class="block-head"><h2>{t('operatorRooms')}</h2></div>
          {data.rooms.length === 0 ? <p class="note">{t('operatorNoRooms')}</p> : <ul class="items panel">{data.rooms.map((room) => <RoomRow key={room.code} room={room} changed={again} />)}</ul>}
        </section>
      )}
      {data && <section class="block"><div class="block-head"><h2>{t('operatorNew')}</h2></div><NewRoom offers={data.offers} made={again} /></section>}
      <section class="block"><div class="block-head"><h2>{t('operatorTables')}</h2></div>
        {live.length === 0 ? <p class="note">{t('operatorNoTables')}</p> : <ul class="items panel">{live.map((table) => <TableRow key={table.id} table={table} acts={acts.value.value !== null} />)}</ul>}
      </section>
      <p><button type="button" class="button" onClick={() => {
        setSecret(null);
        location.assign(base);
      }}>{t('operatorLogout')}</button></p>
    </>
  );
}

export const Operator = (_: PageProps) => <Frame title={t('operatorTitle')}>{operatorSecret() ? <Desk /> : <Locked />}</Frame>;
