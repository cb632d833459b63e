// Sheet.tsx - one game, one criterion: read, put the players in order, say why if one likes. Every
// change is kept in this browser at once and at the server a moment later.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { shown } from '../../parts/shown.ts';
import { ApiError, asTrouble } from '../ask.ts';
import { draftOf, forgetDraft, keepDraft } from '../drafts.ts';
import { Block, NeedLogin, When } from '../Frame.tsx';
import { go } from '../go.ts';
import { Inside, type InContest } from '../Inside.tsx';
import { pauseOf, useLoaded } from '../loaded.ts';
import { change } from '../me.ts';
import { isWhole, moveTo, orderOf, place, placeAt, ranksOf, takeBack, type Order } from '../ranking.ts';
import { pathTo } from '../route.ts';
import type { PageProps } from '../Site.tsx';
import type { Items, Sheet, SheetRow } from '../shapes.ts';
import { both, t, wordOf } from '../words.ts';
import { isSent } from './Judge.tsx';

const SAVE_MS = 900;

type Saved = 'same' | 'waits' | 'saving' | 'saved' | 'away';

interface Filled {
  order: Order;
  scores: Record<string, number>;
  reasons: Record<string, string>;
}

export const rankingsOf = (sheet: Sheet, filled: Filled): NonNullable<Sheet['ranks']> => {
  const ranks = ranksOf(filled.order);
  return Object.fromEntries(sheet.names.map((name) => [name, {
    ...(ranks[name] !== undefined && sheet.scale === 'rank' ? { rank: ranks[name] } : {}), ...(filled.scores[name] !== undefined && sheet.scale === 'score' ? { score: filled.scores[name] } : {}),
    ...(filled.reasons[name] ? { reason: filled.reasons[name] } : {}),
  }] as const).filter(([, value]) => Object.keys(value).length > 0));
};

function filledOf(sheet: Sheet, ranks: Sheet['ranks']): Filled {
  return {
    order: orderOf(sheet.names, ranks),
    scores: Object.fromEntries(sheet.names.flatMap((name) => (typeof ranks?.[name]?.score === 'number' ? [[name, ranks[name].score as number]] : []))),
    reasons: Object.fromEntries(sheet.names.flatMap((name) => (ranks?.[name]?.reason ? [[name, ranks[name].reason as string]] : []))),
  };
}

const Lines = ({ sheet }: { sheet: Sheet }) => {
  const days = [...new Set(sheet.lines.map((line) => line.day))];
  return (
    <div class="talk">{days.map((day) => (
      <section key={day}>
        <h3>{t('dayNumber', { n: String(day) })}</h3>
        <ol>{sheet.lines.filter((line) => line.day === day).map((line) => (
          <li key={line.line} class={`kind-${line.kind}`} id={`line-${line.line}`}>
            <span class="line-no">{line.line}</span>
            <span class="line-text">{line.speaker && <bdi class="name">{shown(line.speaker)}</bdi>}{line.kind !== 'talk' && <span class="pill">{wordOf('kind_', line.kind)}</span>} <bdi class="pre">{shown(line.text)}</bdi>{line.translation && <><br /><bdi class="note pre">{shown(line.translation)}</bdi></>}</span>
          </li>
        ))}</ol>
      </section>
    ))}</div>
  );
};

interface EditProps {
  sheet: Sheet;
  filled: Filled;
  set: (filled: Filled) => void;
  off: boolean;
}

const Reason = ({ name, filled, set, off }: EditProps & { name: string }) => (
  <details class="reason" open={Boolean(filled.reasons[name])}>
    <summary>{t('reasonFor')}<span class="unseen"> {shown(name)}</span></summary>
    <textarea class="field area" rows={2} maxLength={400} disabled={off} aria-label={`${t('reasonFor')} ${shown(name)}`} value={filled.reasons[name] ?? ''}
      onInput={(event) => set({ ...filled, reasons: { ...filled.reasons, [name]: event.currentTarget.value } })} />
  </details>
);

