// build.mjs - makes dist/ from src/: app.js, app.css, contest.js, site.js, site.css, export.html, icon.svg,
// INPUTS.
//
// Names and blanks stay as they are, so that the generated file can be read and its changes too;
// the same sources give the same bytes on every machine.
//
// node build.mjs [--out FOLDER] [--watch]
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { inputsText } from './inputs.mjs';

const root = dirname(fileURLToPath(import.meta.url));

// Preact can set the HTML of an element. Nothing here does, and pages run under Trusted Types that
// allow no HTML at all, so the place is taken out: what isn't there can't be reached. A new version
// of Preact that looks different stops the build.
const withoutHtml = {
  name: 'preact-without-html',
  setup(build) {
    build.onLoad({ filter: /preact\.mjs$/ }, (args) => {
      let text = readFileSync(args.path, 'utf8');
      for (const [from, to] of [
        ['"dangerouslySetInnerHTML"==s?h=k:', ''],
        ['"dangerouslySetInnerHTML"==s?y=k:', ''],
        ['h?(l||y&&(h.__html==y.__html||h.__html==t.innerHTML)||(t.innerHTML=h.__html),r.__k=[]):(', '('],
      ]) {
        if (text.split(from).length !== 2) throw new Error(`preact changed: ${from}`);
        text = text.replace(from, () => to);
      }
      return { contents: text, loader: 'js' };
    });
  },
};

export function options(folder) {
  return {
    absWorkingDir: root,
    entryPoints: { app: 'src/main.tsx' },
    outdir: folder,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'inline',
    logLevel: 'warning',
    plugins: [withoutHtml],
  };
}

// The script of contest pages: small, and run before anything is drawn, so it is no module.
export const contestOptions = (folder) => ({ ...options(folder), entryPoints: { contest: 'src/contest.ts' }, format: 'iife', plugins: [] });

// The pages of the contest site: an app of its own, which brings nothing of the games' pages.
export const siteOptions = (folder) => ({ ...options(folder), entryPoints: { site: 'src/site/main.tsx' } });

const cspHash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// The page of one game in one file. `warg export` puts style, script and documents into its three
// places; the policy already has the digests of what comes there.
function exportPage(style, script) {
  const template = readFileSync(join(root, 'export.template.html'), 'utf8');
  for (const [text, end] of [[style, '</style'], [script, '</script'], [script, '<!--']])
    if (text.toLowerCase().includes(end)) throw new Error(`the bundle holds ${end}`);
  return template.replace('STYLE_HASH', cspHash(style)).replace('SCRIPT_HASH', cspHash(script));
}

export function finish(folder) {
  const style = readFileSync(join(folder, 'app.css'), 'utf8');
  const script = readFileSync(join(folder, 'app.js'), 'utf8');
  writeFileSync(join(folder, 'export.html'), exportPage(style, script));
  copyFileSync(join(root, 'src/icon.svg'), join(folder, 'icon.svg'));
  writeFileSync(join(folder, 'INPUTS'), inputsText(root, folder));
}

export async function buildInto(folder) {
  mkdirSync(folder, { recursive: true });
  await esbuild.build(options(folder));
  await esbuild.build(contestOptions(folder));
  await esbuild.build(siteOptions(folder));
  finish(folder);
}

async function watch(folder) {
  const done = { name: 'finish', setup: (build) => build.onEnd((result) => {
    if (result.errors.length === 0) finish(folder);
    console.log(`built, ${result.errors.length} errors`);
  }) };
  const settings = options(folder);
  for (const each of [contestOptions(folder), siteOptions(folder)]) await (await esbuild.context(each)).watch();
  const context = await esbuild.context({ ...settings, plugins: [...settings.plugins, done] });
  await context.watch();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--out');
  const folder = at > 0 ? process.argv[at + 1] : join(root, 'dist');
  await (process.argv.includes('--watch') ? watch(folder) : buildInto(folder));
}
