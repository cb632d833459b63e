// mock.ts - a server for tests of pages: what docs/spec/web.md 5 and 6 say, with games by script.
//
// For:    e2e tests, and looking at pages without the program. One process, loopback only.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync, gunzipSync } from 'node:zlib';
import { MockGame, seatOf, type Frame } from './mock_game.ts';
import { MockSocket } from './mock_socket.ts';
import type { GameDoc } from '../src/doc.ts';
import type { ActsData } from '../src/parts/ServerActs.tsx';
import type { ContestRow, GameRow, MindData, Room, SearchData, SessionData } from '../src/shapes.ts';

export const SECRET = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

class HttpError extends Error {
  constructor(readonly status: number, readonly code: string, text: string) {
    super(text);
  }
}

interface Reader {
  socket: MockSocket;
  watches: Map<string, { view: string; sent: string }>;
  rooms: Set<string>;
  home: boolean;
  operator: boolean;
  seat: number; // of the seat's game, by its cookie
  cookie: boolean;
}

export class Mock {
  games = new Map<string, MockGame>();
  finished = new Map<string, { all: GameDoc; public: GameDoc }>();
  rows: GameRow[] = [];
  contests: ContestRow[] = [];
  rooms = new Map<string, Room>();
  sessions = new Map<string, SessionData>();
  minds = new Map<string, MindData>();
  search: (query: URLSearchParams) => SearchData = () => ({ hits: [] });
  open: (bytes: Buffer, name: string) => unknown = () => {
    throw new HttpError(400, 'syntax', 'line 3, column 7: expected a number, found "x"');
  };
  seat: { game: string; seat: number; room: string; name: string } | undefined;
  acts: { path: string; body: unknown }[] = [];
  requests: string[] = [];
  serverActsDone: ActsData = { held: false, left_out: [], acts: [] };
  trouble: { status: number; code: string; text: string } | undefined; // for all of the API
  slowMs = 0;
  down = false; // sockets are refused
  private readers = new Set<Reader>();
  readonly server = createServer((request, response) => void this.serve(request, response));
  port = 0;

  constructor(private dist: string) {
    this.server.on('upgrade', (request, stream) => {
      if (this.down || request.url !== '/web/api/feed') stream.destroy();
      else this.connect(new MockSocket(stream, request), request);
    });
  }

  async start(port = 0): Promise<string> {
    await new Promise<void>((done) => { this.server.listen(port, '127.0.0.1', done); });
    this.port = (this.server.address() as { port: number }).port;
    return `http://127.0.0.1:${this.port}/web/`;
  }

  async stop(): Promise<void> {
    this.cut();
    this.server.closeAllConnections();
    await new Promise((done) => { this.server.close(done); });
  }

  addGame(game: MockGame): MockGame {
    this.games.set(game.id, game);
    game.wrong = (text) => checked(text).error;
    game.changed = () => this.push(game);
    game.told = (seat, frame) => this.tell((reader) => reader.seat === seat && reader.watches.has(game.id), frame);
    return game;
  }

  /** As when the network is gone. */
  cut(): void {
    for (const reader of [...this.readers]) reader.socket.cut();
    this.readers.clear();
  }

  tell(who: (reader: Reader) => boolean, frame: unknown): void {
    for (const reader of this.readers) if (who(reader)) reader.socket.send(frame);
  }

  changeRoom(code: string, change: Partial<Room>): void {
    const room = this.rooms.get(code);
    if (!room) return;
    Object.assign(room, change);
    // Who has no cookie is nobody here.
    const { you: _, ...all } = room;
    this.tell((reader) => reader.rooms.has(code) && !reader.cookie, { type: 'room', ...all });
    this.tell((reader) => reader.rooms.has(code) && reader.cookie, { type: 'room', ...room });
  }

  /** Until somebody with a cookie watches the room. */
  async whenWatched(code: string): Promise<void> {
    while (![...this.readers].some((reader) => reader.cookie && reader.rooms.has(code))) await new Promise((done) => { setTimeout(done, 10); });
  }

  endGame(game: MockGame, winner: 'VILLAGER' | 'WEREWOLF'): void {
    game.phase('end', false);
    game.add({ a: 'end', kind: 'end', day: game.day, winner, humans: 2, wolves: 0 });
    game.status = 'finished';
    this.tell((reader) => reader.watches.has(game.id), { type: 'reveal', game: game.id });
  }

