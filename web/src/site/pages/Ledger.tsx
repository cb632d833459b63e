// Ledger.tsx - what happened, in a list that nobody can change unseen; how to check it and the games.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { shown } from '../../parts/shown.ts';
import { Empty } from '../../parts/States.tsx';
import { asTrouble, getText } from '../ask.ts';
import { Copy } from '../Copy.tsx';
import { Block } from '../Frame.tsx';
import { Inside } from '../Inside.tsx';
import { base64, checkpointOf, linesOf, rootOf, type Checkpoint } from '../merkle.ts';
import { When } from '../Moment.tsx';
import { pathTo } from '../route.ts';
import type { PageProps } from '../Site.tsx';
import type { Contest } from '../shapes.ts';
import { num, t, wordOf } from '../words.ts';

const PAGE = 50;
const CHECK_MAX = 100_000; // entries that a browser checks in seconds

interface Entry {
  n: number;
  at?: string | number;
  type: string;
  [member: string]: unknown;
}

/** Short: members but n, at and type, digests cut. */
export function entryText(entry: Entry): string {
  const say = (value: unknown): string => {
    if (Array.isArray(value)) return value.length > 6 ? `${value.slice(0, 6).map(say).join(', ')} …` : value.map(say).join(', ');
    if (value !== null && typeof value === 'object') return Object.entries(value).map(([key, inside]) => `${key} ${say(inside)}`).join(', ');
    return String(value).replace(/[0-9a-f]{40,}/g, (digest) => `${digest.slice(0, 12)}…`);
  };
  return Object.entries(entry).filter(([key]) => !['n', 'at', 'type'].includes(key)).map(([key, value]) => `${key} ${say(value)}`).join(' · ');
}

function entriesOf(text: string): Entry[] {
  return linesOf(text).flatMap((line) => {
    try {
      return [JSON.parse(line) as Entry];
    } catch {
      return [];
    }
  });
}

const isoOf = (at: string | number | undefined): string | undefined => (typeof at === 'number' ? new Date(at).toISOString() : at);

type Checked = { state: 'none' | 'busy' } | { state: 'good' | 'bad'; size: number } | { state: 'wrong'; text: string };

function InBrowser({ path, checkpoint }: { path: string; checkpoint: Checkpoint }) {
  const checked = useSignal<Checked>({ state: 'none' });
  const check = async (): Promise<void> => {
    checked.value = { state: 'busy' };
    try {
      // The checkpoint first: the ledger only grows.
      const note = checkpointOf(await getText(`${path}/checkpoint`));
      if (!note) throw new Error(t('noCheckpoint'));
      const lines: string[] = [];
      // The server gives as much as is good for one answer.
      while (lines.length < note.size) {
        const more = linesOf(await getText(`${path}/ledger?from=${lines.length}&to=${note.size}`));
        if (more.length === 0) break;
        lines.push(...more);
      }
      const good = lines.length >= note.size && base64(await rootOf(lines.slice(0, note.size))) === note.root;
      checked.value = { state: good ? 'good' : 'bad', size: note.size };
    } catch (error) {
      checked.value = { state: 'wrong', text: asTrouble(error).message };
    }
  };
  const now = checked.value;
  return (
    <div class="checkline">
      <button type="button" class="button" aria-disabled={now.state === 'busy'} onClick={() => { if (now.state !== 'busy') void check(); }}>{t(now.state === 'busy' ? 'checking' : 'checkHere')}</button>
      <span role="status" class={now.state === 'good' ? 'good-text' : now.state === 'bad' || now.state === 'wrong' ? 'bad-text' : ''}>
        {now.state === 'good' && t('checkGood', { n: now.size })}
        {now.state === 'bad' && t('checkBad')}
        {now.state === 'wrong' && shown(now.text)}
      </span>
      {checkpoint.size > CHECK_MAX && <span class="note">{t('checkLong')}</span>}
    </div>
  );
}

function Body({ contest }: { contest: Contest }) {
  const path = `contests/${encodeURIComponent(contest.name)}`;
  const address = `${location.origin}/api/v1/${path}`;
  const note = useSignal<string | null>(null);
  const entries = useSignal<Entry[]>([]);
  const trouble = useSignal('');
  const from = useSignal(0);
  const load = async (before?: number): Promise<void> => {
    try {
      const text = await getText(`${path}/checkpoint`);
      note.value = text;
      const end = before ?? checkpointOf(text)?.size ?? 0;
      const start = Math.max(0, end - PAGE);
      const got = entriesOf(await getText(`${path}/ledger?from=${start}`)).filter((entry) => before === undefined || entry.n < before);
      from.value = start;
      entries.value = [...(before === undefined ? [] : entries.value), ...got.reverse()]; // the newest first
      trouble.value = '';
    } catch (error) {
      trouble.value = asTrouble(error).message;
    }
  };
  useEffect(() => void load(), [contest.name]);
  const checkpoint = note.value === null ? null : checkpointOf(note.value);
  return (
    <>
      {trouble.value && <p class="form-trouble" role="alert">{shown(trouble.value)}</p>}
      <Block title={t('ledgerTitle')} tools={checkpoint && <span class="note">{t('entriesN', { n: checkpoint.size })}</span>}>
        <p class="lead">{t('ledgerText')}</p>
        {checkpoint && <InBrowser path={path} checkpoint={checkpoint} />}
        {entries.value.length === 0 && !trouble.value && note.value !== null && <Empty title={t('ledgerEmpty')} />}
        {entries.value.length > 0 && (
          <ul class="items panel ledger">{entries.value.map((entry) => (
            <li class="item" key={entry.n}>
              <span class="number">{num(entry.n)}</span>
              <div class="item-main"><span class="item-name">{wordOf('entry_', entry.type)}</span><bdi class="note">{shown(entryText(entry))}</bdi></div>
              <span class="note item-when"><When at={isoOf(entry.at)} /></span>
            </li>
          ))}</ul>
        )}
        {from.value > 0 && <p class="after"><button type="button" class="button" onClick={() => void load(from.value)}>{t('ledgerEarlier')}</button></p>}
      </Block>
      {note.value && (
        <Block title={t('checkpoint')}>
          <p class="lead">{t('checkpointText')}</p>
          <pre class="panel note-text" tabIndex={0}>{shown(note.value)}</pre>
        </Block>
      )}
      <Block title={t('howToCheck')}>
        <p class="lead">{t('howToCheckText')}</p>
        <Copy text={`curl -O ${address}/ledger -O ${address}/checkpoint -O ${address}/key -o bundle.tar.gz ${address}/bundle`} label={t('commandFetch')} />
        <Copy text={`tar -xzf bundle.tar.gz && warg audit ${contest.name} --key "$(cat key)" --checkpoint checkpoint`} label={t('commandAudit')} />
        <p class="below">
          <a href={`/api/v1/${path}/ledger`} download={`${contest.name}-ledger.jsonl`}>ledger.jsonl</a>
          <a href={`/api/v1/${path}/checkpoint`} download={`${contest.name}-checkpoint`}>checkpoint</a>
          {(contest.state === 'PUBLISHED' || contest.state === 'ARCHIVED') && <a href={`/api/v1/${path}/bundle`} download={`${contest.name}.tar.gz`}>{t('bundle')}</a>}
          <a href={pathTo(contest.name, 'standings')}>{t('tabStandings')}</a>
        </p>
      </Block>
    </>
  );
}

export const LedgerPage = ({ contest }: PageProps) => <Inside name={contest} title={t('tabLedger')}>{(inside) => <Body contest={inside.contest} />}</Inside>;
