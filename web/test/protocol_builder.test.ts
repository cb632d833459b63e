// What the builder makes is canonical: as the language's own writer would have it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { back, choose, draftText, emptyDraft, nextStep, quickSentences, QUICK_MAX, verbsFor, wordsOf, type Draft } from '../src/protocol_builder.ts';

const made = (frame: Draft['frame'], ...choices: Parameters<typeof choose>[1][]): Draft =>
  choices.reduce<Draft>((draft, choice) => choose(draft, choice), { ...emptyDraft, frame });

test('step by step a sentence comes about', () => {
  assert.equal(draftText(made('plain', 'VOTE', 7)), 'VOTE Agent[07]');
  assert.equal(draftText(made('plain', 'COMINGOUT', 12, 'SEER')), 'COMINGOUT Agent[12] SEER');
  assert.equal(draftText(made('plain', 'DIVINED', 3, 'WEREWOLF')), 'DIVINED Agent[03] WEREWOLF');
  assert.equal(draftText(made('plain', 'AGREE', { where: 'TALK', day: 1, idx: 14 })), 'AGREE TALK day1 ID:14');
  assert.equal(draftText(made('request', 'ANY', 'VOTE', 7)), 'REQUEST ANY (VOTE Agent[07])');
  assert.equal(draftText(made('inquire', 3, 'VOTE', 'ANY')), 'INQUIRE Agent[03] (VOTE ANY)');
  assert.equal(draftText(made('not', 'VOTE', 1)), 'NOT (VOTE Agent[01])');
  assert.equal(draftText(made('because', 'DIVINED', 3, 'WEREWOLF', 'VOTE', 3)), 'BECAUSE (DIVINED Agent[03] WEREWOLF) (VOTE Agent[03])');
});

test('what is missing is asked for in order, and each choice can be taken back', () => {
  let draft: Draft = { ...emptyDraft, frame: 'because' };
  const steps = ['reason.verb', 'reason.target', 'reason.word', 'verb', 'target', 'done'];
  const choices = ['DIVINED', 3, 'HUMAN', 'VOTE', 4];
  const drafts = [draft];
  choices.forEach((choice, i) => {
    assert.equal(nextStep(draft), steps[i]);
    assert.equal(draftText(draft), undefined);
    draft = choose(draft, choice);
    drafts.push(draft);
  });
  assert.equal(nextStep(draft), 'done');
  for (let i = drafts.length - 1; i > 0; i--) {
    draft = back(draft);
    assert.equal(nextStep(draft), nextStep(drafts[i - 1] as Draft));
  }
  assert.deepEqual(back({ ...emptyDraft, frame: 'request' }), emptyDraft);
});

test('each verb ends', () => {
  for (const verb of verbsFor(true)) {
    let draft = choose(emptyDraft, verb);
    for (let i = 0; nextStep(draft) !== 'done'; i++) {
      assert.ok(i < 3);
      const step = nextStep(draft);
      draft = choose(draft, step === 'ref' ? { where: 'TALK', day: 0, idx: 0 } : step === 'word' ? (wordsOf(verb)[0] as string) : 2);
    }
    assert.match(draftText(draft) as string, new RegExp(`^${verb} `));
  }
});

test('every role has up to twelve sentences of its own, no two alike', () => {
  for (const whisper of [false, true])
    for (const role of ['VILLAGER', 'SEER', 'MEDIUM', 'BODYGUARD', 'WEREWOLF', 'POSSESSED', 'FREEMASON'])
      for (const about of [0, 2, 7]) {
        const quick = quickSentences({ me: 2, role, whisper, about, results: [{ verb: 'DIVINED', target: 5, species: 'HUMAN' }] });
        assert.ok(quick.length >= 2 && quick.length <= QUICK_MAX);
        assert.equal(new Set(quick.map((each) => each.text)).size, quick.length);
        if (!whisper) for (const each of quick) assert.doesNotMatch(each.text, /ATTACK/);
      }
  const seer = quickSentences({ me: 2, role: 'SEER', whisper: false, about: 7, results: [{ verb: 'DIVINED', target: 5, species: 'WEREWOLF' }] });
  assert.equal(seer[0]?.text, 'COMINGOUT Agent[02] SEER');
  assert.equal(seer[1]?.text, 'DIVINED Agent[05] WEREWOLF');
});
