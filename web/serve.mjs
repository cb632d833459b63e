// serve.mjs - shows web/dist with example games, for whoever works on the pages: no warg is needed.
//
// node web/serve.mjs [--port 8099] [DOCUMENT.json...]     documents are served by their id and view;
// of one with view `all` the other views are made here. /web/g/made-15 and others are made up.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeDoc, hostile } from './test/made.mjs';

// Tests bundle this file and say where the folder is.
const root = process.env.WARG_WEB ?? dirname(fileURLToPath(import.meta.url));
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const japanese = ['ミナコ', 'シオン', 'アスカ', 'シュンイチ', 'セルヴァス', 'リュウジ', 'ヴィクトリア', 'ミドリ', 'トシオ', 'サクラ', '健太', 'ジョージ', 'タクミ'];
const english = ['George', 'Minako', 'Shion', 'Alexandrina Victoria', 'Toshio', 'Rin', 'Takumi', 'Bartholomew', 'Midori', 'Ryuji', 'Servas', 'Asuka', 'Mio'];

const made = {
  'made-15': { players: 15, days: 6, seed: 3 },
  'made-5': { players: 5, days: 3, seed: 5 },
  'made-5-ja': { players: 5, days: 3, seed: 8, division: 'nlp', lang: 'ja', names: japanese },
  'made-13-ja': { players: 13, days: 6, seed: 2, division: 'nlp', lang: 'ja', names: japanese },
  'made-13-en': { players: 13, days: 6, seed: 2, division: 'nlp', lang: 'en', names: english },
  'made-18': { players: 18, days: 7, seed: 4, division: 'nlp', lang: 'en', names: english },
  'made-40-days': { players: 15, days: 40, seed: 6, turns: 2 },
  'made-long': { players: 15, days: 14, seed: 9, turns: 20 },
  'made-hostile': { players: 15, days: 4, seed: 7, division: 'nlp', lang: 'en', names: hostile, text: hostile.join(' ') },
};

/** The view of a document of everything: what the server does, in short. */
export function viewOf(doc, view) {
  if (view === 'all') return doc;
  const seat = view.startsWith('seat:') ? Number(view.slice(5)) : 0;
  const told = (to) => to === undefined || to.includes(seat);
  const old = new Map();
  const events = [];
  for (const { to, ...event } of doc.events) {
    if (!told(to)) continue;
    old.set(event.n, events.length);
    events.push({ ...event, n: events.length });
  }
  const phases = [];
  doc.phases.forEach((phase, i) => {
    const end = doc.phases[i + 1]?.first ?? doc.events.length;
    for (let n = phase.first; n < end; n++)
      if (old.has(n)) return void phases.push({ ...phase, first: old.get(n) });
  });
  const seats = doc.seats.map(({ role, role_to, ...rest }) => (seat > 0 && told(role_to) ? { ...rest, role } : rest));
  const { belief, ...rest } = doc;
  return { ...rest, view: seat ? { kind: 'seat', seat } : { kind: 'public' }, seats, phases, events };
}

export function page() {
  return '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<title>warg</title><link rel="icon" href="/web/assets/icon.svg"><link rel="stylesheet" href="/web/assets/app.css">' +
    '<script type="module" src="/web/assets/app.js"></script></head><body><div id="app"></div></body></html>\n';
}

/** A server on a free port of loopback when `port` is 0. `docs`: documents beside those made up. */
export function serve(port, docs = [], dist = join(root, 'dist')) {
  const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', html: 'text/html' };
  const given = new Map(docs.map((doc) => [`${doc.id}/${doc.view.kind}`, doc]));
  const docOf = (id, view) => {
    const all = given.get(`${id}/all`) ?? (made[id] ? madeDoc({ id, ...made[id] }) : null);
    if (all && !(view === 'public' && given.has(`${id}/public`))) return viewOf(all, view);
    return given.get(`${id}/${view}`) ?? null;
  };
  const answer = (out, status, type, body) => {
    out.writeHead(status, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' });
    out.end(body);
  };
  const server = createServer((request, out) => {
    const url = new URL(request.url, 'http://localhost');
    const asset = /^\/web\/assets\/([a-z]+\.(js|css|svg))$/.exec(url.pathname);
    const doc = /^\/web\/api\/games\/([^/]+)\/doc$/.exec(url.pathname);
    if (asset) return answer(out, 200, types[asset[2]], readFileSync(join(dist, asset[1])));
    if (doc) {
      const found = docOf(decodeURIComponent(doc[1]), url.searchParams.get('view') ?? 'public');
      return found ? answer(out, 200, 'application/json', JSON.stringify(found)) : answer(out, 404, 'application/json', '{"error":{"code":"unknown","text":"No such game is here."}}');
    }
    if (url.pathname.startsWith('/web/api/')) return answer(out, 404, 'application/json', '{"error":{"code":"unknown","text":"Nothing is here."}}');
    return answer(out, 200, 'text/html', page());
  });
  return new Promise((done) => server.listen(port, '127.0.0.1', () => done(server)));
}

export const madeIds = Object.keys(made);

if (process.argv[1]?.endsWith('serve.mjs')) {
  const at = process.argv.indexOf('--port');
  const port = at > 0 ? Number(process.argv[at + 1]) : 8099;
  const files = process.argv.slice(2).filter((each) => each.endsWith('.json'));
  const examples = ['game-all.json', 'game-public.json'].map((name) => join(root, '../docs/spec/web', name));
  await serve(port, [...examples, ...files].map((path) => JSON.parse(readFileSync(path, 'utf8'))));
  for (const id of ['jsai2026_truck5_game1', ...madeIds]) console.log(`http://127.0.0.1:${port}/web/g/${id}`);
}
