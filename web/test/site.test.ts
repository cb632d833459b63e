// site.test.ts - pure pieces of the contest site's pages: addresses, dates over zones, orders, lots, the
// tree of a ledger, reports, drafts, words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lang } from '../src/settings.ts';
import { fieldOf, taken, ApiError } from '../src/site/ask.ts';
import { courseOf, momentIn, nextDate, offsetAt, wallIn } from '../src/site/dates.ts';
import { diffLines, shortDiff } from '../src/site/diff.ts';
import { pauseOf } from '../src/site/loaded.ts';
import { isLot, lotEntry, lotFile, lotInText } from '../src/site/lot.ts';
import { base64, bytesOfHex, checkpointOf, hex, rootOf } from '../src/site/merkle.ts';
import { landing } from '../src/site/pages/Invite.tsx';
import { entryText } from '../src/site/pages/Ledger.tsx';
import { backTo } from '../src/site/pages/Login.tsx';
import { neighbours } from '../src/site/pages/OrganiseState.tsx';
import { rankingsOf } from '../src/site/pages/Sheet.tsx';
import { gamesApart } from '../src/site/pages/Standings.tsx';
import { evidenceText } from '../src/site/pages/TeamFindings.tsx';
import { whyText } from '../src/site/pages/TeamVersions.tsx';
import { isClosed, lotStages } from '../src/site/pages/TeamLots.tsx';
import { isWhole, moveTo, orderOf, place, placeAt, ranksOf, takeBack } from '../src/site/ranking.ts';
import { figuresOf, goesOn, lacksFile, sumOf, verdictOf } from '../src/site/report.ts';
import { pathTo, placeOf } from '../src/site/route.ts';
import { scoreSides } from '../src/site/scores.ts';
import type { Contest, Me, Sheet, Version } from '../src/site/shapes.ts';
import { sizeText } from '../src/site/size.ts';
import { nextSteps } from '../src/site/steps.ts';
import { fileTrouble, languageOf } from '../src/site/upload.ts';
import { both, table, wordOf } from '../src/site/words.ts';
import { badReport, goodReport } from './mock_site.ts';

test('an address means one page, and no other address does', () => {
  const said = (path: string): string => Object.values(placeOf(path)).join(' ').trim();
  assert.equal(said('/'), 'home');
  assert.equal(said('/cup'), 'contest cup');
  assert.equal(said('/cup/'), 'contest cup');
  assert.equal(said('/cup/team/wool_100%25'), 'team cup wool_100%');
  assert.equal(said('/cup/team/%'), 'team cup %');
  assert.equal(said('/cup/judge'), 'judge cup');
  assert.equal(said('/cup/judge/12'), 'sheet cup 12');
  assert.equal(said('/reset'), 'reset');
  assert.equal(said('/reset/abc'), 'reset  abc');
  for (const path of ['/Cup', '/c', '/cup/nothing', '/cup/team', '/cup/team/a/b', '/login/x', '/reset/a/b', '/../cup', `/${'a'.repeat(33)}`]) assert.equal(placeOf(path).page, 'missing', path);
  assert.equal(pathTo('cup', 'team', 'wool_100%'), '/cup/team/wool_100%25');
  assert.equal(placeOf(pathTo('cup', 'team', 'a/b ?#')).id, 'a/b ?#');
});

test('after a login one comes back to this site and to no other', () => {
  const to = (text: string): string => backTo(new URLSearchParams({ to: text }));
  assert.equal(to('/cup/team/a'), '/cup/team/a');
  for (const bad of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '', '/login?to=/login', '/a b']) assert.equal(to(bad), '/', bad);
});

test('a moment in a zone: also at 24:00, and where clocks change', () => {
  const iso = (zone: string, wall: string): string => new Date(momentIn(zone, wall)).toISOString();
  assert.equal(iso('Asia/Tokyo', '2027-07-21T24:00'), '2027-07-21T15:00:00.000Z');
  assert.equal(iso('Europe/Berlin', '2027-03-28T01:59'), '2027-03-28T00:59:00.000Z');
  assert.equal(iso('Europe/Berlin', '2027-03-28T03:00'), '2027-03-28T01:00:00.000Z');
  assert.equal(iso('America/New_York', '2027-11-07T00:30'), '2027-11-07T04:30:00.000Z');
  assert.ok(Number.isNaN(momentIn('Asia/Tokyo', '')) && Number.isNaN(momentIn('Asia/Tokyo', '21 July')));
  assert.equal(offsetAt('Asia/Tokyo', 0), 9 * 3_600_000);
  for (const zone of ['Asia/Tokyo', 'Europe/Berlin', 'America/St_Johns', 'UTC'])
    for (let day = 0; day < 366; day += 5) {
      const ms = Date.UTC(2027, 0, 1, 12, 30) + day * 86_400_000;
      assert.equal(momentIn(zone, wallIn(zone, ms)), ms, `${zone} ${day}`);
    }
});

