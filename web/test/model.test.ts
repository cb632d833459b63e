// model.test.ts - the table at each event, rows of the log, matrices: what holds for any game.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GameDoc, GameEvent } from '../src/doc.ts';
import { docTrouble } from '../src/doc.ts';
import { ballots, cellKey, claimsAt, stancesAt } from '../src/matrices.ts';
import { Course, tally } from '../src/model.ts';
import { growRows, rowAt, type Row } from '../src/rows.ts';
import { seatView } from '../src/seat_view.ts';
import { madeDoc } from './made.mjs';

const games = [
  madeDoc({ players: 15, days: 6, seed: 3 }), madeDoc({ players: 5, days: 4, seed: 5 }), madeDoc({ players: 18, days: 7, seed: 4, division: 'nlp' }),
  madeDoc({ players: 15, days: 40, seed: 6, turns: 2 }), madeDoc({ players: 13, days: 5, seed: 9, division: 'nlp', lang: 'ja', turns: 14 }),
];

function small(events: Omit<GameEvent, 'n' | 'a'>[], phases: GameDoc['phases'] = []): GameDoc {
  return {
    format: 'warg-game', version: 1, id: 'small', division: 'protocol', lang: 'aiwolf', status: 'finished', view: { kind: 'all' },
    source: { form: 'aiwolf-log', name: 'small.log' }, rules: { name: 'aiwolf-2021', players: 5, talk: 'turns' },
    seats: [1, 2, 3, 4, 5].map((seat) => ({ seat, name: `Agent[0${seat}]` })), phases, events: events.map((event, n) => ({ n, a: `e${n}`, ...event })),
  };
}

test('a jump gives the same table as walking there', () => {
  for (const doc of games) {
    const walked = new Course(doc);
    const jumped = new Course(doc);
    const tables = doc.events.map((_, n) => walked.tableAt(n));
    for (let i = 0; i < 200; i++) {
      const n = (i * 7919) % doc.events.length;
      assert.deepEqual(jumped.tableAt(n), tables[n], `${doc.id} at ${n}`);
    }
    assert.deepEqual(jumped.tableAt(doc.events.length + 50), tables[tables.length - 1]);
  }
});

test('before the first event everybody lives', () => {
  for (const doc of games) {
    const table = new Course(doc).tableAt(-1);
    assert.equal(table.alive, doc.seats.length);
    assert.equal(table.n, -1);
  }
});

test('a table is the caller’s own: changing it changes no other', () => {
  const doc = games[0] as GameDoc;
  const course = new Course(doc);
  const before = course.tableAt(600 % doc.events.length);
  const table = course.tableAt(600 % doc.events.length);
  for (const seat of table.seats) seat.alive = false;
  table.arrows.length = 0;
  assert.deepEqual(course.tableAt(600 % doc.events.length), before);
});

test('a document that grows event by event tells the same as the whole', () => {
  for (const doc of games) {
    const part = new Course({ ...doc, events: doc.events.slice(0, 40), phases: doc.phases.filter((phase) => phase.first < 40), seats: [...doc.seats] });
    const rows: Row[] = [];
    growRows(rows, part);
    for (let n = 40; n < doc.events.length; n += 7) {
      const end = Math.min(n + 7, doc.events.length);
      assert.ok(part.append(doc.events.slice(n, end), doc.phases.filter((phase) => phase.first >= n && phase.first < end), []));
      growRows(rows, part);
    }
    const whole = new Course(doc);
    const wanted: Row[] = [];
    growRows(wanted, whole);
    assert.deepEqual(rows, wanted);
    for (const n of [41, 300, doc.events.length - 1]) assert.deepEqual(part.tableAt(n), whole.tableAt(n));
    assert.equal(part.append([{ ...(doc.events[0] as GameEvent), n: 3 }], [], []), false, 'a gap is told');
  }
});

test('each event lies in one row, in order, and a moment’s row is found', () => {
  for (const doc of games) {
    const course = new Course(doc);
    const rows: Row[] = [];
    growRows(rows, course);
    let next = 0;
    for (const row of rows) {
      assert.equal(row.first, next);
      next = row.last + 1;
    }
    assert.equal(next, doc.events.length);
    for (let n = 0; n < doc.events.length; n += 13) {
      const row = rows[rowAt(rows, n)] as Row;
      assert.ok(row.first <= n && n <= row.last);
    }
    assert.equal(rowAt(rows, -1), -1);
  }
});

