// LogRows.tsx - how each kind of row of the log looks.
import type { ComponentChildren } from 'preact';
import type { GameEvent } from '../doc.ts';
import { tally, type Course } from '../model.ts';
import type { Row } from '../rows.ts';
import { Chip, Name, Who } from '../parts/Chip.tsx';
import { Face } from '../parts/Face.tsx';
import { RoleWord } from '../parts/RoleSign.tsx';
import { isNumberName, shown } from '../parts/shown.ts';
import { fullTime, secondTime } from '../times.ts';
import { t, tn } from '../words.ts';
import { Claims, Said, saidLang } from './Said.tsx';
import { faultText, whenText } from './moment.ts';

export interface RowProps {
  course: Course;
  row: Row;
  /** Events behind it have not happened yet. */
  until: number;
}

const iconPaths = {
  execute: 'M5 5l10 10M15 5L5 15',
  moon: 'M14.500 12.500A6 6 0 0 1 8 4a6.300 6.300 0 1 0 6.500 8.500z',
  vote: 'M6 4l8 6-8 6z',
  clock: 'M10 3.500a6.500 6.500 0 1 0 .01 0zM10 6.500V10.300L12.500 12',
  eye: 'M2.500 10C5 6 7.500 5 10 5s5 1 7.500 5C15 14 12.500 15 10 15s-5-1-7.500-5zM10 7.800a2.200 2.200 0 1 0 .01 0z',
  shield: 'M10 3l5.500 2v4.500c0 3.500-2.300 5.800-5.500 7.500-3.200-1.700-5.500-4-5.500-7.500V5z',
  claw: 'M5 4q2 6 1 12M10 3.500q2 6.500 1 13M15 4q2 6 1 12',
  flag: 'M5.500 17V3.500M5.500 4.500h9l-2 3 2 3h-9',
  info: 'M10 9v5M10 6.200v.1',
  hand: 'M4 10h9M9.500 6l4 4-4 4',
} as const;

export const RowIcon = ({ name }: { name: keyof typeof iconPaths }) => (
  <svg class={`rowicon ${name}`} viewBox="0 0 20 20" aria-hidden="true"><path d={iconPaths[name]} /></svg>
);

const who = (course: Course, seat: number | undefined): ComponentChildren =>
  seat ? <Who seat={seat} name={course.names[seat] ?? ''} /> : '–';

export function eventsOf({ course, row, until }: RowProps): GameEvent[] {
  return course.doc.events.slice(row.first, Math.min(row.last, until) + 1);
}

const HeadRow = ({ row }: RowProps) => <h2 class={row.night ? 'headline night' : 'headline'}><span>{whenText(row.day, row.night)}</span></h2>;

// When it was said, for games that have times.
function When({ course, event }: { course: Course; event: GameEvent }) {
  const { began_ms: began } = course.doc;
  if (began === undefined || event.t_ms === undefined) return null;
  const ms = began + event.t_ms;
  return <time class="when" dateTime={new Date(ms).toISOString()} title={fullTime(ms)}>{secondTime(ms)}</time>;
}

function TalkRow({ course, row }: RowProps) {
  const event = course.doc.events[row.first] as GameEvent;
  const seat = event.seat ?? 0;
  const name = course.names[seat] ?? '';
  const secret = event.kind === 'whisper' || event.to !== undefined;
  return (
    <div class={secret ? 'said secret' : 'said'} title={secret ? t('whisperTitle') : undefined}>
      <Face seat={seat} name={name} />
      <p lang={saidLang(event, course)}>
        <Chip seat={seat} />{' '}
        {!isNumberName(name) && <><Name text={name} />{' '}</>}
        {event.kind === 'whisper' && event.target ? <>→ <Chip seat={event.target} /> </> : null}
        <Said event={event} course={course} /> <Claims event={event} />
      </p>
      <When course={course} event={event} />
    </div>
  );
}

function QuietRow(props: RowProps) {
  const events = eventsOf(props);
  return (
    <p class="silent">
      {events.map((event) => <Chip key={event.n} seat={event.seat ?? 0} />)}{' '}
      <span class="soft">{events.every((event) => event.quiet === 'forced') ? t('timedOut') : t('saidNothing')}</span>
    </p>
  );
}