const contest = (state: Contest['state'], more: Partial<Contest> = {}): Contest => ({
  name: 'cup', title: { en: 'Cup' }, division: 'protocol', state, dates: { opens: '2027-01-01T00:00:00Z', submission_closes: '2027-02-01T00:00:00Z', preliminary: '2027-02-02T00:00:00Z', preliminary_stops: '2027-02-09T00:00:00Z', revision_closes: '2027-03-01T00:00:00Z', final_stops: '2027-03-10T00:00:00Z', appeals_close: '2027-03-20T00:00:00Z' }, ...more,
});

test('the course of a contest has what it has, and knows what is next', () => {
  assert.deepEqual(courseOf(contest('OPEN')).map((step) => step.state), ['OPEN', 'FROZEN', 'PRELIMINARY', 'REVISION', 'FINAL', 'APPEALS', 'PUBLISHED']);
  assert.deepEqual(courseOf(contest('OPEN', { tracks: [{ name: 'turn5' }], dates: { opens: '2027-01-01T00:00:00Z' }, stages: [] })).map((step) => step.state), ['OPEN', 'FROZEN', 'FINAL', 'JUDGING', 'APPEALS', 'PUBLISHED']);
  const now = Date.parse('2027-02-03T00:00:00Z');
  assert.equal(nextDate(contest('PRELIMINARY'), now)?.date, 'preliminary_stops');
  assert.equal(nextDate(contest('CANCELLED'), now), undefined);
  assert.equal(courseOf(contest('APPEALS')).find((step) => step.state === 'APPEALS')?.date, 'final_stops');
  assert.deepEqual(neighbours(contest('REVISION')), { next: 'FINAL', before: 'PRELIMINARY' });
  assert.deepEqual(neighbours(contest('DRAFT')), { next: 'OPEN', before: undefined });
  assert.deepEqual(neighbours(contest('CANCELLED')), { next: undefined, before: undefined });
});

test('what one can do now depends on the state and on who one is', () => {
  const nobody = { team: '', captain: false, judge: false, organiser: false };
  const words = (state: Contest['state'], who = nobody, loggedIn = false): string => nextSteps(contest(state), who, loggedIn).map((step) => step.word).join(' ');
  assert.equal(words('OPEN'), 'stepRegister navLogin');
  assert.equal(words('OPEN', nobody, true), 'stepTeam');
  assert.equal(words('OPEN', { ...nobody, team: 'owls' }, true), 'stepUpload');
  assert.equal(words('REVISION', { ...nobody, team: 'owls' }, true), 'stepDocuments stepUpload stepStandings');
  assert.equal(words('JUDGING', { ...nobody, judge: true }, true), 'stepJudge stepStandings');
  assert.equal(words('PUBLISHED', { ...nobody, organiser: true }, true), 'stepStandings stepCheck tabOrganise');
  assert.equal(words('FROZEN'), '');
});

