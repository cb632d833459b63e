// protocol_builder.ts - sentences of the protocol language by choosing: a verb, whom, what.
//
// For:    the composer of the protocol division. Pure; the server reads every sentence once more.
// Source: docs/spec/language.md 2, 6; docs/spec/web.md 6.3.

export type Verb =
  | 'COMINGOUT' | 'ESTIMATE' | 'DIVINED' | 'IDENTIFIED' | 'GUARDED' | 'VOTED' | 'ATTACKED'
  | 'VOTE' | 'DIVINATION' | 'GUARD' | 'ATTACK' | 'AGREE' | 'DISAGREE';
export type Target = number | 'ANY';
export const ROLES = ['VILLAGER', 'SEER', 'MEDIUM', 'BODYGUARD', 'WEREWOLF', 'POSSESSED'] as const;
export const SPECIES = ['HUMAN', 'WEREWOLF'] as const;

/** An utterance that one agrees with, or not. */
export interface TalkRef {
  where: 'TALK' | 'WHISPER';
  day: number;
  idx: number;
}

export interface Clause {
  verb?: Verb;
  target?: Target;
  word?: string; // a role or a species, as the verb wants it
  ref?: TalkRef;
}

/** What stands around a clause. */
export type Frame = 'plain' | 'request' | 'inquire' | 'because' | 'not';

export interface Draft {
  frame: Frame;
  whom?: Target; // request, inquire
  reason?: Clause; // because
  said: Clause;
}

export type Step = 'whom' | 'reason.verb' | 'reason.target' | 'reason.word' | 'reason.ref' | 'verb' | 'target' | 'word' | 'ref' | 'done';

export const emptyDraft: Draft = { frame: 'plain', said: {} };

/** What a verb wants behind its target. */
export function wordsOf(verb: Verb | undefined): readonly string[] {
  if (verb === 'COMINGOUT' || verb === 'ESTIMATE') return ROLES;
  return verb === 'DIVINED' || verb === 'IDENTIFIED' ? SPECIES : [];
}

const wantsRef = (verb: Verb | undefined): boolean => verb === 'AGREE' || verb === 'DISAGREE';

/** The verbs in the order in which one looks for them; attacks are talked of in whispers. */
export function verbsFor(whisper: boolean): Verb[] {
  const all: Verb[] = ['VOTE', 'ESTIMATE', 'COMINGOUT', 'DIVINED', 'IDENTIFIED', 'GUARDED', 'AGREE', 'DISAGREE', 'DIVINATION', 'GUARD', 'VOTED'];
  return whisper ? ['ATTACK', ...all, 'ATTACKED'] : [...all, 'ATTACKED'];
}

function clauseStep(clause: Clause): 'verb' | 'target' | 'word' | 'ref' | 'done' {
  if (!clause.verb) return 'verb';
  if (wantsRef(clause.verb)) return clause.ref ? 'done' : 'ref';
  if (clause.target === undefined) return 'target';
  return wordsOf(clause.verb).length > 0 && clause.word === undefined ? 'word' : 'done';
}

/** What is to be chosen next. */
export function nextStep(draft: Draft): Step {
  if ((draft.frame === 'request' || draft.frame === 'inquire') && draft.whom === undefined) return 'whom';
  if (draft.frame === 'because') {
    const step = clauseStep(draft.reason ?? {});
    if (step !== 'done') return `reason.${step}`;
  }
  return clauseStep(draft.said);
}

/** The draft with `choice` taken at its next step. */
export function choose(draft: Draft, choice: string | number | TalkRef): Draft {
  const step = nextStep(draft);
  if (step === 'done') return draft;
  if (step === 'whom') return { ...draft, whom: choice as Target };
  const [part, name] = step.startsWith('reason.') ? ['reason', step.slice(7)] : ['said', step];
  const clause = { ...(part === 'reason' ? draft.reason : draft.said), [name as string]: choice };
  return part === 'reason' ? { ...draft, reason: clause } : { ...draft, said: clause };
}

/** The draft without its last choice. */
export function back(draft: Draft): Draft {
  const said = withoutLast(draft.said);
  if (said) return { ...draft, said };
  const reason = draft.frame === 'because' ? withoutLast(draft.reason ?? {}) : undefined;
  if (reason) return { ...draft, reason };
  if (draft.whom !== undefined) return { frame: draft.frame, said: {} };
  return { frame: 'plain', said: {} };
}

function withoutLast(clause: Clause): Clause | undefined {
  const { verb, target } = clause;
  if (!verb) return undefined;
  if (clause.word !== undefined && target !== undefined) return { verb, target };
  return target !== undefined || clause.ref ? { verb } : {};
}

export const agentName = (target: Target): string => (target === 'ANY' ? 'ANY' : `Agent[${String(target).padStart(2, '0')}]`);

function clauseText(clause: Clause): string {
  if (clause.ref) return `${clause.verb} ${clause.ref.where} day${clause.ref.day} ID:${clause.ref.idx}`;
  const head = `${clause.verb} ${agentName(clause.target ?? 'ANY')}`;
  return clause.word === undefined ? head : `${head} ${clause.word}`;
}

/** The sentence, canonical; undefined while something is missing. */
export function draftText(draft: Draft): string | undefined {
  if (nextStep(draft) !== 'done') return undefined;
  const said = clauseText(draft.said);
  switch (draft.frame) {
    case 'plain': return said;
    case 'not': return `NOT (${said})`;
    case 'request': return `REQUEST ${agentName(draft.whom as Target)} (${said})`;
    case 'inquire': return `INQUIRE ${agentName(draft.whom as Target)} (${said})`;
    case 'because': return `BECAUSE (${clauseText(draft.reason as Clause)}) (${said})`;
  }
}