function Ranks(props: EditProps) {
  const { sheet, filled, set, off } = props;
  const { order } = filled;
  const list = useRef<HTMLOListElement>(null);
  const told = useSignal('');
  const drag = useSignal<{ name: string; to: number } | null>(null);
  const to = (name: string, at: number): void => {
    const next = moveTo(order, name, at);
    set({ ...filled, order: next });
    told.value = t('rankTold', { name: shown(name), n: String(next.placed.indexOf(name) + 1) });
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-name="${CSS.escape(name)}"] .grip`)?.focus());
  };
  const middles = (): number[] => [...(list.current?.querySelectorAll<HTMLElement>(':scope > li') ?? [])].filter((row) => row.dataset['name'] !== drag.value?.name).map((row) => { const box = row.getBoundingClientRect(); return box.top + box.height / 2; });
  return (
    <>
      <p class="lead">{t(order.rest.length > 0 ? (order.placed.length === 0 ? 'rankBegin' : 'rankGoOn') : 'rankWhole')}</p>
      <ol class="ranks" ref={list}>{order.placed.map((name, i) => (
        <li key={name} data-name={name} class={`${drag.value?.name === name ? 'dragged' : ''}${drag.value && drag.value.name !== name && drag.value.to === i ? ' before' : ''}`}>
          <div class="rank-row">
            <button type="button" class="grip" disabled={off} aria-label={t('rankGrip', { name: shown(name), n: String(i + 1), all: String(sheet.names.length) })} aria-keyshortcuts="ArrowUp ArrowDown"
              onKeyDown={(event) => {
                const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
                if (step === 0) return;
                event.preventDefault();
                to(name, i + step);
              }}
              onPointerDown={(event) => {
                if (off || event.button !== 0) return;
                event.currentTarget.setPointerCapture(event.pointerId);
                drag.value = { name, to: i };
              }}
              onPointerMove={(event) => { if (drag.value?.name === name) drag.value = { name, to: placeAt(event.clientY, middles()) }; }}
              onPointerUp={() => {
                const at = drag.value;
                drag.value = null;
                if (at && at.to !== i) to(name, at.to);
              }}
              onPointerCancel={() => { drag.value = null; }}>
              <span class="rank-no">{i + 1}</span><span aria-hidden="true" class="dots">⠿</span>
            </button>
            <bdi class="name">{shown(name)}</bdi>
            <span class="space" />
            <button type="button" class="button square" disabled={off || i === 0} aria-label={t('rankUp', { name: shown(name) })} onClick={() => to(name, i - 1)}>▲</button>
            <button type="button" class="button square" disabled={off || i === order.placed.length - 1} aria-label={t('rankDown', { name: shown(name) })} onClick={() => to(name, i + 1)}>▼</button>
            <button type="button" class="button square" disabled={off} aria-label={t('rankOut', { name: shown(name) })} onClick={() => set({ ...filled, order: takeBack(order, name, sheet.names) })}>✕</button>
          </div>
          <Reason {...props} name={name} />
        </li>
      ))}</ol>
      {order.rest.length > 0 && (
        <div class="rest" role="group" aria-label={t('rankRest')}>{order.rest.map((name) => (
          <button type="button" class="button" key={name} disabled={off} onClick={() => { set({ ...filled, order: place(order, name) }); told.value = t('rankTold', { name: shown(name), n: String(order.placed.length + 1) }); }}><span class="rank-next" aria-hidden="true">{order.placed.length + 1}</span><bdi>{shown(name)}</bdi></button>
        ))}</div>
      )}
      <p class="unseen" role="status">{told.value}</p>
    </>
  );
}

const Scores = (props: EditProps) => (
  <ul class="ranks">{props.sheet.names.map((name) => (
    <li key={name}>
      <fieldset class="score" disabled={props.off}><legend><bdi class="name">{shown(name)}</bdi></legend>
        {[1, 2, 3, 4, 5].map((score) => <label key={score}><input type="radio" name={`score ${name}`} checked={props.filled.scores[name] === score} onChange={() => props.set({ ...props.filled, scores: { ...props.filled.scores, [name]: score } })} />{score}</label>)}
      </fieldset>
      <Reason {...props} name={name} />
    </li>
  ))}</ul>
);

function Fill({ contest, sheet, again }: { contest: string; sheet: Sheet; again: () => void }) {
  const path = `contests/${encodeURIComponent(contest)}/sheets/${encodeURIComponent(sheet.id)}`;
  const key = `sheet.${contest}.${sheet.id}`;
  const sent = isSent(sheet);
  const rows = useLoaded<Items<SheetRow>>(`contests/${encodeURIComponent(contest)}/sheets`);
  const before = useMemo(() => {
    try {
      const kept = draftOf(key)['ranks'];
      return kept && !sent ? (JSON.parse(kept) as Sheet['ranks']) : sheet.ranks;
    } catch {
      return sheet.ranks;
    }
  }, [key]);
  const filled = useSignal(filledOf(sheet, before));
  const saved = useSignal<Saved>('same');
  const trouble = useSignal('');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const tries = useRef(0);
  const save = async (): Promise<void> => {
    clearTimeout(timer.current);
    const text = JSON.stringify(rankingsOf(sheet, filled.value));
    saved.value = 'saving';
    try {
      await change('PUT', path, { ranks: JSON.parse(text) as unknown });
      tries.current = 0;
      trouble.value = '';
      if (JSON.stringify(rankingsOf(sheet, filled.value)) === text) {
        forgetDraft(key);
        saved.value = 'saved';
      }
    } catch (error) {
      const wrong = asTrouble(error);
      saved.value = 'away';
      if (wrong.status === 0 || wrong.status === 503 || wrong.status === 429) timer.current = setTimeout(() => void save().catch(() => {}), pauseOf(tries.current++));
      else trouble.value = wrong.message;
      throw error;
    }
  };
  const set = (next: Filled): void => {
    filled.value = next;
    keepDraft(key, { ranks: JSON.stringify(rankingsOf(sheet, next)) });
    saved.value = 'waits';
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save().catch(() => {}), SAVE_MS);
  };
  useEffect(() => {
    if (draftOf(key)['ranks'] && !sent) void save().catch(() => {}); // of before a reload
    return () => clearTimeout(timer.current);
  }, [key]);
  const whole = sheet.scale === 'rank' ? isWhole(filled.value.order) : sheet.names.every((name) => filled.value.scores[name] !== undefined);
  const submit = async (): Promise<void> => {
    try {
      if (!whole) throw new ApiError(-1, 'whole', t('sheetNotWhole'));
      await save();
      await change('POST', `${path}/submit`, {});
      forgetDraft(key);
      rows.again();
      const next = rows.value.value?.items.find((row) => row.id !== sheet.id && !isSent(row));
      go(next ? pathTo(contest, 'judge', next.id) : pathTo(contest, 'judge'));
    } catch (error) {
      trouble.value = asTrouble(error).message;
      again();
    }
  };
  const text = both(sheet.text);
  const grounds = both(sheet.grounds);
  const facts = Object.entries(sheet.facts ?? {});
  return (
    <div class="judging">
      <div class="judge-read">
        <Block title={<>{sheet.criterion} · {wordOf('criterion_', sheet.criterion)}</>}>
          <div class="panel criterion">
            <p>{shown(text || wordOf('criterion_', sheet.criterion))}</p>
            <p class="note">{grounds ? shown(grounds) : t('grounds')}</p>
          </div>
        </Block>
        {facts.length > 0 && (
          <Block title={t('sheetFacts')}><dl class="panel facts2">{facts.map(([name, fact]) => <><dt key={`t${name}`}><bdi>{shown(name)}</bdi></dt><dd key={name}><bdi class="pre">{shown(Array.isArray(fact) ? fact.join('\n') : fact)}</bdi></dd></>)}</dl></Block>
        )}
        <Block title={t('theGame')}><Lines sheet={sheet} /></Block>
      </div>
      {!sent && <a class="button strong to-order" href="#order">{t(sheet.scale === 'rank' ? 'yourOrder' : 'yourScores')} {sheet.scale === 'rank' ? filled.value.order.placed.length : Object.keys(filled.value.scores).length}/{sheet.names.length} ↓</a>}
      <aside class="judge-fill" id="order" tabIndex={-1} aria-label={t('yourOrder')}>
        <div class="block-head"><h2>{t(sheet.scale === 'rank' ? 'yourOrder' : 'yourScores')}</h2>
          <span class="note" role="status">{sent ? t('sheet_DONE') : t(`saved_${saved.value}`)}</span></div>
        {sheet.scale === 'rank' ? <Ranks sheet={sheet} filled={filled.value} set={set} off={sent} /> : <Scores sheet={sheet} filled={filled.value} set={set} off={sent} />}
        {trouble.value && <p class="form-trouble" role="alert">{shown(trouble.value)}</p>}
        {!sent && <p class="acts"><button type="button" class="button strong" aria-disabled={!whole} onClick={() => void submit()}>{t('sheetSend')}</button><a class="button" href={pathTo(contest, 'judge')}>{t('sheetLater')}</a></p>}
        {sent && <p class="acts"><a class="button" href={pathTo(contest, 'judge')}>{t('tabJudge')}</a></p>}
      </aside>
    </div>
  );
}

function Body({ contest, id }: InContest & { id: string }) {
  const loaded = useLoaded<Sheet>(`contests/${encodeURIComponent(contest.name)}/sheets/${encodeURIComponent(id)}`);
  return <When of={loaded}>{(sheet) => <Fill key={`${sheet.id} ${isSent(sheet)}`} contest={contest.name} sheet={sheet} again={loaded.again} />}</When>;
}

export const SheetPage = ({ contest, id }: PageProps) => <Inside name={contest} title={t('tabJudge')} wide>{(inside) => <NeedLogin><Body {...inside} id={id} /></NeedLogin>}</Inside>;