test('the silent of a turn are one row, and nobody stands twice in it', () => {
  const quiet = (seat: number): Omit<GameEvent, 'n' | 'a'> => ({ kind: 'talk', day: 1, seat, text: 'Over', quiet: 'over' });
  const rows: Row[] = [];
  growRows(rows, new Course(small([{ kind: 'day', day: 1 }, quiet(1), quiet(2), quiet(3), quiet(1), { kind: 'talk', day: 1, seat: 4, text: 'VOTE Agent[01]' }, quiet(5)])));
  assert.deepEqual(rows.map((row) => [row.kind, row.first, row.last]), [['head', 0, 0], ['quiet', 1, 3], ['quiet', 4, 4], ['talk', 5, 5], ['quiet', 6, 6]]);
});

test('unknown kinds are one row that counts them', () => {
  const odd = (kind: string) => ({ kind: kind as GameEvent['kind'], day: 1 });
  const rows: Row[] = [];
  growRows(rows, new Course(small([odd('day'), odd('weather'), odd('weather'), odd('moonrise'), odd('night')])));
  assert.deepEqual(rows.map((row) => row.kind), ['head', 'unknown', 'head']);
});

test('a later vote of a voter replaces the earlier one, and a new ballot takes the old away', () => {
  const vote = (seat: number, target: number, round: number): Omit<GameEvent, 'n' | 'a'> => ({ kind: 'vote', day: 1, seat, target, round });
  const course = new Course(small([vote(1, 2, 0), vote(3, 2, 0), vote(1, 3, 0), vote(4, 5, 1)]));
  assert.deepEqual(tally(course.tableAt(2).arrows).map((count) => [count.target, count.voters]), [[2, [3]], [3, [1]]]);
  assert.deepEqual(course.tableAt(3).arrows.map((arrow) => [arrow.from, arrow.to]), [[4, 5]]);
});

test('all that share the most votes are the top', () => {
  const counts = tally([{ from: 1, to: 3 }, { from: 2, to: 4 }, { from: 3, to: 4 }, { from: 4, to: 3 }, { from: 5, to: 1 }]);
  assert.deepEqual(counts.map((count) => [count.target, count.top]), [[3, true], [4, true], [1, false]]);
  assert.deepEqual(tally([]), []);
});

test('an execution and a death take a seat away once', () => {
  const course = new Course(small([{ kind: 'execute', day: 1, seat: 2 }, { kind: 'death', day: 2, seat: 3, cause: 'attacked' }, { kind: 'death', day: 2, seat: 3, cause: 'attacked' }]));
  const table = course.tableAt(2);
  assert.equal(table.alive, 3);
  assert.equal(table.seats[2]?.cause, 'executed');
  assert.equal(table.seats[3]?.cause, 'attacked');
});

test('an unknown anchor goes to the nearest earlier day', () => {
  const doc = games[0] as GameDoc;
  const course = new Course(doc);
  assert.equal(course.at('d2w99'), course.at('d2'));
  assert.equal(course.at('d99t1'), course.at(`d${Math.max(...doc.events.map((event) => event.day))}`));
  assert.equal(course.at('nonsense'), 0);
  assert.equal(course.event(course.at('d2v0.3'))?.a, 'd2v0.3');
});

test('keys for days and for the same seat stay inside the game', () => {
  for (const doc of games) {
    const course = new Course(doc);
    for (let n = 0; n < doc.events.length; n += 31) {
      for (const step of [-1, 1] as const) {
        const day = course.otherDay(n, step);
        assert.ok(day >= 0 && day < doc.events.length);
        const same = course.sameSeat(n, step);
        if (same >= 0) assert.equal(course.event(same)?.seat, course.event(n)?.seat);
      }
    }
  }
});