test('a judge puts players in order: each once, none lost', () => {
  const names = ['a', 'b', 'c', 'd'];
  let order = orderOf(names, undefined);
  assert.deepEqual(order, { placed: [], rest: names });
  for (const name of ['c', 'a', 'c', 'zz', 'b']) order = place(order, name);
  assert.deepEqual(order, { placed: ['c', 'a', 'b'], rest: ['d'] });
  order = moveTo(order, 'b', 0);
  assert.deepEqual(moveTo(order, 'b', -5).placed, ['b', 'c', 'a']);
  assert.deepEqual(moveTo(order, 'b', 99).placed, ['c', 'a', 'b']);
  assert.equal(moveTo(order, 'd', 0), order);
  order = takeBack(order, 'a', names);
  assert.deepEqual(order, { placed: ['b', 'c'], rest: ['a', 'd'] });
  assert.ok(!isWhole(order));
  assert.deepEqual(ranksOf(order), { b: 1, c: 2 });
  assert.deepEqual(orderOf(names, { c: { rank: 2 }, b: { rank: 1 }, gone: { rank: 3 } }).placed, ['b', 'c']);
  assert.deepEqual([placeAt(5, [10, 20]), placeAt(15, [10, 20]), placeAt(25, [10, 20]), placeAt(1, [])], [0, 1, 2, 0]);
  // Any walk keeps all names.
  let walk = orderOf(names, undefined);
  for (let i = 0; i < 500; i++) {
    const name = names[(i * 7) % 4] as string;
    walk = i % 3 === 0 ? place(walk, name) : i % 3 === 1 ? moveTo(walk, name, (i * 5) % 6 - 1) : i % 5 === 0 ? takeBack(walk, name, names) : walk;
    assert.deepEqual([...walk.placed, ...walk.rest].sort(), names);
  }
});

test('sides of scores are people and each model with a rating, best first', () => {
  const row = (team: string, score: number, place: number) => ({ team, score, place });
  const model = 'm-1';
  const sides = scoreSides({
    criteria: {
      B: { alpha: { people: 0.5 }, w: 0.4, people: [row('a', 0.2, 1), row('b', 0.8, 2)], models: [{ model, tau: 0.1, repeat_w: 1, position: 0, kept_out: true, teams: [row('b', 0.1, 1)] }, { model: 'demo', teams: null }] },
      A: { people: null },
    },
    totals: { people: [{ team: 'b', total: 2, place: 2 }, { team: 'a', total: 1, place: 1 }], models: [] },
  });
  assert.deepEqual(sides.map((side) => [side.key, side.model, side.teams.map((each) => each.team).join('')]), [['', undefined, 'ab'], ['1', model, 'b']]);
  assert.deepEqual(sides[0]?.criteria.map((each) => [each.letter, each.alpha, each.w, each.teams.length]), [['A', null, null, 0], ['B', 0.5, 0.4, 2]]);
  assert.equal(sides[1]?.criteria[1]?.keptOut, true);
});

test('what is sent of a sheet has ranks or scores, and reasons only where there are some', () => {
  const sheet = { names: ['a', 'b'], scale: 'rank' } as Sheet;
  assert.deepEqual(rankingsOf(sheet, { order: { placed: ['b'], rest: ['a'] }, scores: { a: 3 }, reasons: { a: 'why', b: '' } }), { a: { reason: 'why' }, b: { rank: 1 } });
  assert.deepEqual(rankingsOf({ ...sheet, scale: 'score' }, { order: { placed: ['b'], rest: ['a'] }, scores: { a: 3 }, reasons: {} }), { a: { score: 3 } });
});

test('a lot and its entry are those of the specification (B.1)', async () => {
  const lot = new Uint8Array(32);
  const entry = 'e93e2ca2bdba43297f9d3d7fb537877d597228e4953e4aedb3dd737fb46f42d7';
  assert.equal(await lotEntry('alice', lot), entry);
  assert.ok(await isLot('alice', '0'.repeat(64), entry));
  assert.ok(!(await isLot('bob', '0'.repeat(64), entry)) && !(await isLot('alice', '0'.repeat(62), entry)) && !(await isLot('alice', 'no', entry)));
  const file = lotFile('cup', 'alice', 'preliminary', lot, entry);
  assert.equal(lotInText(file), '0'.repeat(64));
  assert.equal(lotInText(`  ${'A'.repeat(64)}  `), 'a'.repeat(64));
  assert.equal(lotInText('nothing'), '');
  assert.ok(!isClosed('OPEN', 'preliminary') && isClosed('FROZEN', 'preliminary') && !isClosed('REVISION', 'final') && isClosed('FINAL', 'final') && isClosed('JUDGING', 'evaluation'));
  assert.deepEqual(lotStages([{ name: 'final' }], true), ['final', 'evaluation']);
});

