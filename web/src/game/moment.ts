// moment.ts - an event as a sentence of words alone: for the status line, the scrubber and the
// picture's description.
import type { Fault, GameEvent } from '../doc.ts';
import { tally, type Course, type Table } from '../model.ts';
import { isNumberName, shown } from '../parts/shown.ts';
import { roleWord } from '../parts/RoleSign.tsx';
import { lang } from '../settings.ts';
import { t, type WordKey } from '../words.ts';

/** "7", or "7 Rin". */
export function seatText(course: Course, seat: number | undefined): string {
  if (!seat) return '–';
  const name = course.names[seat] ?? '';
  return name === '' || isNumberName(name) ? String(seat) : `${seat} ${shown(name)}`;
}

export const whenText = (day: number, night: boolean): string => (night ? t('dayNight', { day }) : t('day', { day }));

export function spokenText(event: GameEvent, plainFirst: boolean): string {
  const plain = event.plain?.[lang.value] ?? event.plain?.['en'];
  return shown(plainFirst && plain ? plain : event.text ?? '');
}

const requests = ['TALK', 'WHISPER', 'VOTE', 'DIVINE', 'GUARD', 'ATTACK', 'NAME', 'ROLE', 'INITIALIZE', 'DAILY_INITIALIZE', 'DAILY_FINISH', 'FINISH'];

export function faultText(fault: Fault | undefined): string {
  const kind = fault?.kind ?? '';
  const known = ['timeout', 'disconnect', 'malformed', 'early', 'violation', 'fallback', 'suppressed'].includes(kind);
  const parts = [known ? t(`fault_${kind}` as WordKey) : t('fault_other', { kind: shown(kind) })];
  if (fault?.at) parts.push(t('faultAt', { at: requests.includes(fault.at) ? t(`ask_${fault.at}` as WordKey) : shown(fault.at) }));
  if (fault?.after_ms !== undefined) parts.push(t('afterTime', { time: durationText(fault.after_ms) }));
  return parts.join(lang.value === 'ja' ? '・' : ', ');
}

export function durationText(ms: number): string {
  const unit = ms >= 1000 ? 'second' : 'millisecond';
  const digits = ms >= 1000 ? 1 : 0;
  return new Intl.NumberFormat(lang.value, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits }).format(ms >= 1000 ? ms / 1000 : ms);
}

export const resultText = (species: string | undefined): string =>
  species === 'WEREWOLF' ? t('resultWolf') : species === 'HUMAN' ? t('resultHuman') : t('resultNone');

/** What an event says in one sentence. */
export function momentSentence(course: Course, event: GameEvent, plainFirst: boolean): string {
  const who = seatText(course, event.seat);
  const target = seatText(course, event.target);
  switch (event.kind) {
    case 'day': return t('day', { day: event.day });
    case 'night': return t('dayNight', { day: event.day });
    case 'talk':
    case 'whisper':
      return event.quiet ? `${who} ${t('isSilent')}` : t('speaks', { who, text: spokenText(event, plainFirst) });
    case 'standing': return event.target ? t('stands', { who, target }) : t('standsBack', { who });
    case 'vote':
    case 'attack_vote': return `${t(event.kind === 'vote' ? 'ballot' : 'attackBallot')}: ${who} → ${target}`;
    case 'execute': return t('executed', { who });
    case 'death': return t(`died_${event.cause === 'cursed' || event.cause === 'left' ? event.cause : 'attacked'}`, { who });
    case 'divine': return event.target ? t('divines', { who, target, result: resultText(event.species) }) : t('divinesNobody', { who });
    case 'identify': return t('identifies', { who, target, result: resultText(event.species) });
    case 'guard': return event.target ? t('guards', { who, target }) : t('guardsNobody', { who });
    case 'attack': return event.target ? t(event.killed === false ? 'attackFails' : 'attacks', { target }) : t('attacksNobody');
    case 'role':
    case 'reveal': return t('learnsRole', { who, role: event.role ? roleWord(event.role) : '?' });
    case 'score': return `${who}: ${event.points ?? 0}`;
    case 'fault': return `${who}: ${faultText(event.fault)}`;
    case 'notice': return shown(event.text ?? '');
    case 'end': return t(`won_${event.winner ?? 'NONE'}`);
    default: return t('unknownKind', { n: 1 });
  }
}

const isBallot = (event: GameEvent | undefined): boolean => event?.kind === 'vote' || event?.kind === 'attack_vote';

/** "Day 2, vote, 7 votes for 3": the slider's value. */
export function sliderText(course: Course, table: Table): string {
  const event = course.event(table.n);
  const when = whenText(table.day, table.night);
  if (!event) return when;
  if (!isBallot(event)) return event.kind === 'day' || event.kind === 'night' ? when : `${when}, ${momentSentence(course, event, true)}`.slice(0, 240);
  const top = tally(table.arrows.filter((arrow) => arrow.kind === event.kind))[0];
  const count = top ? t('votesFor', { n: top.voters.length, who: seatText(course, top.target) }) : t('noVotes');
  return `${when}, ${t(event.kind === 'vote' ? 'ballot' : 'attackBallot')}, ${count}`;
}

/** The whole table in a few sentences: the picture's description. */
export function tableSentence(course: Course, table: Table): string {
  const parts = [t('sentence', { when: whenText(table.day, table.night), alive: t('alive', { n: table.alive }) })];
  const event = course.event(table.n);
  if (table.winner) parts.push(t(`won_${table.winner}`));
  else if (isBallot(event) || event?.kind === 'execute')
    for (const count of tally(table.arrows.filter((arrow) => arrow.kind === (event?.kind === 'attack_vote' ? 'attack_vote' : 'vote'))))
      parts.push(t('votesFor', { n: count.voters.length, who: seatText(course, count.target) }));
  else if (event && event.kind !== 'day' && event.kind !== 'night') parts.push(momentSentence(course, event, true));
  return parts.join(' ');
}
