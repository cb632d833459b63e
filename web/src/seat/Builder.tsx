// Builder.tsx - sentences of the protocol language without typing: those that are said most, and
// step by step; the sentence below is read by the server as one types.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { post } from '../api.ts';
import type { GameEvent } from '../doc.ts';
import { Chip } from '../parts/Chip.tsx';
import { shown } from '../parts/shown.ts';
import {
  back, choose, draftText, emptyDraft, nextStep, quickSentences, verbsFor, wordsOf, type Draft, type Frame, type Knowledge, type Quick, type TalkRef,
} from '../protocol_builder.ts';
import { lang } from '../settings.ts';
import { t, type WordKey } from '../words.ts';
import type { Desk } from './desk.ts';
import { ownResults } from './RoleCard.tsx';

const frames: Frame[] = ['plain', 'request', 'inquire', 'because', 'not'];
const known: readonly string[] = ['VILLAGER', 'SEER', 'MEDIUM', 'BODYGUARD', 'WEREWOLF', 'POSSESSED', 'FREEMASON', 'FOX', 'HUMAN'];

const wordText = (word: string | undefined): string => (word && known.includes(word) ? t(`a_${word}` as WordKey) : word ?? '');
const quickText = (quick: Quick): string => t(quick.key, { n: String(quick.seat ?? ''), word: wordText(quick.word) });

function knowledge(desk: Desk, whisper: boolean, about: number): Knowledge {
  const verbs = { divine: 'DIVINED', identify: 'IDENTIFIED', guard: 'GUARDED' } as const;
  return {
    me: desk.seat, role: desk.me?.role ?? 'VILLAGER', whisper, about,
    results: ownResults(desk).filter((event) => event.target).map((event) => ({
      verb: verbs[event.kind as keyof typeof verbs], target: event.target ?? 0, ...(event.kind !== 'guard' && event.species ? { species: event.species } : {}),
    })),
  };
}

interface Step {
  label: string;
  choice: Parameters<typeof choose>[1];
  seat?: number;
}

function refs(desk: Desk, whisper: boolean): Step[] {
  const spoken = desk.game.doc.value.events.filter((event: GameEvent) => event.kind === (whisper ? 'whisper' : 'talk') && !event.quiet && event.seat !== desk.seat);
  return spoken.slice(-8).reverse().map((event) => ({
    label: shown(event.plain?.[lang.value] ?? event.text ?? '').slice(0, 60),
    choice: { where: whisper ? 'WHISPER' : 'TALK', day: event.day, idx: event.idx ?? 0 } satisfies TalkRef,
    seat: event.seat ?? 0,
  }));
}

function stepsOf(desk: Desk, draft: Draft, whisper: boolean): Step[] {
  const step = nextStep(draft).replace('reason.', '');
  const seats = desk.game.doc.value.seats.map<Step>((seat) => ({ label: '', choice: seat.seat, seat: seat.seat }));
  if (step === 'verb') return verbsFor(whisper).map((verb) => ({ label: t(`verb_${verb}`), choice: verb }));
  if (step === 'whom') return [{ label: t('builderAny'), choice: 'ANY' }, ...seats];
  if (step === 'target') return draft.frame === 'inquire' ? [{ label: t('builderAny'), choice: 'ANY' }, ...seats] : seats;
  if (step === 'word') return wordsOf((nextStep(draft).startsWith('reason') ? draft.reason : draft.said)?.verb).map((word) => ({ label: wordText(word), choice: word }));
  return step === 'ref' ? refs(desk, whisper) : [];
}