  pushClock(game: MockGame): void {
    const frame = game.clockFrame();
    if (frame) this.tell((reader) => reader.watches.has(game.id), frame);
  }

  private push(game: MockGame): void {
    for (const reader of this.readers) this.catchUp(reader, game);
  }

  private catchUp(reader: Reader, game: MockGame): void {
    const watch = reader.watches.get(game.id);
    if (!watch) return;
    const frame = game.frameAfter(watch.view, watch.sent);
    if (frame === null) {
      reader.watches.delete(game.id);
      reader.socket.send({ type: 'again', game: game.id });
    } else if ((frame.events as unknown[]).length > 0) {
      watch.sent = frame.id as string;
      reader.socket.send(frame);
    }
  }

  private connect(socket: MockSocket, request: IncomingMessage): void {
    const seat = this.seat && /warg_seat/.test(request.headers.cookie ?? '') ? this.seat.seat : 0;
    const reader: Reader = { socket, watches: new Map(), rooms: new Set(), home: false, operator: false, seat, cookie: /warg_seat/.test(request.headers.cookie ?? '') };
    this.readers.add(reader);
    socket.onClose = () => void this.readers.delete(reader);
    socket.onText = (text) => this.hear(reader, JSON.parse(text) as Frame);
  }

  private hear(reader: Reader, message: Frame): void {
    switch (message.type) {
      case 'login':
        reader.operator = message.secret === SECRET;
        return;
      case 'ping':
        reader.socket.send({ type: 'pong', t: message.t, now_ms: Date.now() });
        return;
      case 'unwatch':
        reader.watches.delete(String(message.game));
        return;
      case 'watch': return this.watch(reader, message);
      case 'answer': {
        const game = this.games.get(String(message.game));
        if (game) reader.socket.send(game.answer(reader.seat, message));
        return;
      }
      case 'here':
        this.acts.push({ path: 'here', body: message });
        return;
      default:
    }
  }

  private watch(reader: Reader, message: Frame): void {
    if (message.home === true) reader.home = true;
    if (typeof message.room === 'string') reader.rooms.add(message.room);
    if (typeof message.game !== 'string') return;
    const game = this.games.get(message.game);
    if (!game) {
      reader.socket.send({ type: 'gone', game: message.game, why: 'There is no such game.' });
      return;
    }
    const view = String(message.view);
    reader.watches.set(game.id, { view, sent: String(message.after ?? '') });
    this.catchUp(reader, game);
    const clock = game.clockFrame();
    if (clock) reader.socket.send(clock);
    if (seatOf(view) === reader.seat) for (const ask of game.asks.values()) if (ask.seat === reader.seat) reader.socket.send(game.askFrame(ask));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    try {
      if (url.pathname === '/') return this.redirect(response, '/web/');
      if (url.pathname.startsWith('/web/assets/')) return this.asset(url.pathname.slice(12), response);
      if (url.pathname === '/api/v1/operator/acts') return await this.serverActs(request, response);
      if (url.pathname.startsWith('/web/api/')) return await this.api(request, url, response);
      this.page(response);
    } catch (error) {
      const known = error instanceof HttpError ? error : new HttpError(500, 'mock', String(error));
      this.json(response, { error: { code: known.code, text: known.message } }, known.status);
    }
  }

  private redirect(response: ServerResponse, to: string): void {
    response.writeHead(302, { Location: to }).end();
  }

  private page(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' });
    response.end('<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>warg</title><link rel="icon" href="/web/assets/icon.svg"><link rel="stylesheet" href="/web/assets/app.css"><script type="module" src="/web/assets/app.js"></script></head><body><div id="app"></div></body></html>');
  }

  private asset(name: string, response: ServerResponse): void {
    const bytes = readFileSync(`${this.dist}/${name.replace(/[^a-z0-9.]/g, '')}`);
    response.writeHead(200, { 'Content-Type': types[name.split('.').pop() ?? ''] ?? 'application/octet-stream' }).end(bytes);
  }