test('the root of a ledger is the one of RFC 9162 (B.3), and a checkpoint is read', async () => {
  assert.equal(hex(await rootOf(['a', 'b', 'c'])), '36642e73c2540ab121e3a6bf9545b0a24982cd830eb13d3cd19de3ce6c021ec1');
  assert.equal(hex(await rootOf([])), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  const note = 'example.org/warg/cup2027\n3\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n\n— example.org/warg/cup2027 YNnE\n';
  assert.deepEqual(checkpointOf(note), { origin: 'example.org/warg/cup2027', size: 3, root: base64(await rootOf(['a', 'b', 'c'])) });
  for (const bad of ['', 'x\n3\nshort\n\n', 'x\n-1\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n\n', note.replace('\n\n', '\n')]) assert.equal(checkpointOf(bad), null);
  assert.equal(bytesOfHex('0g'), null);
  const roots = new Set<string>();
  for (let n = 1; n < 40; n++) roots.add(hex(await rootOf(Array.from({ length: n }, (_, i) => String(i)))));
  assert.equal(roots.size, 39);
});

test('what changes between two files is told line by line, and both can be had from it', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh';
  const after = 'a\nb\nX\nd\ne\nf\nh\ni';
  const lines = diffLines(before, after);
  assert.equal(lines.filter((line) => line.kind !== 'in').map((line) => line.text).join('\n'), before);
  assert.equal(lines.filter((line) => line.kind !== 'out').map((line) => line.text).join('\n'), after);
  assert.deepEqual(lines.filter((line) => line.kind !== 'same').map((line) => line.kind + line.text), ['outc', 'inX', 'outg', 'ini']);
  assert.ok(shortDiff(diffLines(`${'x\n'.repeat(30)}a`, `${'x\n'.repeat(30)}b`)).length === 5);
  assert.deepEqual(shortDiff(diffLines('a', 'a')), []);
});

test('a report is told by its steps; a version without its file waits for it, not for the server', () => {
  assert.deepEqual(sumOf(goodReport), { failed: 0, warned: 1 });
  assert.deepEqual(badReport.steps.map(verdictOf), ['ok', 'ok', 'ok', 'failed', 'failed', 'skipped']);
  lang.value = 'en';
  assert.match(figuresOf(goodReport.steps[6] as never), /median 0.3 ms · 99 % within 8.7 ms · longest 17.5 ms/);
  assert.match(figuresOf(goodReport.steps[8] as never), /memory 870 MiB of 1 GiB · threads 1 of 64/);
  assert.equal(figuresOf(goodReport.steps[0] as never), '2 files · 4.4 KiB');
  const version = (state: string, sha256?: string): Version => ({ id: '1', number: 1, language: 'java', state, ...(sha256 ? { sha256 } : {}) });
  assert.ok(lacksFile(version('RECEIVED')) && !goesOn(version('RECEIVED')) && goesOn(version('RECEIVED', 'ab')) && goesOn(version('CHECKING')) && !goesOn(version('ACTIVE')));
});

test('what a machine found is told without its brackets, and so is why a version is not good', () => {
  const version: Version = { id: '1', number: 1, language: 'java', state: 'REFUSED' };
  lang.value = 'en';
  assert.equal(evidenceText([{ stage: 'final', seats: [{ seat: 3, won: true }, { seat: 4, won: false }], why: null }]), 'stage final · seats seat 3, won true; seat 4, won false · why null');
  assert.equal(evidenceText('as it is'), 'as it is');
  assert.equal(whyText({ ...version, why: 'check: name' }), 'The check failed at: Name');
  assert.equal(whyText({ ...version, why: 'testing round 1: it crashed' }), 'testing round 1: it crashed');
  const archive = { ...version, why: "entry 'a': is there twice", why_ja: '「a」: 同じものが二つあります' };
  assert.equal(whyText(archive), "entry 'a': is there twice");
  assert.equal(whyText({ ...version, why: 'check: name set' }), 'The check failed at: Name, Set');
  lang.value = 'ja';
  assert.equal(whyText({ ...version, why: 'check: name set' }), 'チェックの「名前」「セット」で不合格');
  assert.equal(whyText(archive), '「a」: 同じものが二つあります');
  assert.equal(whyText({ ...version, why: 'of an older program' }), 'of an older program');
  assert.equal(whyText({ ...version, why: 'check: name' }), 'チェックの「名前」で不合格');
  lang.value = 'en';
});

