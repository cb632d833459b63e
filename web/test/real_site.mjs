// real_site.mjs - `warg contest serve` in a folder of its own, for tests of its pages and for pictures of
// them: on a free port, with an admin at its socket.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A free port: the server has to know its public address before it listens. */
async function freePort() {
  const server = createServer();
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  const { port } = server.address();
  await new Promise((done) => { server.close(done); });
  return port;
}

export class RealSite {
  folder = mkdtempSync(join(tmpdir(), 'warg-site-'));
  origin = '';
  said = '';

  /** `program`: of warg; `tree`: of its sources. */
  constructor(program, tree) {
    this.program = program;
    this.tree = tree;
  }

  async start() {
    // Names in a contest file are seen from the folder of server.yml.
    const config = join(this.tree, 'config/nlp/default_5.yml');
    const port = await freePort();
    this.origin = `http://127.0.0.1:${port}`;
    mkdirSync(join(this.folder, 'site'));
    copyFileSync(config, join(this.folder, 'site/turn5.yml'));
    writeFileSync(join(this.folder, 'site/server.yml'), `data: data\nlisten: 127.0.0.1:${port}\npublic_url: ${this.origin}\nstore: sqlite\nrunner: inside\nsignup: open\n`);
    this.server = spawn(this.program, ['contest', 'serve', 'site'], { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const out of [this.server.stdout, this.server.stderr]) out.on('data', (part) => { this.said += part.toString(); });
    for (let i = 0; i < 1200 && !(await fetch(`${this.origin}/api/v1/contests`).then((answer) => answer.ok, () => false)); i++) {
      if (this.server.exitCode !== null) throw new Error(`the server ended: ${this.said}`);
      await new Promise((done) => { setTimeout(done, 50); });
    }
  }

  /** What the admin does at the socket of the data folder. */
  asAdmin(method, path, body) {
    return new Promise((good, bad) => {
      const asked = request({ socketPath: join(this.folder, 'site/data/admin.sock'), method, path: `/api/v1/${path}`, headers: { 'Content-Type': 'application/json' } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => {
          if (answer.statusCode < 300) good(text === '' ? null : JSON.parse(text));
          else bad(new Error(`${method} ${path}: ${answer.statusCode} ${text}`));
        });
      });
      asked.on('error', bad);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Makes a contest and waits until it is open, which its clock does by itself. */
  async makeContest(text) {
    const { name } = await this.asAdmin('POST', 'contests', { text });
    for (let i = 0; i < 1200; i++) {
      const { state } = await this.asAdmin('GET', `contests/${name}`);
      if (state !== 'DRAFT') return name;
      await new Promise((done) => { setTimeout(done, 50); });
    }
    throw new Error(`${name} does not open: ${this.said}`);
  }

  /** An agent as a .zip with start.py: a path. `words`: what it is told to do, as Python has a list. */
  agentZip(name, words) {
    const path = join(this.folder, name);
    const start = `import runpy, sys; sys.argv += [${words}]; runpy.run_path('agent.py', run_name='__main__')`;
    execFileSync('python3', ['-c', 'import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w") as out:\n out.write(sys.argv[2], "agent.py")\n out.writestr("start.py", sys.argv[3])', path, join(this.tree, 'tests/e2e/agents/checked_agent.py'), start]);
    return path;
  }

  /** Two sheets of a published game for a judge, as the server has them when judging begins: written into its store. */
  addSheets(contest, login, log) {
    const folder = join(this.folder, 'site/data/contests', contest, 'tracks/1/logs');
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(this.tree, 'tests/data/nlp-logs', log), join(folder, '1.log'));
    execFileSync('python3', ['-c', `import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=60)
contest = db.execute("SELECT id FROM contest WHERE name = ?", (sys.argv[2],)).fetchone()[0]
judge = db.execute("SELECT id FROM account WHERE login = ?", (sys.argv[3],)).fetchone()[0]
run = db.execute("INSERT INTO run(contest, stage, part, round, folder, games, counted) VALUES(?, 'judged', 0, 0, 'tracks/1/logs', 1, 1)", (contest,)).lastrowid
game = db.execute("INSERT INTO game(run, set_number, game, ended, winner, counted, log) VALUES(?, 0, 0, 5, 'VILLAGER', 1, '1.log')", (run,)).lastrowid
for criterion in "AC":
    db.execute("INSERT INTO sheet(contest, track, game, criteria, judge, seats, state, at) VALUES(?, 'turn5', ?, ?, ?, '3,1,5,2,4', 'NEW', 1)", (contest, game, criterion, judge))
db.execute("UPDATE contest SET state = 'JUDGING' WHERE id = ?", (contest,)) # else nothing is handed in
db.commit()`, join(this.folder, 'site/data/site.db'), contest, login]);
  }

  async stop() {
    if (this.server && this.server.exitCode === null) {
      const over = new Promise((done) => { this.server.once('exit', done); });
      this.server.kill('SIGTERM');
      const hard = setTimeout(() => this.server.kill('SIGKILL'), 10_000);
      await over;
      clearTimeout(hard);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A contest of the natural-language division; its track's file is one that warg comes with. */
export const talkFile = (name) => `contest: ${name}
title: {en: "Talk of the owls", ja: "梟の対話"}
division: nlp
dates: {zone: Asia/Tokyo, opens: 2020-04-01 09:00, submission_closes: 2040-07-21 24:00}
tracks:
  - {name: turn5, config: turn5.yml, self_matches: 2, matches_per_team: [3, 5]}
windows: [{track: turn5, from: 2040-08-03 10:00, to: 2040-08-05 10:00}]
evaluation: {criteria: [A, C], sheets: 1, raters: 1}
`;

/** A contest file: it opens at once, and ends far from now. */
export const contestFile = (name, english, japanese) => `contest: ${name}
title: {en: "${english}", ja: "${japanese}"}
division: protocol
dates: {zone: Asia/Tokyo, opens: 2020-04-01 09:00, submission_closes: 2040-07-21 24:00, preliminary: 2040-07-22 09:00, preliminary_stops: 2040-08-04 24:00,
        revision_closes: 2040-08-18 24:00, final_stops: 2040-09-01 00:00, appeals_close: 2040-09-08 00:00}
register: {approve: false, members: 10, fields: [affiliation], public: [affiliation]}
submit: {languages: [java, python, native], file_bytes: 1048576}
check: {games: 1, name: refuse}
stages:
  - {name: preliminary, parts: [{players: 5}, {players: 15}], min_games: 100, advance: 15, tie: extra}
  - {name: final, parts: [{players: 5}, {players: 15}], min_games: 100, require: [source, description]}
publish: {logs: own, live: standings}
`;