function Steps({ desk, whisper, text }: { desk: Desk; whisper: boolean; text: Signal<string> }) {
  const draft = useSignal<Draft>(emptyDraft);
  const step = nextStep(draft.value);
  const set = (next: Draft) => {
    draft.value = next;
    const done = draftText(next);
    if (done !== undefined) text.value = done;
  };
  const choices = stepsOf(desk, draft.value, whisper);
  const isReason = step.startsWith('reason.');
  return (
    <div class="steps">
      <div class="chips" role="group" aria-label={t('builder')}>
        {frames.map((frame) => (
          <button key={frame} type="button" class="pick" aria-pressed={draft.value.frame === frame} onClick={() => set({ frame, said: {} })}>{t(`builderFrame_${frame}`)}</button>
        ))}
      </div>
      <p class="note" role="status">{isReason && t('builderReason')} {step === 'done' ? t('builderDone') : t(`builderStep_${step.replace('reason.', '')}` as WordKey)}</p>
      {step === 'ref' && choices.length === 0 && <p class="note">{t('builderNoRef')}</p>}
      <div class="chips">
        {choices.map((each, i) => (
          <button key={`${step} ${i}`} type="button" class="pick" onClick={() => set(choose(draft.value, each.choice))}>
            {each.seat !== undefined && <Chip seat={each.seat} />}{each.label}
          </button>
        ))}
        {(draft.value.said.verb !== undefined || draft.value.whom !== undefined || draft.value.reason?.verb !== undefined) && (
          <button type="button" class="pick quiet" onClick={() => set(back(draft.value))}>← {t('builderBack')}</button>
        )}
      </div>
    </div>
  );
}

export function Builder({ desk, whisper, text, about }: { desk: Desk; whisper: boolean; text: Signal<string>; about: Signal<number> }) {
  const { game } = desk;
  const table = game.table.value;
  const alive = game.doc.value.seats.filter((seat) => seat.seat !== desk.seat && table.seats[seat.seat]?.alive !== false);
  const quick = quickSentences(knowledge(desk, whisper, about.value));
  return (
    <div class="builder">
      <div class="chips aboutlist" role="group" aria-label={t('builderAbout')}>
        <span class="note">{t('builderAbout')}</span>
        {alive.map((seat) => (
          <button key={seat.seat} type="button" class="pick small" aria-pressed={about.value === seat.seat} onClick={() => { about.value = about.value === seat.seat ? 0 : seat.seat; }}><Chip seat={seat.seat} /></button>
        ))}
      </div>
      {about.value === 0 && <p class="note">{t('builderPick')}</p>}
      <div class="chips quick" role="group" aria-label={t('builderQuick')}>
        {quick.map((each) => <button key={each.text} type="button" class="pick" title={each.text} aria-pressed={text.value === each.text} onClick={() => { text.value = each.text; }}>{quickText(each)}</button>)}
      </div>
      <details><summary>{t('builder')}</summary><Steps desk={desk} whisper={whisper} text={text} /></details>
    </div>
  );
}

interface Checked {
  valid?: boolean;
  plain?: Partial<Record<string, string>> | string;
  error?: string;
}

/** Whether the text is a sentence, and what it means: asked 250 ms after the last key. `refused`: why it was
 * not taken when it was sent. */
export function SentenceCheck({ text, refused }: { text: string; refused: string | undefined }) {
  const checked = useSignal<Checked | null>(null);
  useEffect(() => {
    checked.value = null;
    const sentence = text.trim();
    if (sentence === '') return;
    let late = false;
    const ask = (): void => void post<{ texts: Checked[] }>('lang', { texts: [sentence] }).then(
      (answer) => { if (!late) checked.value = answer.texts[0] ?? null; },
      () => { if (!late) timer = setTimeout(ask, 3000); }, // a server that is busy, a network that was away
    );
    let timer = setTimeout(ask, 250);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [text]);
  const now = checked.value;
  if (text.trim() === '') return null;
  if (refused !== undefined) return <p class="sentencecheck bad-text" role="alert">{t('refused', { why: refused })}</p>;
  if (!now) return <p class="sentencecheck note">&nbsp;</p>;
  const plain = typeof now.plain === 'string' ? now.plain : now.plain?.[lang.value] ?? now.plain?.['en'] ?? '';
  return now.valid ? <p class="sentencecheck good" role="status">{t('sentenceGood', { plain: shown(plain).replace(/Agent\[0*(\d+)\]/g, '$1') })}</p> : <p class="sentencecheck bad-text" role="status">{t('sentenceBad', { why: shown(now.error ?? '') })}</p>;
}
