// mock_hall.ts - a Mock with something of everything in it: tables, rooms, contests, games.
import { readFileSync } from 'node:fs';
import { Mock } from './mock.ts';
import { MockGame } from './mock_game.ts';
import type { GameDoc, GameEvent, Role } from '../src/doc.ts';
import type { Decision, Room } from '../src/shapes.ts';

const english = ['Ann', 'Ben', 'Chloe', 'Dmitri', 'Emi', 'Farah', 'George', 'Hana', 'Ivan', 'Jun', 'Kenji', 'Lea', 'Mio', 'Nadia', 'Otto', 'Pia', 'Quentin', 'Rin'];
const japanese = ['ミナコ', 'シオン', 'アスカ', 'シュンイチ', 'セルヴァス', 'タクミ', 'リン', 'メイ', 'ヴィクトリア', 'ジョージ', 'トシオ', 'ミドリ', 'リュウジ'];

export const seatsOf = (names: string[], roles: Role[]): MockGame['seats'] => {
  const wolves = roles.flatMap((role, i) => (role === 'WEREWOLF' ? [i + 1] : []));
  return names.map((name, i) => ({ name, role: roles[i] as Role, agent: `agent${i + 1}`, ...(roles[i] === 'WEREWOLF' ? { mates: wolves } : {}) }));
};

const five: Role[] = ['SEER', 'WEREWOLF', 'POSSESSED', 'VILLAGER', 'VILLAGER'];

const talk = (day: number, idx: number, seat: number, text: string, more: Partial<GameEvent> = {}) => ({ a: `d${day}t${idx}`, kind: 'talk' as const, day, seat, turn: Math.floor(idx / 5), idx, text, ...more });

/** A table of five at day 1, in English; seat 1 is a person's, the seer. */
export function tableOfFive(id = 'evening-1'): MockGame {
  const game = new MockGame(id, 'nlp', 'en', seatsOf(english.slice(0, 5), five), 'nlp-turn');
  game.phase('dawn', false);
  game.add({ a: 'd0', kind: 'day', day: 0 });
  game.phase('divine', true);
  game.add({ a: 'd0div', kind: 'divine', day: 0, seat: 1, target: 2, species: 'WEREWOLF', to: [1] });
  game.day = 1;
  game.phase('dawn', false);
  game.add({ a: 'd1', kind: 'day', day: 1 });
  game.phase('talk', false);
  game.add(
    talk(1, 0, 3, 'Good morning, everybody. Did anybody learn something in the night?'),
    talk(1, 1, 2, 'I am the seer, and Chloe is human.'),
    talk(1, 2, 5, 'Over', { quiet: 'over' }),
    talk(1, 3, 4, '@Ben that was quick. Why Chloe, of all people? I would like to hear a reason before I believe anything.'),
  );
  return game;
}

/** Fifteen programs that speak the protocol language. */
export function tableOfFifteen(id = '000'): MockGame {
  const roles: Role[] = ['VILLAGER', 'VILLAGER', 'SEER', 'MEDIUM', 'BODYGUARD', 'WEREWOLF', 'WEREWOLF', 'WEREWOLF', 'POSSESSED', 'VILLAGER', 'VILLAGER', 'VILLAGER', 'VILLAGER', 'VILLAGER', 'VILLAGER'];
  const game = new MockGame(id, 'protocol', 'aiwolf', seatsOf(roles.map((_, i) => `Agent[${String(i + 1).padStart(2, '0')}]`), roles), 'aiwolf-2021');
  game.phase('dawn', false);
  game.add({ a: 'd0', kind: 'day', day: 0 });
  game.day = 1;
  game.phase('dawn', false);
  game.add({ a: 'd1', kind: 'day', day: 1 });
  game.phase('talk', false);
  game.add(
    talk(1, 0, 3, 'COMINGOUT Agent[03] SEER', { says: [{ kind: 'COMINGOUT', target: 3, role: 'SEER' }], plain: { en: 'claims to be the seer', ja: '占い師だと名乗る' } }),
    talk(1, 1, 9, 'DIVINED Agent[07] HUMAN', { says: [{ kind: 'DIVINED', target: 7, species: 'HUMAN' }], plain: { en: 'divined 7: human', ja: '7を占って人間だった' } }),
    ...[1, 2, 4, 5, 6, 8].map((seat, i) => talk(1, 2 + i, seat, 'Skip', { quiet: 'skip' as const })),
  );
  game.phase('vote', false);
  game.add(...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map((seat) => ({ a: `d1v0.${seat}`, kind: 'vote' as const, day: 1, seat, target: seat === 9 ? 3 : seat % 3 ? 9 : 7, round: 0 })));
  game.add({ a: 'd1x', kind: 'execute', day: 1, seat: 9 });
  game.phase('night', true);
  game.add({ a: 'd1n', kind: 'night', day: 1 });
  game.add({ a: 'd1av0.6', kind: 'attack_vote', day: 1, seat: 6, target: 3, round: 0, to: [6, 7, 8] });
  game.day = 2;
  game.phase('dawn', false);
  game.add({ a: 'd2', kind: 'day', day: 2 }, { a: 'd2m3', kind: 'death', day: 2, seat: 3, cause: 'attacked' });
  game.phase('talk', false);
  game.add(talk(2, 0, 4, 'IDENTIFIED Agent[09] HUMAN', { says: [{ kind: 'IDENTIFIED', target: 9, species: 'HUMAN' }], plain: { en: 'identified 9: human', ja: '9は霊媒結果で人間' } }));
  return game;
}