  private json(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'Cache-Control': 'no-store', ...headers });
    response.end(gzipSync(JSON.stringify(body)));
  }

  // As serve/operator_desk.h: nothing is done before it is asked for the second time.
  private async serverActs(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== `Bearer ${SECRET}`) throw new HttpError(401, 'token', 'This is for the operator.');
    if (request.method === 'GET') return this.json(response, this.serverActsDone);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { confirm, ...act } = JSON.parse(Buffer.concat(parts).toString()) as ActsData['acts'][number] & { confirm?: string };
    const would = `This would ${act.act} ${act.team ?? act.game ?? ''}`.trim();
    if (confirm !== 'once') return this.json(response, { error: { code: 'confirm', text: 'send it again' }, confirm: 'once', would }, 409);
    this.serverActsDone.acts.unshift({ ...act, by: 'operator', at: '2026-11-26T12:00:00Z' });
    if (act.act === 'hold' || act.act === 'go-on') this.serverActsDone.held = act.act === 'hold';
    if (act.act === 'leave-out') this.serverActsDone.left_out.push(act.team ?? '');
    this.json(response, { done: would });
  }

  private async api(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    const operator = request.headers.authorization === `Bearer ${SECRET}`;
    const [first = '', id = '', rest = ''] = url.pathname.slice(9).split('/').map(decodeURIComponent);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    if (this.slowMs) await new Promise((done) => { setTimeout(done, this.slowMs); });
    if (this.trouble) throw new HttpError(this.trouble.status, this.trouble.code, this.trouble.text);
    if (request.method === 'POST') {
      if (first === 'open') return this.json(response, this.open(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes, url.searchParams.get('name') ?? ''));
      return this.json(response, this.post(first, id, rest, JSON.parse(bytes.toString() || '{}'), operator, response));
    }
    if (first === 'games' && rest === 'doc') return this.doc(response, id, url.searchParams.get('view') ?? 'public', operator, request);
    this.json(response, this.get(first, id, rest, url.searchParams, operator, request));
  }

  private get(first: string, id: string, rest: string, query: URLSearchParams, operator: boolean, request: IncomingMessage): unknown {
    const found = <T>(value: T | undefined): T => {
      if (value === undefined) throw new HttpError(404, 'no-such', 'There is no such thing here.');
      return value;
    };
    if (first === 'home') return this.home(query.get('results') === '1', operator);
    if (first === 'games' && rest === 'mind') return found(this.minds.get(id));
    if (first === 'games') {
      const at = this.rows.findIndex((row) => row.id === query.get('after')) + 1;
      return { games: this.rows.slice(at, at + 100), ...(at + 100 < this.rows.length ? { next: this.rows[at + 99]?.id } : {}) };
    }
    if (first === 'sessions') return found(this.sessions.get(id));
    if (first === 'search') return this.search(query);
    if (first === 'rooms' && id === '') {
      if (!operator) throw new HttpError(401, 'operator', 'This is for operators.');
      return { rooms: [...this.rooms.values()].map((room) => this.roomRow(room)), offers: { divisions: ['nlp', 'protocol', 'maw'], rules: { nlp: ['nlp-turn', 'nlp-anytime'], protocol: ['aiwolf-2021', 'aiwolf-2019'], maw: ['house'] }, fill: ['bot:talker', 'bot:sample', 'llm:small'] } };
    }
    if (first === 'rooms') {
      const { you, ...room } = found(this.rooms.get(id));
      return { ...room, ...(you && /warg_seat/.test(request.headers.cookie ?? '') ? { you } : {}) };
    }
    if (first === 'seat') {
      if (!this.seat || !/warg_seat/.test(request.headers.cookie ?? '')) throw new HttpError(404, 'no-seat', 'This browser has no seat.');
      const room = found(this.rooms.get(this.seat.room));
      const { game, seat: number, name } = this.seat;
      return { ...room, state: 'playing', game, you: { id: 1, name, place: 'seat', playing: true, seat: number, away: false } };
    }
    throw new HttpError(404, 'no-such', 'There is no such address.');
  }

  private roomRow(room: Room): unknown {
    const { code, title, state, division, players, people, game } = room;
    return { code, title, state, division, players, people, seated: (room.seats ?? []).length, queue: (room.queue ?? []).length, ...(game ? { game } : {}) };
  }

  private home(results: boolean, operator: boolean): unknown {
    const live = [...this.games.values()].filter((game) => game.status === 'running').map((game) => ({
      id: game.id, division: game.division, lang: game.lang, rules: game.rules, players: game.seats.length, day: game.day, night: game.night, began_ms: Date.now() - 600_000, over: false,
    }));
    const games = this.rows.slice(0, 50).map(({ winner, days, ...row }) => ({ ...row, ...(results && winner ? { winner, days } : {}) }));
    return { now_ms: Date.now(), operator, open: true, search: true, live, rooms: [...this.rooms.values()].map((room) => this.roomRow(room)), contests: this.contests, games, sessions: [...this.sessions.values()].map((session) => ({ id: session.id, name: session.name ?? session.id, rounds: session.rounds.length, at_ms: Date.now() - 90_000_000 })) };
  }

  private doc(response: ServerResponse, id: string, view: string, operator: boolean, request: IncomingMessage): void {
    const done = this.finished.get(id);
    if (done) return this.json(response, view === 'all' ? done.all : done.public);
    const game = this.games.get(id);
    if (!game) throw new HttpError(404, 'no-game', 'There is no such game.');
    const seat = seatOf(view);
    const own = seat !== undefined && this.seat?.seat === seat && /warg_seat/.test(request.headers.cookie ?? '');
    if (game.status === 'running' && view !== 'public' && !own && !operator) throw new HttpError(403, 'blind', 'This view opens when the game is over.');
    this.json(response, game.doc(view), 200, game.status === 'running' ? { 'X-Warg-Feed': game.feedId(view) } : {});
  }

  private post(first: string, id: string, rest: string, body: Record<string, unknown>, operator: boolean, response: ServerResponse): unknown {
    this.acts.push({ path: [first, id, rest].filter((part) => part !== '').join('/'), body });
    if (first === 'login') {
      if (!operator) throw new HttpError(401, 'secret', 'This is not the secret.');
      return {};
    }
    if (first === 'lang') return { texts: (body.texts as string[]).map(checked) };
    if (first === 'rooms' && id === '') {
      const room = { ...body, code: 'NEWABC', state: 'open', seats: [], queue: [] } as unknown as Room;
      this.rooms.set(room.code, room);
      return room;
    }
    const room = this.rooms.get(id);
    if (first === 'rooms' && room) return this.roomAct(room, rest, body, response);
    if (first === 'games' && operator) return {};
    throw new HttpError(404, 'no-such', 'There is no such address.');
  }

  private roomAct(room: Room, act: string, body: Record<string, unknown>, response: ServerResponse): unknown {
    const seats = room.seats ?? [];
    const queue = room.queue ?? [];
    if (act === 'join') {
      const id = 1 + Math.max(0, ...[...seats, ...queue].map((each) => each.id));
      const name = String(body.name || `Guest ${id}`);
      const waits = seats.length >= room.people || room.state === 'playing';
      response.setHeader('Set-Cookie', `warg_seat_${this.port}=abc; HttpOnly; SameSite=Strict; Path=/web/`);
      this.changeRoom(room.code, waits ? { queue: [...queue, { id, name, here: true }] } : { seats: [...seats, { id, name, here: true }] });
      room.you = { id, name, place: waits ? 'queue' : 'seat', ...(waits ? { before: queue.length } : {}), playing: false };
      return room;
    }
    if (act === 'leave') {
      delete room.you;
      return room;
    }
    if (act === 'hold') this.changeRoom(room.code, { held: body.on === true });
    if (act === 'kick') this.changeRoom(room.code, { seats: seats.filter((each) => each.id !== body.id) });
    if (act === 'start') this.changeRoom(room.code, { state: 'playing' });
    return room;
  }
}

function checked(text: string): { valid: boolean; error?: string; [more: string]: unknown } {
  const good = /^(?:Skip|Over|(?:VOTE|ATTACK|DIVINATION|GUARD|GUARDED|VOTED|ATTACKED) Agent\[\d\d\]|(?:COMINGOUT|ESTIMATE) Agent\[\d\d\] [A-Z]+|(?:DIVINED|IDENTIFIED) Agent\[\d\d\] (?:HUMAN|WEREWOLF)|(?:REQUEST|INQUIRE|BECAUSE|NOT) .*)$/.test(text);
  return good ? { valid: true, canonical: text, plain: { en: `says: ${text}`, ja: `発言：${text}` } } : { valid: false, error: 'column 1: no such word' };
}
