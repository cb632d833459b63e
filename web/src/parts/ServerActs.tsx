// ServerActs.tsx - what an operator does to a server that plays: hold, leave out, disconnect, void,
// end. The server says first what it would do, and does it when it is asked for the second time.
import { signal, useSignal } from '@preact/signals';
import { ApiError, download, post } from '../api.ts';
import { asTrouble } from '../load.ts';
import { t, type WordKey } from '../words.ts';
import { shown } from './shown.ts';
import { toast } from './Toast.tsx';

const actsPath = '/api/v1/operator/acts';

export interface Act {
  act: string;
  game?: string;
  set?: number;
  number?: number;
  team?: string;
  agent?: string;
  by?: string;
  why?: string;
  at?: string;
}

export interface ActsData {
  held: boolean;
  left_out: string[];
  /** The latest first. */
  acts: Act[];
}

interface Asked {
  act: Act;
  confirm: string;
  would: string;
}

/** What the server would do, until one says yes or no. */
const asked = signal<Asked | null>(null);

/** Asks for the first time: the server tells what it would do. */
export async function askServer(act: Act): Promise<void> {
  try {
    await post(actsPath, act);
  } catch (error) {
    const trouble = asTrouble(error);
    const body = trouble instanceof ApiError ? (trouble.body as { confirm?: string; would?: string } | null) : null;
    if (trouble.code === 'confirm' && body?.confirm) asked.value = { act, confirm: body.confirm, would: body.would ?? '' };
    else toast(trouble.message, true);
  }
}

function Confirm({ changed }: { changed: () => void }) {
  const now = asked.value;
  if (!now) return null;
  const go = async () => {
    asked.value = null;
    try {
      const { done } = await post<{ done: string }>(actsPath, { ...now.act, confirm: now.confirm });
      toast(done || t('actDone'));
    } catch (error) {
      toast(asTrouble(error).message, true);
    }
    changed();
  };
  return (
    <div class="there" role="alertdialog" aria-label={t('serverAsk')}>
      <p><bdi>{shown(now.would)}</bdi></p>
      <span class="acts">
        <button type="button" class="button danger" onClick={() => void go()}>{t('serverDo')}</button>
        <button type="button" class="button" onClick={() => { asked.value = null; }}>{t('serverCancel')}</button>
      </span>
    </div>
  );
}

const kinds: { act: string; word: WordKey; key: 'team' | 'agent' | 'game' }[] = [
  { act: 'leave-out', word: 'act_leaveout', key: 'team' },
  { act: 'disconnect', word: 'act_disconnect', key: 'agent' },
  { act: 'void', word: 'act_void', key: 'game' },
  { act: 'end', word: 'act_end', key: 'game' },
];

const targetText = (act: Act): string => [act.team, act.agent, act.game, act.set, act.number].filter((each) => each !== undefined).join(' ');

function NewAct() {
  return (
    <form class="fields actform" onSubmit={(event) => {
      event.preventDefault();
      const form = new FormData(event.currentTarget);
      const kind = kinds.find((each) => each.act === form.get('act'));
      const whom = String(form.get('whom') ?? '').trim();
      const why = String(form.get('why') ?? '').trim();
      if (!kind || whom === '') return;
      // The protocol division counts sets: a number alone is one.
      const target = kind.key === 'game' && /^\d+$/.test(whom) ? { set: Number(whom) } : { [kind.key]: whom };
      void askServer({ act: kind.act, ...target, ...(why === '' ? {} : { why }) });
    }}>
      <label class="labelled">{t('serverAct')}<select class="field" name="act">{kinds.map((each) => <option key={each.act} value={each.act}>{t(each.word)}</option>)}</select></label>
      <label class="labelled">{t('serverWhom')}<input class="field" name="whom" required maxLength={255} autocomplete="off" /></label>
      <label class="labelled">{t('serverWhy')}<input class="field" name="why" maxLength={400} autocomplete="off" /></label>
      <button type="submit" class="button">{t('serverAsk')}</button>
    </form>
  );
}

function Logs() {
  const kind = useSignal<'day' | 'team'>('day');
  return (
    <form class="fields actform" onSubmit={(event) => {
      event.preventDefault();
      const value = String(new FormData(event.currentTarget).get('value') ?? '').trim();
      if (value !== '') download(`/api/v1/operator/logs?${kind.value}=${encodeURIComponent(value)}`, `logs-${kind.value}.tar.gz`).catch((error: unknown) => toast(asTrouble(error).message, true));
    }}>
      <label class="labelled">{t('serverDownload')}
        <select class="field" value={kind.value} onChange={(event) => { kind.value = event.currentTarget.value === 'team' ? 'team' : 'day'; }}>
          <option value="day">{t('serverLogsDay')}</option><option value="team">{t('serverLogsTeam')}</option>
        </select>
      </label>
      <label class="labelled">{t(kind.value === 'day' ? 'filterDay' : 'filterTeam')}
        {kind.value === 'day' ? <input class="field" name="value" type="date" required /> : <input class="field" name="value" type="text" required autocomplete="off" />}
      </label>
      <button type="submit" class="button">{t('serverDownload')}</button>
    </form>
  );
}

export function ServerActs({ acts, changed }: { acts: ActsData; changed: () => void }) {
  const done = acts.acts.slice(0, 20); // the latest first
  return (
    <section class="block">
      <div class="block-head"><h2>{t('serverTitle')}</h2></div>
      <div class="panel newroom">
        <Confirm changed={changed} />
        <p class="acts middle">
          <span>{t(acts.held ? 'serverHeld' : 'serverRuns')}</span>
          <button type="button" class="button" onClick={() => void askServer({ act: acts.held ? 'go-on' : 'hold' })}>{t(acts.held ? 'serverGoOn' : 'serverHold')}</button>
        </p>
        {acts.left_out.length > 0 && (
          <p class="acts middle"><span>{t('serverOut')}:</span>
            {acts.left_out.map((team) => <button key={team} type="button" class="button" onClick={() => void askServer({ act: 'let-in', team })}>{t('serverLetIn', { name: shown(team) })}</button>)}
          </p>
        )}
        <NewAct />
        <Logs />
        {done.length > 0 && (
          <details><summary>{t('serverDone')} <span class="howmany">{acts.acts.length}</span></summary>
            <ul class="donelist">{done.map((act, i) => <li key={i}><span class="note">{act.at}</span> <strong>{act.act}</strong> <bdi>{shown(targetText(act))}</bdi> <bdi class="note">{shown([act.by, act.why].filter(Boolean).join(' – '))}</bdi></li>)}</ul>
          </details>
        )}
      </div>
    </section>
  );
}