function BallotRow(props: RowProps) {
  const { course, row } = props;
  const first = course.doc.events[row.first] as GameEvent;
  const attack = first.kind === 'attack_vote';
  const counts = tally(eventsOf(props).flatMap((event) => (event.seat && event.target ? [{ from: event.seat, to: event.target }] : [])));
  const most = counts[0]?.voters.length ?? 1;
  const again = (first.round ?? 0) > 0;
  return (
    <div class={attack ? 'ballot attack' : 'ballot'}>
      <p class="ballothead">
        <RowIcon name={attack ? 'claw' : 'vote'} />
        {attack ? t('attackBallot') : again ? t('ballotAgain', { n: (first.round ?? 0) + 1 }) : t('ballot')}
      </p>
      {counts.length === 0 && <p class="soft">{t('noVotes')}</p>}
      <ul class="counts">
        {counts.map((count) => (
          <li key={count.target} class={count.top ? 'count top' : 'count'}>
            <span class="for">{who(course, count.target)}</span>
            <span class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width={(count.voters.length / Math.max(most, 4)) * 100} height="10" /></svg><b>{count.voters.length}</b></span>
            <span class="from">{count.voters.map((voter) => <Chip key={voter} seat={voter} />)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const deedIcon = { divine: 'eye', identify: 'eye', guard: 'shield', attack: 'claw' } as const;

function DeedRow({ course, row }: RowProps) {
  const event = course.doc.events[row.first] as GameEvent;
  const places = {
    who: who(course, event.seat), target: who(course, event.target),
    result: <b class={event.species === 'WEREWOLF' ? 'wolf' : 'human'}>{event.species === 'WEREWOLF' ? t('resultWolf') : event.species === 'HUMAN' ? t('resultHuman') : t('resultNone')}</b>,
  };
  const none = !event.target;
  const text =
    event.kind === 'divine' ? tn(none ? 'divinesNobody' : 'divines', places)
    : event.kind === 'identify' ? tn('identifies', places)
    : event.kind === 'guard' ? tn(none ? 'guardsNobody' : 'guards', places)
    : tn(none ? 'attacksNobody' : event.killed === false ? 'attackFails' : 'attacks', places);
  return <p class="line deed"><RowIcon name={deedIcon[event.kind as keyof typeof deedIcon] ?? 'info'} /><span>{text}</span></p>;
}

function DeathRow({ course, row }: RowProps) {
  const event = course.doc.events[row.first] as GameEvent;
  const key = event.kind === 'execute' ? 'executed' : event.cause === 'cursed' || event.cause === 'left' ? `died_${event.cause}` as const : 'died_attacked';
  const seat = event.seat ?? event.target ?? 0;
  return (
    <div class="line death">
      <RowIcon name={event.kind === 'execute' || event.cause === 'executed' ? 'execute' : 'moon'} />
      <Face seat={seat} name={course.names[seat] ?? ''} dead />
      <p>{tn(key, { who: who(course, seat) })}</p>
    </div>
  );
}

function FaultRow({ course, row }: RowProps) {
  const event = course.doc.events[row.first] as GameEvent;
  return (
    <p class="line fault"><RowIcon name="clock" />
      <span>{who(course, event.seat)} {faultText(event.fault)}{event.fault?.detail ? <span class="soft"> – {shown(event.fault.detail)}</span> : null}</span>
    </p>
  );
}

function NoticeRow({ course, row }: RowProps) {
  const event = course.doc.events[row.first] as GameEvent;
  return <p class="line notice"><RowIcon name="info" /><span>{shown(event.text ?? '')}</span></p>;
}

function StandingRow({ course, row }: RowProps) {
  const event = course.doc.events[row.first] as GameEvent;
  return (
    <p class="line standing"><RowIcon name="hand" />
      <span>{tn(event.target ? 'stands' : 'standsBack', { who: who(course, event.seat), target: who(course, event.target) })}
        {event.text ? <span class="soft"> – {shown(event.text)}</span> : null}</span>
    </p>
  );
}

function RolesRow(props: RowProps) {
  const { course } = props;
  const events = eventsOf(props);
  return (
    <div class="roles">
      {events[0]?.kind === 'reveal' && <p class="ballothead"><RowIcon name="flag" />{t('rolesWere')}</p>}
      <ul>
        {events.map((event) => (
          <li key={event.n}>{who(course, event.seat)} {event.role && <RoleWord role={event.role} />}</li>
        ))}
      </ul>
    </div>
  );
}

function ScoreRow(props: RowProps) {
  return (
    <div class="roles">
      <p class="ballothead"><RowIcon name="flag" />{t('scores')}</p>
      <ul>{eventsOf(props).map((event) => <li key={event.n}>{who(props.course, event.seat)} <b>{event.points ?? 0}</b></li>)}</ul>
    </div>
  );
}

function EndRow({ course, row }: RowProps) {
  const event = course.doc.events[row.first] as GameEvent;
  return <p class={`theend won-${event.winner ?? 'NONE'}`}>{t(`won_${event.winner ?? 'NONE'}`)}{event.reason ? <span class="soft"> – {shown(event.reason)}</span> : null}</p>;
}

const UnknownRow = (props: RowProps) => <p class="line notice"><RowIcon name="info" /><span>{t('unknownKind', { n: eventsOf(props).length })}</span></p>;

export const rowViews = {
  head: HeadRow, talk: TalkRow, quiet: QuietRow, ballot: BallotRow, deed: DeedRow, death: DeathRow, fault: FaultRow,
  notice: NoticeRow, standing: StandingRow, roles: RolesRow, score: ScoreRow, end: EndRow, unknown: UnknownRow,
};