function tableAtNight(id: string, names: string[], lang: 'ja' | 'en'): MockGame {
  const roles = names.map<Role>((_, i) => (i === 0 ? 'SEER' : i < 3 ? 'WEREWOLF' : 'VILLAGER'));
  const game = new MockGame(id, 'nlp', lang, seatsOf(names, roles), 'nlp-turn');
  game.day = 2;
  game.phase('dawn', false);
  game.add({ a: 'd2', kind: 'day', day: 2 }, { a: 'd2m4', kind: 'death', day: 2, seat: 4, cause: 'attacked' });
  game.phase('talk', false);
  game.add(talk(2, 0, 1, lang === 'ja' ? '昨日の投票の理由を聞かせてください。沈黙は村の利になりません。' : 'Tell me why you voted as you did.'));
  game.add({ a: 'd2x', kind: 'execute', day: 2, seat: 6 });
  game.phase('night', true);
  game.add({ a: 'd2n', kind: 'night', day: 2 });
  return game;
}

const thoughts = ['The quiet one worries me more than the loud one.', 'If 2 is the wolf, then 3 is covering. I should not say so yet.', 'I have no result today; I will ask a question instead.'];

function mindOf(id: string) {
  const decisions: Decision[] = Array.from({ length: 24 }, (_, i) => ({
    seat: 1 + (i % 5), t_ms: i * 7300, a: `d1t${i}`, task: i % 6 === 5 ? 'vote' : 'speak', source: i % 7 === 3 ? 'repaired' : i % 11 === 10 ? 'fallback' : 'model', action: i % 6 === 5 ? 'vote' : i === 22 ? 'listen' : 'speak',
    message: i % 6 === 5 || i === 22 ? '' : 'Why did you vote for me yesterday?', ...(i % 6 === 5 ? { target: 1 + ((i * 3) % 5) } : {}), thought: thoughts[i % 3] as string,
    raw: `{"thought":"${thoughts[i % 3]}","say":"Why did you vote for me yesterday?"}`, latency_ms: 800 + ((i * 977) % 5200), requests: 1, prompt_tokens: 1800 + i * 40,
    answer_tokens: 60 + i, cost: 0.0004, prompt: i, ...(i % 9 === 8 ? { trouble: 'The reply was no JSON; asked once more.' } : {}),
  }));
  return {
    format: 'warg-mind', version: 1, game: id, players: 5, currency: 'USD', decisions,
    seats: english.slice(0, 5).map((name, i) => ({ seat: i + 1, name, model: i % 2 ? 'small-model-7b' : 'other-large-model-2026-05' })),
    opinions: Array.from({ length: 20 }, (_, i) => ({ seat: 1 + (i % 5), t_ms: i * 8000, a: `d1t${i}`, target: 1 + ((i + 1 + (i % 3)) % 5), sure: (35 + i * 17) % 101, lines: i })),
    prompts: [1, 2, 3, 4, 5].map((seat) => ({
      seat, lines: decisions.filter((each) => each.seat === seat).map((each, i, all) => {
        const asked = { role: 'user', content: `Day 1, turn ${each.prompt}. What do you say?` };
        const guide = { role: 'system', content: 'You play Werewolf. You are Ann, the seer.' };
        const before = all[i - 1]?.prompt;
        return before === undefined ? { prompt: each.prompt ?? 0, messages: [guide, asked] } : { prompt: each.prompt ?? 0, as: before, same: 1, messages: [asked] };
      }),
    })),
  };
}

