// mock_site.ts - a contest site for tests of its pages: what docs/contest-api.md says, in memory.
//
// For:    e2e tests, and looking at pages without the program. One process, loopback only.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Appeal, Contest, Finding, Job, Report, ScoreTeam, Sheet, State, Team, TrackScores, Version } from '../src/site/shapes.ts';
import { seatView } from '../src/seat_view.ts';
import { momentIn } from '../src/site/dates.ts';
import { madeDoc } from './made.mjs';
import { rootOf, base64 } from '../src/site/merkle.ts';

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

/** As the server writes it: src/api/api_page.c, src/web/assets.c. */
const shell = (app: string): string => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>warg</title><link rel="icon" href="/web/assets/icon.svg"><link rel="stylesheet" href="/web/assets/${app}.css"><script type="module" src="/web/assets/${app}.js"></script></head><body><div id="${app}"></div></body></html>`;

class Refused extends Error {
  constructor(readonly status: number, readonly code: string, text: string, readonly field?: string) {
    super(text);
  }
}

interface Person {
  id: string;
  login: string;
  name: string;
  mail: string;
  password: string;
  language: string;
  admin: boolean;
  roles: { contest: string; role: string }[];
}

interface Site {
  contest: Contest & { file: string };
  teams: Team[];
  ledger: string[];
  jobs: Job[];
  trail: { id: string; at: string; account: string; verb: string; object: string; detail: string }[];
  sheets: Sheet[];
  judge: string;
}

type Asked = { method: string; parts: string[]; query: URLSearchParams; body: Record<string, unknown>; bytes: Buffer; who: Person | null; response: ServerResponse };

export const goodReport: Report = {
  version: 1, verdict: 'passed', level: 'strict', tree: `sha256:${'ab'.repeat(32)}`,
  steps: [
    { step: 'archive', ok: true, verdict: 'ok', ms: 12, files: 2, bytes: 4480 }, { step: 'build', ok: true, verdict: 'ok', ms: 3 }, { step: 'start', ok: true, verdict: 'ok', ms: 41.2 }, { step: 'name', ok: true, verdict: 'ok', ms: 0.1, said: 'owls' },
    { step: 'dialogue', ok: true, verdict: 'ok', ms: 9120, games: 21 }, { step: 'set', ok: true, verdict: 'ok', ms: 21000, games: 40 },
    { step: 'time', ok: true, verdict: 'ok', ms: 0, p50_ms: 0.3, p99_ms: 8.7, max_ms: 17.5, waited_ms: 0, limit_ms: 100, late: 0 }, { step: 'conduct', ok: true, verdict: 'ok', ms: 0 },
    { step: 'resources', ok: true, verdict: 'warning', ms: 0, memory_kib: 890880, memory_limit_kib: 1048576, threads: 1, threads_limit: 64, files: 9, files_limit: 256, output_bytes: 120, output_limit_bytes: 1048576, advice: 'use less memory: keep no past games, and load smaller tables or models' },
    { step: 'repeat', ok: true, verdict: 'ok', ms: 4000, games: 5 },
  ],
  findings: [], warnings: ['peak memory 870 of 1024 MiB'],
};

export const badReport: Report = {
  version: 2, verdict: 'refused', level: 'strict',
  steps: [
    { step: 'archive', ok: true, verdict: 'ok', ms: 10 }, { step: 'build', ok: true, verdict: 'ok', ms: 2 }, { step: 'start', ok: true, verdict: 'ok', ms: 40 },
    { step: 'name', ok: false, verdict: 'failed', ms: 0.1, said: 'owl', advice: 'answer NAME with exactly the name that -n gives' },
    { step: 'conduct', ok: false, verdict: 'failed', ms: 0, advice: 'write no files: keep what you need in memory, and print to standard error', evidence: ['open for writing memo.txt'], output: ['Traceback (most recent call last):', '  File "start.py", line 3, in <module>', 'PermissionError: memo.txt'] },
    { step: 'repeat', ok: false, verdict: 'skipped', ms: 0 },
  ],
  findings: [{ rule: 'write', text: 'open for writing memo.txt', step: 'conduct', game: 3, day: 1 }], warnings: [],
};

const names = ['Minato', 'Mei', 'Shion', 'Toshio', 'Asuka'];
const sheetOf = (id: string, criterion: string, ja: boolean): Sheet => ({
  id, criterion, track: 'turn5', state: 'NEW', scale: 'rank', names, calibration: id === '1',
  text: { en: 'Is what the player says consistent, without contradictions?', ja: '発話の内容は一貫していて、矛盾がないか。' },
  grounds: { en: 'No ground: who won, votes received, execution, survival, amount or length of speech.', ja: '勝敗、得票、追放、生存、発話の量と長さを根拠にしない。' },
  facts: Object.fromEntries(names.map((name, i) => [name, [['Villager', 'Seer', 'Villager', 'Werewolf', 'Possessed'][i] ?? '', 'repeated lines: 0 %']])),
  lines: Array.from({ length: 40 }, (_, i) => ({ line: i + 1, day: 1 + Math.floor(i / 20), kind: i % 20 === 19 ? 'vote' : i % 20 === 0 && i > 0 ? 'gone' : 'talk', speaker: names[i % 5] ?? '', text: i % 20 === 19 ? 'Mei' : i % 20 === 0 && i > 0 ? '' : ja ? `${names[(i + 1) % 5]}さんは昨日と言っていることが違いますね。理由を聞かせてください。` : `I do not think ${names[(i + 1) % 5]} said the same yesterday. Why did you change your mind?` })),
});

const file = `contest: cup
title: {en: "AIWolf Cup", ja: "人狼知能大会"}
division: protocol
stages:
  - {name: preliminary, min_games: 1000, advance: 15}
  - {name: final, min_games: 10000}
