// mock_serve.ts - the mock hall on a port, for looking at pages: node it after bundling.
//
// node mock_serve.mjs DIST SPEC PORT [GAME SEAT ASK]: who has the cookie warg_seat_PORT sits there.
import { hall } from './mock_hall.ts';

const [dist = 'dist', spec = '../docs/spec/web', port = '8099', game = 'evening-1', seat = '1', ask = 'talk'] = process.argv.slice(2);
const mock = hall(dist, spec);
mock.seat = { game, seat: Number(seat), room: 'WZXY23', name: 'Ann' };
const table = mock.games.get(game);
const targets = table?.seats.map((_, i) => i + 1).filter((each) => each !== Number(seat) && !table.dead.has(each)) ?? [];
const length = { unit: 'chars', spaces: true, per_talk: 125, base: 30, mention: 20, left: 40, rule: 'longest' };
const asks: Record<string, object[]> = {
  talk: [{ kind: 'talk', left_ms: 60_000, may: ['skip', 'over'], length, turns_left: 4, skips_left: 2 }],
  vote: [{ kind: 'vote', left_ms: 42_000, targets, revote: false, changes: true }],
  divine: [{ kind: 'divine', left_ms: 8_000, targets }],
  both: [{ kind: 'talk', standing: true, left_ms: 90_000, may: [], max_chars: 300 }, { kind: 'vote', left_ms: 90_000, targets, standing: true, withdraw: true }],
  none: [],
};
for (const each of asks[ask] ?? []) table?.ask(Number(seat), { ...each });
if (ask === 'end' && table) mock.endGame(table, 'WEREWOLF');
console.log(await mock.start(Number(port)));
