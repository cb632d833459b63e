// Said.tsx - what somebody said: text with the seats' chips and names in it, and what it claims.
import type { ComponentChildren } from 'preact';
import type { GameEvent, Saying } from '../doc.ts';
import { linked } from '../linked.ts';
import type { Course } from '../model.ts';
import { Chip } from '../parts/Chip.tsx';
import { shown } from '../parts/shown.ts';
import { RoleWord } from '../parts/RoleSign.tsx';
import { lang, sentences } from '../settings.ts';
import { t } from '../words.ts';

// Names of a protocol game are numbers, as is what stands for a seat in its sentences.
const agentName = /Agent\[(\d\d)\]/g;

function withChips(text: string): ComponentChildren[] {
  return shown(text).split(agentName).map((part, i) => (i % 2 === 0 ? part : <Chip key={i} seat={Number(part)} />));
}

function withNames(text: string, names: readonly (string | undefined)[]): ComponentChildren[] {
  return linked(text, names).map((piece, i) =>
    typeof piece === 'string' ? shown(piece) : <bdi key={i} class={`at s${piece.seat}`}>{shown(piece.text)}</bdi>);
}

// The speaker's chip stands in front already.
function withoutSelf(plain: string, seat: number): string {
  const self = `Agent[${String(seat).padStart(2, '0')}]`;
  return plain.startsWith(`${self} `) ? plain.slice(self.length + 1) : plain;
}

/** The language of what is shown, for `lang` on the element. */
export function saidLang(event: GameEvent, course: Course): string | undefined {
  if (course.doc.lang === 'aiwolf') return sentences.value === 'plain' && event.plain ? lang.value : 'en';
  return course.doc.lang;
}

export function Said({ event, course }: { event: GameEvent; course: Course }) {
  const text = event.text ?? '';
  if (course.doc.lang !== 'aiwolf') return <>{withNames(text.trim(), course.names)}</>;
  const plain = event.plain?.[lang.value] ?? event.plain?.['en'];
  if (sentences.value === 'plain' && plain) return <span title={shown(text)}>{withChips(withoutSelf(plain, event.seat ?? 0))}</span>;
  return <span class="sentence">{withChips(text)}</span>;
}

function Claim({ says, seat }: { says: Saying; seat: number }) {
  const target = says.target ?? 0;
  switch (says.kind) {
    case 'COMINGOUT':
      return says.role && (target === 0 || target === seat) ? <span class={`claim r-${says.role}`}><RoleWord role={says.role} /></span> : null;
    case 'DIVINED':
    case 'IDENTIFIED':
      return (
        <span class={says.species === 'WEREWOLF' ? 'claim wolf' : 'claim human'}>
          <Chip seat={target} /> {says.species === 'WEREWOLF' ? t('saysWolf') : t('saysHuman')}
        </span>
      );
    case 'GUARDED':
      return <span class="claim r-BODYGUARD"><Chip seat={target} /> {t('saysGuarded')}</span>;
    case 'ESTIMATE':
      return <span class="claim guess"><Chip seat={target} /> {t('suspects')}</span>;
    default:
      return null;
  }
}

/** What the speaker claims, as small labels. In plain words an estimate is in the sentence already. */
export function Claims({ event }: { event: GameEvent }) {
  const seen = new Set<string>();
  const told = (event.says ?? []).filter((says) => {
    const key = `${says.kind}/${says.target}/${says.role}/${says.species}`;
    if (seen.has(key) || (says.kind === 'ESTIMATE' && sentences.value === 'plain')) return false;
    seen.add(key);
    return true;
  });
  if (told.length === 0) return null;
  return <span class="claims">{told.map((says, i) => <Claim key={i} says={says} seat={event.seat ?? 0} />)}</span>;
}
