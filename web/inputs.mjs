// inputs.mjs - which files the bundle is made of, and their digests: the text of dist/INPUTS.
// tests/web_dist.sh compares the same list with the tree where there is no Node.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const outputs = ['app.css', 'app.js', 'contest.js', 'export.html', 'icon.svg', 'site.css', 'site.js'];

function filesBelow(root, folder) {
  const found = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) found.push(...filesBelow(root, path));
    else found.push(path);
  }
  return found;
}

export const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');

// In the order of their bytes, as `LC_ALL=C sort` has it.
const byBytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

export function inputsText(root, distFolder) {
  const sources = [...filesBelow(root, 'src'), 'build.mjs', 'export.template.html', 'package-lock.json'];
  const lines = sources.map((path) => `${digest(readFileSync(join(root, path)))}  ${path}`);
  for (const name of outputs)
    lines.push(`${digest(readFileSync(join(distFolder, name)))}  dist/${name}`);
  const path = (line) => line.slice(66);
  return lines.sort((a, b) => byBytes(path(a), path(b))).join('\n') + '\n';
}