test('each kind of entry of a season’s ledger has its word, in both languages', () => {
  for (const language of ['en', 'ja'] as const) {
    lang.value = language;
    for (const type of ['contest', 'commit', 'team', 'version', 'state', 'lots', 'freeze', 'key', 'plan', 'cell', 'set', 'game', 'stop', 'out', 'note', 'reveal', 'ranking', 'finding', 'appeal', 'ruling', 'end'])
      assert.notEqual(wordOf('entry_', type), type);
  }
  lang.value = 'en';
});

test('games that are needed to tell two rates apart follow docs/spec/contest-operations.md 8.3', () => {
  assert.equal(gamesApart(0.55, 0.5), 1567);
  assert.equal(gamesApart(0.5, 0.55), 1567);
  assert.equal(gamesApart(0.5, 0.5), undefined);
});

test('a file is judged before it is sent', () => {
  assert.equal(fileTrouble('a.jar', 10, 'java', 100), '');
  assert.equal(fileTrouble('a.zip', 10, 'java', 100), 'fileKind');
  assert.equal(fileTrouble('a.zip', 101, 'python', 100), 'fileLarge');
  assert.equal(fileTrouble('a.zip', 0, 'python', undefined), 'fileEmpty');
  assert.equal(languageOf('X.JAR', ['java']), 'java');
  assert.equal(languageOf('x.zip', ['python', 'native']), '');
  lang.value = 'en';
  assert.deepEqual([17, 1024, 1_234_567, 268_435_456, 1_073_741_824].map(sizeText), ['17 bytes', '1 KiB', '1.2 MiB', '256 MiB', '1 GiB']);
});

test('errors of the API are sentences with their field; anything else is told as an answer that is not understood', () => {
  const trouble = (status: number, text: string): ApiError => {
    try {
      taken(status, text);
    } catch (error) {
      return error as ApiError;
    }
    throw new Error('no error');
  };
  const named = trouble(422, '{"error":{"code":"invalid","text":"Too short.","field":"password"}}');
  assert.deepEqual([named.status, named.code, named.message, fieldOf(named)], [422, 'invalid', 'Too short.', 'password']);
  assert.equal(trouble(502, '<html>').code, 'not-json');
  assert.equal(fieldOf(trouble(500, '{}')), '');
  assert.equal(fieldOf(trouble(500, '{"error":{"field":7}}')), '');
  assert.deepEqual(taken(200, '{"a":1}'), { a: 1 });
  assert.equal(taken(204, ''), null);
  assert.deepEqual([0, 1, 2, 9, 1e9].map(pauseOf), [2000, 4000, 8000, 30000, 30000]);
});

test('a link leads to what it has given', () => {
  const who = (more: Partial<Me>): Me => ({ id: '1', login: 'a', name: 'A', mail: '', language: 'en', csrf: '', teams: [], roles: [], ...more });
  assert.equal(landing(null, who({ teams: [{ contest: 'cup', team: 'o w', captain: false }] })), '/cup/team/o%20w');
  assert.equal(landing(who({}), who({ roles: [{ contest: 'cup', role: 'judge' }] })), '/cup/judge');
  assert.equal(landing(null, who({ admin: true })), '/admin');
  const same = who({ teams: [{ contest: 'cup', team: 'x', captain: true }] });
  assert.equal(landing(same, same), '/');
});

test('an entry of the ledger is short, and all its members are told', () => {
  assert.equal(entryText({ n: 1, at: 5, type: 'game', teams: ['a', 'b'], log: 'ab'.repeat(32), counted: true }), 'teams a, b · log abababababab… · counted true');
  assert.match(entryText({ n: 1, type: 'freeze', teams: Array.from({ length: 9 }, (_, i) => ({ team: `t${i}` })) }), /team t5 …$/);
});

test('every word is in both languages, with the same places', () => {
  for (const [key, [english, japanese]] of Object.entries<readonly [string, string]>(table)) {
    const places = (text: string): string => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join();
    assert.equal(places(english), places(japanese), key);
    assert.ok(key.startsWith('saved_') || (english !== '' && japanese !== ''), key);
  }
  assert.equal(wordOf('state_', 'OPEN'), lang.value === 'ja' ? '参加受付中' : 'open for entries');
  assert.equal(wordOf('state_', 'toString'), 'toString');
  assert.equal(both({ en: 'a' }), 'a');
  assert.equal(both(undefined), '');
});