// ---- the sentences that are said most ----

/** What the one at the seat knows. */
export interface Knowledge {
  me: number;
  role: string;
  whisper: boolean;
  about: number; // the seat that is talked of; 0 = none is chosen
  results: { verb: 'DIVINED' | 'IDENTIFIED' | 'GUARDED'; target: number; species?: string }[]; // own, the newest last
}

/** A sentence with the words for its button: `key` of the table, what goes into its places. */
export interface Quick {
  text: string;
  key: 'sayIAm' | 'sayIs' | 'sayVote' | 'sayAllVote' | 'sayDivined' | 'sayIdentified' | 'sayGuarded' | 'sayDivineThem' | 'sayWhoAreYou' | 'sayAttack' | 'sayAllAttack' | 'sayGuardThem' | 'sayNotWolf' | 'sayWhyVote' | 'sayWhoIsSeer';
  seat?: number;
  word?: string;
}

export const QUICK_MAX = 12;

function ownResults(known: Knowledge): Quick[] {
  const keys = { DIVINED: 'sayDivined', IDENTIFIED: 'sayIdentified', GUARDED: 'sayGuarded' } as const;
  return known.results.slice(-3).reverse().map((result) => ({
    text: clauseText({ verb: result.verb, target: result.target, ...(result.species ? { word: result.species } : {}) }),
    key: keys[result.verb],
    seat: result.target,
    ...(result.species ? { word: result.species } : {}),
  }));
}

const iAm = (known: Knowledge, role: string): Quick => ({ text: `COMINGOUT ${agentName(known.me)} ${role}`, key: 'sayIAm', word: role });

// What only one role would say, or would pretend.
function ofRole(known: Knowledge, about: string): Quick[] {
  const { role, about: seat } = known;
  const made = ownResults(known);
  if (role === 'SEER' || role === 'MEDIUM' || role === 'BODYGUARD') return [iAm(known, role), ...made];
  if (role !== 'WEREWOLF' && role !== 'POSSESSED') return [iAm(known, 'VILLAGER')];
  const claims = [iAm(known, 'SEER'), iAm(known, 'MEDIUM')];
  if (!seat) return claims;
  return [
    ...claims,
    { text: `DIVINED ${about} WEREWOLF`, key: 'sayDivined', seat, word: 'WEREWOLF' },
    { text: `DIVINED ${about} HUMAN`, key: 'sayDivined', seat, word: 'HUMAN' },
  ];
}

function inWhisper(known: Knowledge, about: string): Quick[] {
  const seat = known.about;
  const plans = [iAm(known, 'SEER'), iAm(known, 'MEDIUM'), iAm(known, 'VILLAGER')];
  if (!seat) return plans;
  return [
    { text: `ATTACK ${about}`, key: 'sayAttack', seat },
    { text: `REQUEST ANY (ATTACK ${about})`, key: 'sayAllAttack', seat },
    { text: `ESTIMATE ${about} SEER`, key: 'sayIs', seat, word: 'SEER' },
    { text: `ESTIMATE ${about} MEDIUM`, key: 'sayIs', seat, word: 'MEDIUM' },
    { text: `ESTIMATE ${about} BODYGUARD`, key: 'sayIs', seat, word: 'BODYGUARD' },
    { text: `ESTIMATE ${about} POSSESSED`, key: 'sayIs', seat, word: 'POSSESSED' },
    { text: `VOTE ${about}`, key: 'sayVote', seat },
    { text: `REQUEST ANY (VOTE ${about})`, key: 'sayAllVote', seat },
    ...plans,
  ];
}

/** At most twelve sentences for what one knows and whom one talks of, the likeliest first. */
export function quickSentences(known: Knowledge): Quick[] {
  const { about: seat, me } = known;
  const about = agentName(seat);
  if (known.whisper) return inWhisper(known, about).slice(0, QUICK_MAX);
  const own = ofRole(known, about);
  const ask: Quick = { text: 'INQUIRE ANY (COMINGOUT ANY SEER)', key: 'sayWhoIsSeer' };
  if (!seat || seat === me) return [...own, ask].slice(0, QUICK_MAX);
  return [
    ...own,
    { text: `VOTE ${about}`, key: 'sayVote', seat },
    { text: `ESTIMATE ${about} WEREWOLF`, key: 'sayIs', seat, word: 'WEREWOLF' } as const,
    { text: `REQUEST ANY (VOTE ${about})`, key: 'sayAllVote', seat } as const,
    { text: `BECAUSE (ESTIMATE ${about} WEREWOLF) (VOTE ${about})`, key: 'sayWhyVote', seat } as const,
    { text: `NOT (ESTIMATE ${about} WEREWOLF)`, key: 'sayNotWolf', seat } as const,
    { text: `ESTIMATE ${about} POSSESSED`, key: 'sayIs', seat, word: 'POSSESSED' } as const,
    { text: `REQUEST ANY (DIVINATION ${about})`, key: 'sayDivineThem', seat } as const,
    { text: `INQUIRE ${about} (COMINGOUT ${about} ANY)`, key: 'sayWhoAreYou', seat } as const,
    { text: `REQUEST ANY (GUARD ${about})`, key: 'sayGuardThem', seat } as const,
    ask,
  ].slice(0, QUICK_MAX) as Quick[];
}
