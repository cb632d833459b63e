// check.mjs - whether dist/ is what the sources give, byte by byte, and small enough; no HTML is set
// and no text run as a program, neither in the sources nor in the bundle.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildInto } from './build.mjs';
import { digest, outputs } from './inputs.mjs';

const root = dirname(fileURLToPath(import.meta.url));
// Of script and style, gzipped: docs/spec/web.md 13.1 for the games' pages; the contest site is a
// part of its own.
const limits = [
  { what: 'games', names: ['app.js', 'app.css', 'contest.js'], bytes: 150000 },
  // A fifth of it are the words of two languages.
  { what: 'contest site', names: ['site.js', 'site.css'], bytes: 85000 },
];
const forbidden = /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\b|new Function|createContextualFragment/;
let failed = 0;

function holds(ok, text) {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${text}`);
  if (!ok) failed++;
}

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else yield path;
  }
}

function checkWords() {
  for (const path of [...files(join(root, 'src')), join(root, 'dist/app.js'), join(root, 'dist/contest.js'), join(root, 'dist/site.js')]) {
    const lines = readFileSync(path, 'utf8').split('\n');
    const at = lines.findIndex((line) => forbidden.test(line));
    if (at >= 0) holds(false, `${path.slice(root.length + 1)}:${at + 1} has ${forbidden.exec(lines[at])[0]}`);
  }
}

async function checkSame() {
  const folder = mkdtempSync(join(tmpdir(), 'warg-web-'));
  try {
    await buildInto(folder);
    for (const name of [...outputs, 'INPUTS']) {
      const made = readFileSync(join(folder, name));
      holds(made.equals(readFileSync(join(root, 'dist', name))), `dist/${name} is what the sources give: ${digest(made).slice(0, 16)}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checkSize({ what, names, bytes: limit }) {
  let sum = 0;
  for (const name of names) {
    const bytes = readFileSync(join(root, 'dist', name));
    const packed = gzipSync(bytes, { level: 9 }).length;
    sum += packed;
    console.log(`       ${name}: ${bytes.length} bytes, ${packed} gzipped`);
  }
  holds(sum <= limit, `${what}, script and style: ${sum} bytes gzipped of ${limit}`);
}

checkWords();
await checkSame();
limits.forEach(checkSize);
process.exit(failed ? 1 : 0);