test('claims hold what was said, mark who contradicts whom, and nothing of later moments', () => {
  const doc = small([
    { kind: 'talk', day: 1, seat: 1, text: '', says: [{ kind: 'COMINGOUT', target: 1, role: 'SEER' }] },
    { kind: 'talk', day: 1, seat: 2, text: '', says: [{ kind: 'COMINGOUT', target: 2, role: 'SEER' }] },
    { kind: 'talk', day: 1, seat: 1, text: '', says: [{ kind: 'DIVINED', target: 3, species: 'WEREWOLF' }] },
    { kind: 'talk', day: 1, seat: 2, text: '', says: [{ kind: 'DIVINED', target: 3, species: 'HUMAN' }] },
    { kind: 'talk', day: 1, seat: 2, text: '', says: [{ kind: 'DIVINED', target: 3, species: 'WEREWOLF' }] },
    { kind: 'talk', day: 1, seat: 4, text: '', says: [{ kind: 'COMINGOUT', target: 5, role: 'SEER' }] },
  ]);
  assert.equal(claimsAt(doc, 2).disputed.size, 0);
  const claims = claimsAt(doc, 3);
  assert.deepEqual([...claims.disputed], [3]);
  assert.deepEqual(claims.judges.map((judge) => [judge.seat, judge.role]), [[1, 'SEER'], [2, 'SEER']]);
  assert.deepEqual([...claimsAt(doc, 5).contrary], [cellKey(2, 3)]);
  assert.equal(claimsAt(doc, 5).claimed.has(4), false, 'what is said of others is no claim of one’s own');
  assert.equal(claimsAt(doc, 0).verdicts.size, 0);
});

test('stances hold the last thing that one said or did about another', () => {
  const doc = small([
    { kind: 'talk', day: 1, seat: 1, text: '', says: [{ kind: 'ESTIMATE', target: 2, role: 'WEREWOLF' }] },
    { kind: 'vote', day: 1, seat: 1, target: 2, round: 0 },
    { kind: 'talk', day: 2, seat: 1, text: '', says: [{ kind: 'DIVINED', target: 2, species: 'HUMAN' }] },
  ]);
  const kind = (n: number): string | undefined => stancesAt(doc, n).get(cellKey(1, 2))?.kind;
  assert.deepEqual([kind(0), kind(1), kind(2)], ['suspects', 'voted', 'human']);
});

test('ballots are columns in their order, attack votes and second rounds by themselves', () => {
  for (const doc of games) {
    const columns = ballots(doc, doc.events.length - 1);
    const votes = doc.events.filter((event) => event.kind === 'vote' || event.kind === 'attack_vote').length;
    assert.equal(columns.reduce((sum, column) => sum + column.votes.size, 0), votes);
    assert.equal(ballots(doc, -1).length, 0);
  }
});

test('a view of one seat has no role and no event that the seat was not told', () => {
  for (const doc of games)
    for (const seat of [0, ...doc.seats.map((each) => each.seat)]) {
      const view = seatView(doc, seat);
      view.events.forEach((event, n) => assert.equal(event.n, n));
      assert.ok(view.events.every((event) => event.to === undefined));
      const known = doc.events.filter((event) => event.to === undefined || event.to.includes(seat)).map((event) => event.a);
      assert.deepEqual(view.events.map((event) => event.a), known);
      for (const each of view.seats) if (each.role && each.seat !== seat) assert.ok(doc.seats.find((other) => other.seat === each.seat)?.role_to?.includes(seat));
      if (seat === 0) assert.ok(view.seats.every((each) => each.role === undefined));
      assert.equal(view.belief, undefined);
      for (const phase of view.phases) assert.ok(view.events[phase.first]);
      assert.ok(view.phases.every((phase, i) => i === 0 || phase.first > (view.phases[i - 1]?.first ?? -1)));
    }
});

test('a document of another kind or version is refused with a sentence', () => {
  assert.equal(docTrouble(games[0]), null);
  for (const bad of [null, 7, [], {}, { format: 'warg-game', version: 2 }, { ...games[0], events: {} }, { ...games[0], seats: [] }, { ...games[0], rules: null }])
    assert.match(docTrouble(bad) ?? '', /\.$/);
  assert.match(docTrouble({ format: 'warg-game', version: 2 }) ?? '', /version 2/);
});