`;

function contestOf(name: string, state: State, more: Partial<Contest> = {}): Contest & { file: string } {
  const day = (offset: number): string => new Date(Date.UTC(2030, 3, 1, 15) + offset * 86_400_000).toISOString().replace('.000', '');
  return {
    name, title: { en: name === 'cup' ? 'AIWolf Cup 2030' : `Contest ${name}`, ja: name === 'cup' ? '人狼知能大会 2030' : `大会 ${name}` }, division: 'protocol', state, paused: false, zone: 'Asia/Tokyo', teams: 3, file,
    dates: { opens: '2020-01-01T00:00:00Z', submission_closes: day(0), preliminary: day(1), preliminary_stops: day(15), revision_closes: day(30), final_stops: day(45), appeals_close: day(52) },
    sentence: { en: 'OPEN: waits for submission_closes.', ja: 'OPEN：提出締切を待っています。' },
    register: { approve: false, members: 10, fields: ['affiliation'], public: ['affiliation'] }, submit: { languages: ['java', 'python', 'native'], file_bytes: 3_000_000, tree_bytes: 1_073_741_824, entries: 20_000, versions_per_day: 10 },
    stages: [{ name: 'preliminary', parts: [{ players: 5 }, { players: 15 }], min_games: 1000, advance: 15 }, { name: 'final', parts: [{ players: 5 }, { players: 15 }], min_games: 10_000, require: ['source', 'description'] }],
    publish: { logs: 'own', live: 'standings' }, ...more,
  };
}

const teamOf = (name: string, members: Team['members'], more: Partial<Team> = {}): Team => ({ name, state: 'IN', affiliation: 'University of Owls', members, versions: [], documents: [], lots: [], findings: [], appeals: [], notices: [], ...more });

export class SiteMock {
  people: Person[] = [];
  sites = new Map<string, Site>();
  logins = new Map<string, string>(); // cookie -> account
  requests: string[] = [];
  now = ''; // its clock, of a rehearsal; '' says nothing of it
  unfit: string[] = []; // why the server is not ready
  refuse = 0; // answers with this status, or cuts the connection when negative
  blobs = new Map<string, Buffer>();
  private streams = new Set<ServerResponse>();
  private last = 100;
  readonly server = createServer((request, response) => void this.serve(request, response));
  origin = '';

  constructor(private dist: string) {
    this.addPerson('ann', { roles: [] });
    this.addPerson('org', { roles: [{ contest: 'cup', role: 'organiser' }] });
    this.addPerson('jo', { roles: [{ contest: 'talk', role: 'judge' }] });
    this.addPerson('root', { admin: true });
    const version = (number: number, state: string, more: Partial<Version> = {}): Version => ({ id: String(10 + number), number, language: 'python', entry: 'start.py', note: '', bytes: 1_234_567, sha256: 'ab'.repeat(32), tree: 'cd'.repeat(32), state, at: '2029-12-01T10:00:00Z', ...more });
    const findings: Finding[] = [
      { id: '5', team: 'owls', version: 1, rule: 'write', at: '2029-12-01T11:00:00Z', text: 'open for writing memo.txt', evidence: [{ file: 'logs/003.log', line: 41, sha256: 'ab'.repeat(32) }], state: 'PROPOSED', game: 3, day: 1 },
      { id: '4', team: 'owls', version: 1, rule: 'late', at: '2029-12-01T10:40:00Z', text: '21 late answers in 100 games', state: 'STRIKE' },
    ];
    const owls = teamOf('owls', [{ id: '1', name: 'Ann Owl', captain: true }, { id: '9', name: 'Bo', captain: false }], {
      versions: [version(1, 'ACTIVE', { note: 'first try' }), version(2, 'REFUSED', { why: "entry 'owls/memo.txt': is there twice", why_ja: '「owls/memo.txt」: 同じものが二つあります' })], findings,
      notices: [{ id: '1', kind: 'announcement', subject: 'cup: an announcement', text: 'The preliminary begins a day later.\n', at: '2029-12-01T10:00:00Z' }],
    });
    const cup: Site = {
      contest: contestOf('cup', 'OPEN'), judge: '', sheets: [],
      teams: [owls, teamOf('wool_100%', [{ id: '8', name: 'Cho', captain: true }], { affiliation: 'Sheep Institute', versions: [version(7, 'ACTIVE')] }), teamOf('new-team', [{ id: '7', name: 'Dan', captain: true }], { state: 'WAITING' })],
      ledger: ['{"at":1890000000000,"n":0,"type":"contest","rules":"sha256:abcdef"}', '{"at":1890000000000,"n":1,"stage":"preliminary","type":"commit","value":"90523d8e894e80a73407386095be6cda89f503894db98a9d6b8e911b38ada5e2"}', '{"at":1890000100000,"n":2,"team":"owls","type":"team"}'],
      jobs: [{ id: '01J0000001', kind: 'check', state: 'PUT', tries: 1, created: '2029-12-01T10:00:00Z' }, { id: '01J0000000', kind: 'play', stage: 'testing', state: 'FAILED', tries: 5, created: '2029-12-01T03:00:00Z', ended: '2029-12-01T03:10:00Z', why: 'no cell could be made: no user namespaces' }],
      trail: [{ id: '1', at: '2029-12-01T10:00:00Z', account: 'org', verb: 'change-state', object: 'cup', detail: 'DRAFT to OPEN' }],
    };
    const talk: Site = {
      contest: contestOf('talk', 'JUDGING', { division: 'nlp', title: { en: 'Natural talk', ja: '自然言語部門' }, tracks: [{ name: 'turn5' }, { name: 'turn9' }], stages: [], sentence: { en: 'JUDGING: 3 sheets are missing.', ja: 'JUDGING：シート3枚を待っています。' } }),
      teams: [teamOf('speakers', [{ id: '1', name: 'Ann Owl', captain: true }], { tracks: [{ track: 'turn5', state: 'IN', qualified: 2, needed: 5, url: 'ws://127.0.0.1:8090/ws', open: true, connected: ['speakers1'], closed: { code: 1008, words: 'The server did not accept the agent: mostly a token of another track.', why: 'token', at: '2029-12-01T10:00:00Z' } }] })], ledger: [], jobs: [], trail: [], judge: 'jo', sheets: [sheetOf('1', 'C', false), sheetOf('2', 'C', true), { ...sheetOf('3', 'A', false), scale: 'score' }],
    };
    delete (talk.contest as Partial<Contest>).submit;
    const old: Site = { contest: contestOf('old', 'PUBLISHED', { sentence: { en: 'PUBLISHED: nothing is awaited.' } }), teams: [], ledger: [], jobs: [], trail: [], judge: '', sheets: [] };
    for (const site of [cup, talk, old]) this.sites.set(site.contest.name, site);
  }

  addPerson(login: string, more: Partial<Person> = {}): Person {
    const person = { id: String(this.people.length + 1), login, name: login === 'ann' ? 'Ann Owl' : login, mail: `${login}@example.org`, password: 'a long password', language: 'en', admin: false, roles: [], ...more };
    this.people.push(person);
    return person;
  }

  /** Pages that are told of what changes. */
  get followers(): number {
    return this.streams.size;
  }

  async start(port = 0): Promise<string> {
    await new Promise<void>((done) => { this.server.listen(port, '127.0.0.1', done); });
    this.origin = `http://127.0.0.1:${(this.server.address() as { port: number }).port}`;
    return this.origin;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => { this.server.close(done); });
  }

  /** Tells pages that something changed. */
  tell(kind: string): void {
    for (const stream of this.streams) stream.write(`event: ${kind}\ndata: {"n":${++this.last}}\n\n`);
  }

  cookieOf(login: string): string {
    const cookie = createHash('sha256').update(`${login}${this.logins.size}`).digest('hex');
    this.logins.set(cookie, login);
    return cookie;
  }

  version(id: string): Version {
    for (const site of this.sites.values()) for (const team of site.teams) for (const version of team.versions) if (version.id === id) return version;
    throw new Refused(404, 'not_found', 'There is no such version.');
  }

  private csrfOf(cookie: string): string {
    return createHash('sha256').update(`csrf ${cookie}`).digest('hex');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    try {
      if (url.pathname.startsWith('/web/assets/')) {
        const name = url.pathname.slice(12).replace(/[^a-z0-9.]/g, '');
        response.writeHead(200, { 'Content-Type': types[name.split('.').pop() ?? ''] ?? 'application/octet-stream' }).end(readFileSync(`${this.dist}/${name}`));
      } else if (url.pathname.startsWith('/api/v1/')) await this.api(request, url, response);
      else {
        response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin' });
        const watch = /^\/[^/]+\/games\/[^/]+\/watch$/.test(url.pathname);
        response.end(shell(watch ? 'app' : 'site'));
      }
    } catch (error) {
      const known = error instanceof Refused ? error : new Refused(500, 'mock', String(error));
      if (!response.headersSent) response.writeHead(known.status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: { code: known.code, text: known.message, ...(known.field ? { field: known.field } : {}) } }));
    }
  }

  private async api(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    if (this.refuse < 0) return void request.socket.destroy();
    if (this.refuse > 0) throw new Refused(this.refuse, 'unavailable', 'The store is not there now.');
    if (this.now) response.setHeader('X-Warg-Now', this.now);
    const cookie = /(?:^|; )warg=([0-9a-f]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const who = this.people.find((person) => person.login === this.logins.get(cookie)) ?? null;
    const method = request.method ?? 'GET';
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    const type = request.headers['content-type'] ?? '';
    if (method !== 'GET') {
      if (request.headers.origin !== this.origin || (who && request.headers['x-warg-token'] !== this.csrfOf(cookie))) throw new Refused(403, 'csrf', "The change doesn't come from a page of this site.");
      if (bytes.length > 0 && !/^application\/(json|octet-stream)$/.test(type)) throw new Refused(415, 'type', 'JSON only.');
    }
    const body = type === 'application/json' && bytes.length > 0 ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : {};
    const parts = url.pathname.slice(8).split('/').map(decodeURIComponent);
    const asked = { method, parts, query: url.searchParams, body, bytes, who, response };
    const answer = parts[0] === 'contests' && parts.length > 1 ? await this.inside(asked) : this.outside(asked, cookie);
    if (response.headersSent) return;
    if (typeof answer === 'string') response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(answer);
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer === undefined ? '' : JSON.stringify(answer));
  }

  private own(who: Person, cookie: string): unknown {
    const { password: _, ...rest } = who;
    const teams = [...this.sites.values()].flatMap((site) => site.teams.filter((team) => team.members.some((member) => member.id === who.id)).map((team) => ({ contest: site.contest.name, team: team.name, captain: team.members.find((member) => member.id === who.id)?.captain === true })));
    return { ...rest, mail_ok: true, csrf: this.csrfOf(cookie), teams };
  }

  private begin(who: Person, response: ServerResponse): string {
    const cookie = this.cookieOf(who.login);
    response.setHeader('Set-Cookie', `warg=${cookie}; Path=/; HttpOnly; SameSite=Lax`);
    return cookie;
  }

  private outside({ method, parts, body, who, response }: Asked, cookie: string): unknown {
    const path = `${method} ${parts[0]}${parts[1] ? `/${parts[1]}` : ''}`;
    const text = (key: string): string => String(body[key] ?? '');
    if (path === 'GET contests') return { items: [...this.sites.values()].map(({ contest: { file: _, ...contest }, teams }) => ({ ...contest, teams: teams.length })) };
    if (path === 'POST login') {
      const found = this.people.find((person) => person.login === text('login') && person.password === text('password'));
      if (!found) throw new Refused(401, 'password', 'Login or password is wrong.');
      return this.own(found, this.begin(found, response));
    }
    if (path === 'POST account') {
      if (this.people.some((person) => person.login === text('login'))) throw new Refused(409, 'invalid', 'This login is taken.', 'login');
      if (text('password').length < 12) throw new Refused(422, 'invalid', 'A password has 12 bytes or more.', 'password');
      const made = this.addPerson(text('login'), { name: text('name'), mail: text('mail'), password: text('password'), language: text('language') });
      if (text('invite')) this.sites.get('cup')?.teams[0]?.members.push({ id: made.id, name: made.name, captain: false });
      return this.own(made, this.begin(made, response));
    }
    if (path === 'POST reset') return {};
    if (path === 'GET ready') return { ready: this.unfit.length === 0, reasons: this.unfit };
    if (!who) throw new Refused(401, 'login', 'Log in first.');
    if (path === 'GET account') return this.own(who, cookie);
    if (path === 'PATCH account') {
      if ((body['password'] !== undefined || (body['mail'] !== undefined && text('mail') !== who.mail)) && text('old') !== who.password) throw new Refused(403, 'password', 'This is not the password.', 'old');
      for (const key of ['name', 'mail', 'language', 'password'] as const) if (body[key] !== undefined) who[key] = text(key);
      return this.own(who, cookie);
    }
    if (path === 'POST logout') return void this.logins.delete(cookie);
    if (path === 'GET account/tokens') return { items: [{ id: 'aa', label: 'laptop', scopes: ['read', 'submit'], ends: '2030-01-01T00:00:00Z' }] };
    if (path === 'POST account/tokens') return { token: `wgt_${'0'.repeat(64)}` };
    if (path === 'GET account/logins') return { items: [{ id: 'bb', created: '2029-12-01T10:00:00Z', seen: '2029-12-01T10:00:00Z', address: '192.0.2.7', here: true }, { id: 'cc', created: '2029-11-01T10:00:00Z', address: '198.51.100.4', here: false }] };
    if (path === 'GET accounts' && who.admin) return { items: this.people.map(({ id, login, name }) => ({ id, login, name, created: '2029-12-01T10:00:00Z', disabled: false })) };
    if (path === 'POST backup' && who.admin) return { folder: '/srv/backups/2029-12-02' };
    if (path === 'POST accounts' && who.admin) return { id: this.addPerson(text('login'), { name: text('name') }).id, link: `${this.origin}/reset/new-${text('login')}` };
    if (method === 'POST' && parts[0] === 'accounts' && parts[2] === 'reset' && who.admin) return { link: `${this.origin}/reset/again-${parts[1]}` };
    if (path === 'POST contests' && who.admin) {
      const name = /^contest: ([a-z0-9-]+)/m.exec(text('text'))?.[1];
      if (!name) throw new Refused(422, 'invalid', 'line 1: contest: a name is missing', 'text');
      this.sites.set(name, { contest: { ...contestOf(name, 'DRAFT'), file: text('text') }, teams: [], ledger: [], jobs: [], trail: [], judge: '', sheets: [] });
      return { name };
    }
    if (path === 'POST invite') {
      this.sites.get('cup')?.teams[0]?.members.push({ id: who.id, name: who.name, captain: false });
      return this.own(who, cookie);
    }
    throw new Refused(403, 'forbidden', 'This is not yours to do.');
  }

  private async inside(asked: Asked): Promise<unknown> {
    const { method, parts, query, body, who, response } = asked;
    const site = this.sites.get(parts[1] ?? '');
    if (!site) throw new Refused(404, 'not_found', 'There is no such contest.');
    const { contest } = site;
    const organiser = who?.admin === true || who?.roles.some((role) => role.contest === contest.name && role.role === 'organiser') === true;
    const own = site.teams.find((team) => team.members.some((member) => member.id === who?.id));
    const needOrganiser = (): void => { if (!organiser) throw new Refused(who ? 403 : 401, who ? 'forbidden' : 'login', 'This is for organisers.'); };
    const act = (verb: string, object: string, detail: string): void => void site.trail.unshift({ id: String(++this.last), at: '2029-12-02T10:00:00Z', account: who?.login ?? '', verb, object, detail });
    const path = `${method} ${parts.slice(2, 3).join('/')}`;
    switch (path) {
      case 'GET ': {
        const { file: _, ...rest } = contest;
        return { ...rest, ...(organiser ? { text: contest.file } : {}), teams: site.teams.length, me: { team: own?.name ?? null, captain: own?.members.find((member) => member.id === who?.id)?.captain === true, finalist: own?.finalist === true, judge: who !== null && site.judge === who.login, organiser } };
      }
      case 'GET events':
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(`event: state\ndata: {"state":"${contest.state}"}\n\n`);
        this.streams.add(response);
        response.on('close', () => this.streams.delete(response));
        return undefined;
      case 'GET teams':
      case 'POST teams':
      case 'PATCH teams':
      case 'PUT teams':
      case 'DELETE teams':
        return this.team(asked, site, own, organiser);
      case 'GET versions': return parts[4] === 'report' ? (this.version(parts[3] ?? '').state === 'REFUSED' ? badReport : goodReport) : this.version(parts[3] ?? '');
      case 'PUT versions': {
        const version = this.version(parts[3] ?? '');
        if (asked.bytes.length > (contest.submit?.file_bytes ?? 1e9)) throw new Refused(413, 'too_large', 'The file is longer than 3000000 bytes.', 'file');
        version.bytes = asked.bytes.length;
        version.sha256 = createHash('sha256').update(asked.bytes).digest('hex');
        this.blobs.set(version.id, asked.bytes);
        return version;
      }
      case 'POST versions': {
        const version = this.version(parts[3] ?? '');
        for (const each of own?.versions ?? []) if (each.state === 'ACTIVE') each.state = 'RETIRED';
        version.state = 'ACTIVE';
        return version;
      }
      case 'GET scores': {
        if (!['APPEALS', 'PUBLISHED'].includes(contest.state) || contest.division !== 'nlp') throw new Refused(404, 'not_found', 'Nothing here.');
        const teams = (of: readonly number[]): ScoreTeam[] => ['wool_100%', 'owls', 'sUper_IL'].map((team, i) => ({ team, score: of[i] ?? 0, low: (of[i] ?? 0) - 0.1, high: (of[i] ?? 0) + 0.1, seats: 12, place: 1 + [...of].sort().indexOf(of[i] ?? 0) }));
        const of = (people: readonly number[], alpha: number | null): TrackScores['criteria'][string] => ({ alpha: { people: alpha, models: null, both: alpha }, w: alpha, people: teams(people), models: [{ model: 'llama3', tau: 0.4, repeat_w: 0.93, position: -0.21, kept_out: alpha === null, teams: teams([...people].reverse()) }] });
        const total = (places: readonly number[]): { team: string; total: number; place: number }[] => ['wool_100%', 'owls', 'sUper_IL'].map((team, i) => ({ team, total: places[i] ?? 1, place: i === 2 ? 1 : 2.5 }));
        return { tracks: { turn5: { criteria: { A: of([0.61, 0.5, 0.25], 0.71), C: of([0.3, 0.75, 0.4], null) }, totals: { people: total([2, 2, 1.5]), models: [{ model: 'llama3', teams: total([2, 2, 1]) }] } } } };
      }
      case 'GET standings': {
        if (contest.division === 'nlp') return { stages: ['turn5', 'turn9'], stage: query.get('stage') ?? 'turn5', rows: [] };
        const row = (rank: number, team: string, rate: number, more = {}): unknown => ({ rank, team, games: 1200, wins: Math.round(1200 * rate), rate, low: rate - 0.028, high: rate + 0.028, parts: [{ players: 5, games: 600, wins: Math.round(600 * rate) }, { players: 15, games: 600, wins: Math.round(600 * rate) }], faults: rank, excused: 0, ...more });
        return { stages: ['preliminary', 'final'], stage: query.get('stage') ?? 'preliminary', rows: contest.state === 'OPEN' && !query.get('stage') ? [row(1, 'wool_100%', 0.612), row(2, 'owls', 0.55), row(2, 'sUper_IL', 0.55), { ...(row(4, 'bad-team', 0.3) as object), eliminated: true }] : [] };
      }
      case 'GET games': {
        const games = Array.from({ length: 3 }, (_, i) => ({ id: String(i + 1), stage: 'preliminary', set: 1, game: i, ended: '2029-12-01T10:00:00Z', winner: i % 2 ? 'WEREWOLF' : 'VILLAGER', counted: i !== 2, log: own !== undefined || organiser, output_kept: i !== 2, teams: ['owls', 'wool_100%'], seats: [{ seat: 1, team: 'owls', role: 'SEER', won: i % 2 === 0 }, { seat: 2, team: 'wool_100%', role: 'WEREWOLF', won: i % 2 === 1 }, { seat: 3, team: '', role: 'VILLAGER', won: i % 2 === 0 }] }));
        if (parts[4] === 'doc') {
          if (!own && !organiser) throw new Refused(who ? 403 : 401, who ? 'forbidden' : 'login', who ? 'This is not yours to do.' : 'Log in first.');
          const whole = madeDoc({ id: `cup-game-${parts[3]}`, players: 5, seed: 7 });
          return query.get('view') === 'public' ? seatView(whole, 0) : whole;
        }
        return parts[3] ? games.find((game) => game.id === parts[3]) : { items: games.filter((game) => !query.get('team') || game.seats.some((seat) => seat.team === query.get('team'))) };
      }
      case 'GET ledger': return site.ledger.slice(Number(query.get('from') ?? 0), Number(query.get('to') ?? 1e9)).slice(0, query.has('to') ? 2 : 1e9).map((line) => `${line}\n`).join('');
      case 'GET checkpoint':
        if (site.ledger.length === 0) throw new Refused(404, 'not_found', 'There is no checkpoint yet.');
        return `example.org/warg/${contest.name}\n${site.ledger.length}\n${base64(await rootOf(site.ledger))}\n\n\u2014 example.org/warg/${contest.name} YNnErNM6A3Gdk8bcktwqhnT+DvHHKzfKLD88Z8GD/xRHlR/bnQR2eZklopSUuAVdjORSW2ruBZ8/gF32zJu4czIdqwM=\n`;
      case 'GET sheets':
      case 'PUT sheets':
      case 'POST sheets': return this.sheet(asked, site);
      case 'GET tracks': return { track: parts[3], open: parts[3] === 'turn5', waiting: ['speakers'], awaited: ['others'], progress: { done: 3, total: 20 } };
      default:
    }
    if (method === 'POST' && parts[2] === 'findings') {
      const finding = site.teams.flatMap((team) => team.findings).find((each) => each.id === parts[3]);
      if (!finding) throw new Refused(404, 'not_found', 'There is no such finding.');
      finding.answer = String(body['text']);
      finding.state = 'ANSWERED';
      return finding;
    }
    needOrganiser();
    const all = site.teams.flatMap((team) => team.findings.map((finding) => ({ ...finding, team: team.name })));
    switch (path) {
      case 'GET findings': return { items: all };
      case 'GET appeals': return { items: site.teams.flatMap((team) => team.appeals.map((appeal) => ({ ...appeal, team: team.name }))) };
      case 'GET jobs': return { items: site.jobs };
      case 'POST jobs':
        for (const job of site.jobs) if (job.id === parts[3]) job.state = parts[4] === 'retry' ? 'NEW' : 'STOPPED';
        return {};
      case 'GET trail': return { items: site.trail };
      case 'GET roles': return { items: this.people.flatMap((person) => person.roles.filter((role) => role.contest === contest.name).map((role) => ({ login: person.login, name: person.name, role: role.role }))) };
      case 'POST roles': {
        if (!body['login']) return { link: `${this.origin}/invite/role` };
        const person = this.people.find((each) => each.login === body['login']);
        if (!person) throw new Refused(422, 'invalid', 'There is no such account.', 'login');
        person.roles.push({ contest: contest.name, role: String(body['role']) });
        return {};
      }
      case 'DELETE roles': {
        for (const person of this.people) if (person.login === body['login']) person.roles = person.roles.filter((role) => role.role !== body['role']);
        return {};
      }
      case 'POST amend':
        if (String(body['reason'] ?? '') === '') throw new Refused(422, 'invalid', 'An amendment has a reason.', 'reason');
        contest.file = String(body['text']);
        act('amend', contest.name, String(body['reason']));
        return {};
      case 'POST state':
        if (body['to'] === 'PRELIMINARY') throw new Refused(409, 'refused', 'No runner is alive.');
        contest.state = body['to'] as State;
        act('change-state', contest.name, String(body['to']));
        this.tell('state');
        return {};
      case 'POST pause':
        contest.paused = body['paused'] === true;
        act('pause', contest.name, String(body['reason']));
        return {};
      case 'POST rounds': return {};
      case 'PATCH dates':
        for (const [name, value] of Object.entries(body)) if (!/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(String(value)) || String(value) < '2025') throw new Refused(422, 'invalid', 'This date is past.', name);
        for (const [name, value] of Object.entries(body)) contest.dates = { ...contest.dates, [name]: new Date(momentIn('Asia/Tokyo', String(value))).toISOString() };
        return {};
      case 'POST rulings': {
        for (const team of site.teams) {
          for (const finding of team.findings) if (finding.id === body['finding']) Object.assign(finding, { decision: body['decision'], reason: body['reason'], state: 'RULED' });
          for (const appeal of team.appeals) if (appeal.id === body['appeal']) Object.assign(appeal, { answer: body['reason'], state: body['decision'] === 'dismiss' ? 'DISMISSED' : 'GRANTED' });
        }
        act('rule', String(body['finding'] ?? body['appeal'] ?? body['team']), String(body['decision']));
        return {};
      }
      case 'POST announcements':
        for (const team of site.teams) team.notices.unshift({ kind: 'announcement', text: body['text'] as { en: string }, at: '2029-12-02T10:00:00Z' });
        return {};
      default:
        throw new Refused(404, 'not_found', `Nothing at ${path}.`);
    }
  }

  private team({ method, parts, body, query, bytes, who }: Asked, site: Site, own: Team | undefined, organiser: boolean): unknown {
    const rows = (): unknown => ({ items: site.teams.map((team) => ({ name: team.name, affiliation: team.affiliation, state: team.state, finalist: team.finalist === true, organiser: false, version: team.versions.find((version) => version.state === 'ACTIVE')?.number ?? null })) });
    if (parts.length === 3 && method === 'GET') return rows();
    if (!who) throw new Refused(401, 'login', 'Log in first.');
    if (parts.length === 3 && method === 'POST') {
      const name = String(body['name'] ?? '');
      if (site.teams.some((team) => team.name === name)) throw new Refused(409, 'refused', 'A team of this name is in the contest.', 'name');
      if (own) throw new Refused(409, 'refused', 'You are in a team.');
      site.teams.push(teamOf(name, [{ id: who.id, name: who.name, captain: true }], { affiliation: String(body['affiliation'] ?? '') }));
      return { name };
    }
    const team = site.teams.find((each) => each.name === parts[3]);
    if (!team || (team !== own && !organiser)) throw new Refused(404, 'not_found', 'There is no such team.');
    const what = `${method} ${parts[4] ?? ''}`;
    if (what === 'GET ') return team;
    if (what === 'PATCH ') return void Object.assign(team, body, { quiet: ((body['quiet'] as string[] | undefined) ?? []).join(' ') });
    if (what === 'POST approve') return Object.assign(team, { state: 'IN' });
    if (what === 'POST withdraw') return Object.assign(team, { state: 'WITHDRAWN' });
    if (what === 'POST invite') return { link: `${this.origin}/invite/0123abcd` };
    if (what === 'POST token') return { token: 'eyJhbGciOiJIUzI1NiJ9.e30.xyz', url: `ws://127.0.0.1:8090/${String(body['track'])}`, ends: '2030-01-01T00:00:00Z' };
    if (what === 'DELETE members') return Object.assign(team, { members: team.members.filter((member) => member.id !== parts[5]) });
    if (what === 'POST versions') {
      const version: Version = { id: String(++this.last), number: Math.max(0, ...team.versions.map((each) => each.number)) + 1, language: String(body['language']), entry: String(body['entry']), note: String(body['note']), state: 'RECEIVED', at: '2029-12-02T10:00:00Z' };
      team.versions.push(version);
      return version;
    }
    if (what === 'PUT tracks') {
      team.tracks = (team.tracks ?? []).filter((each) => each.track !== parts[5] || body['entered'] !== false);
      const track = team.tracks.find((each) => each.track === parts[5]);
      if (!track && body['entered'] === true) team.tracks.push({ track: parts[5] ?? '', state: 'IN', qualified: 0, needed: 5, url: `ws://127.0.0.1:8090/${parts[5]}`, open: false, connected: [] });
      if (track && body['away']) track.away = body['away'] as { from: string; to: string };
      return {};
    }
    if (what === 'PUT lots') {
      const lot = team.lots.find((each) => each.stage === parts[5]);
      if (lot) return Object.assign(lot, { opened: true });
      team.lots.push({ stage: parts[5] ?? '', entry: String(body['entry']) });
      return {};
    }
    if (what === 'PUT documents') {
      team.documents.push({ id: String(++this.last), kind: parts[5] ?? '', number: 1, media: query.get('media') ?? '', licence: query.get('licence') ?? '', at: '2029-12-02T10:00:00Z', bytes: bytes.length });
      return {};
    }
    if (what === 'POST appeals') {
      const appeal: Appeal = { id: String(++this.last), about: String(body['about']), object: String(body['object']), text: String(body['text']), state: 'OPEN', opened: '2029-12-02T10:00:00Z' };
      team.appeals.push(appeal);
      return appeal;
    }
    throw new Refused(404, 'not_found', `Nothing at ${what}.`);
  }

  private sheet({ method, parts, body, who }: Asked, site: Site): unknown {
    if (method === 'POST' && parts.length === 3 && who?.admin) return { taken: String(body['csv']).trim().split('\n').length - 1 };
    if (!who || site.judge !== who.login) throw new Refused(who ? 403 : 401, 'forbidden', 'This is for judges.');
    if (parts.length === 3) return { items: site.sheets.map(({ id, criterion, track, state, calibration }) => ({ id, criterion, track, state, calibration })) };
    const sheet = site.sheets.find((each) => each.id === parts[3]);
    if (!sheet) throw new Refused(404, 'not_found', 'There is no such sheet.');
    if (method === 'PUT') {
      if (sheet.state === 'DONE') throw new Refused(409, 'refused', 'The sheet was sent.');
      sheet.ranks = body['ranks'] as NonNullable<Sheet['ranks']>;
      sheet.state = 'DRAFT';
    }
    if (parts[4] === 'submit') sheet.state = 'DONE';
    return sheet;
  }
}