/** `spec`: the folder with the two published documents. */
export function hall(dist: string, spec: string): Mock {
  const mock = new Mock(dist);
  const read = (name: string): GameDoc => JSON.parse(readFileSync(`${spec}/${name}`, 'utf8'));
  mock.finished.set('jsai2026_truck5_game1', { all: read('game-all.json'), public: read('game-public.json') });
  mock.addGame(tableOfFive());
  mock.addGame(tableOfFifteen());
  mock.addGame(tableAtNight('inlg-night', japanese, 'ja'));
  mock.addGame(tableAtNight('eighteen', english, 'en'));
  const now = Date.now();
  mock.rows = [
    { id: 'evening-1', division: 'nlp', rules: 'nlp-turn', players: 5, began_ms: now - 600_000, status: 'running' },
    { id: 'jsai2026_truck5_game1', division: 'nlp', rules: 'nlp-turn', players: 5, began_ms: now - 7_200_000, status: 'finished', winner: 'WEREWOLF', days: 3 },
    { id: 'house-2026-11-20.3', division: 'maw', rules: 'house', players: 9, began_ms: now - 90_000_000, status: 'finished', session: 'house-2026-11-20', round: 3 },
    ...Array.from({ length: 12 }, (_, i) => ({
      id: `cup-${String(412 - i).padStart(3, '0')}`, division: 'protocol', rules: 'aiwolf-2021', players: 15, began_ms: now - 100_000_000 - i * 65_000,
      status: i === 4 ? 'aborted' : 'finished', contest: 'cup', stage: 0, game: 412 - i, winner: i % 3 ? ('VILLAGER' as const) : ('WEREWOLF' as const), days: 4 + (i % 3),
    })),
  ];
  mock.contests = [
    { id: 'cup', name: 'Autumn cup', division: 'protocol', played: 412, planned: 1000, complete: false, eta_ms: 3_900_000 },
    { id: 'jsai', name: '人狼知能大会 2026 自然言語部門', division: 'nlp', played: 60, planned: 60, complete: true },
  ];
  const room: Room = {
    code: 'K7MPQR', title: 'Evening table', state: 'open', division: 'nlp', rules: 'nlp-turn', players: 5, people: 4, fill: 'bot', language: 'en', start: 'full',
    names_hidden: false, held: false, games: 0, watching: 3, queue: [], seats: [{ id: 1, name: 'Ann', here: true }, { id: 7, name: 'Guest 7', here: false }],
  };
  mock.rooms.set(room.code, room);
  mock.rooms.set('WZXY23', { ...room, code: 'WZXY23', title: '夜の卓', state: 'playing', language: 'ja', people: 2, game: 'evening-1', queue: [{ id: 9, name: 'ハナ', here: true }], names_hidden: true });
  mock.sessions.set('house-2026-11-20', {
    id: 'house-2026-11-20', rounds: [1, 2, 3, 4].map((round) => ({ round, game: `house-2026-11-20.${round}`, status: round === 4 ? 'running' : 'finished', players: 9, ...(round < 4 ? { winner: 'VILLAGER' as const } : {}) })),
    seats: english.slice(0, 9).map((name, i) => ({ name, agent: `team${i}`, points: [i, 9 - i, (i * 5) % 7, null], total: i + 9 - i + ((i * 5) % 7) })),
  });
  mock.minds.set('evening-1', mindOf('evening-1'));
  // Of eighteen one is a model, with a long name.
  const { decisions } = mindOf('eighteen');
  mock.minds.set('eighteen', {
    format: 'warg-mind', version: 1, game: 'eighteen', players: 18, seats: [{ seat: 17, name: 'Quentin Alexander Featherstonehaugh-Cholmondeley', model: 'other-large-model-2026-05' }],
    decisions: decisions.slice(0, 9).map((each) => ({ ...each, seat: 17 })),
  });
  mock.search = (query) => {
    const q = query.get('q') ?? '';
    if (q === 'nothing') return { hits: [] };
    return {
      total: 61, next: 'x', hits: Array.from({ length: 6 }, (_, i) => ({
        game: i % 2 ? 'jsai2026_truck5_game1' : 'evening-1', a: `d1t${i}`, day: 1, seat: 1 + (i % 5), name: i % 2 ? (japanese[i] as string) : (english[i] as string), kind: 'talk',
        text: i % 2 ? `初日は情報少ないね。${q}の出方を見たい。` : `I would not trust ${q} on the first day; nobody should, and here is a long reason why that is so.`,
      })),
    };
  };
  return mock;
}
