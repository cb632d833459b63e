// Mind.tsx - the monitor: what the models at a table decided, thought, were asked and answered.
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useEach, useLoaded } from '../load.ts';
import { figuresOf, listened, promptMessages, quantile } from '../mind_figures.ts';
import { Chip, hues, Who } from '../parts/Chip.tsx';
import { Empty, Frame, Loading, Trouble } from '../parts/Frame.tsx';
import { gamePath } from '../parts/Lists.tsx';
import { shown } from '../parts/shown.ts';
import type { PageProps } from '../routes.tsx';
import { lang } from '../settings.ts';
import type { Decision, HomeData, MindData } from '../shapes.ts';
import { clockText } from '../times.ts';
import { num, t, type WordKey } from '../words.ts';

export const unfolded = signal(false);
const SHOWN_FIRST = 60;

const seconds = (ms: number | undefined): string =>
  ms === undefined ? '–' : `${new Intl.NumberFormat(lang.value, { maximumFractionDigits: ms < 10_000 ? 1 : 0 }).format(ms / 1000)} s`;
const money = (value: number, currency: string | undefined): string =>
  `≈ ${new Intl.NumberFormat(lang.value, { maximumFractionDigits: value < 1 ? 4 : 2 }).format(value)} ${currency ?? ''}`;
const sourceWord = (source: string): string =>
  source === 'fallback' ? t('source_rule') : ['model', 'repaired', 'rule', 'demo'].includes(source) ? t(`source_${source}` as WordKey) : shown(source);

// Each answer's time as a dot on one line, the middle and the slow ones marked.
function Strip({ latency, most }: { latency: number[]; most: number }) {
  const x = (ms: number) => 4 + (ms / Math.max(most, 1)) * 112;
  const p50 = quantile(latency, 0.5);
  const p95 = quantile(latency, 0.95);
  if (p50 === undefined || p95 === undefined) return <>–</>;
  return (
    <span class="strip">
      <svg viewBox="0 0 120 16" aria-hidden="true">
        <path d="M4 8h112" class="strip-line" />
        {latency.slice(-200).map((ms, i) => <circle key={i} cx={x(ms).toFixed(1)} cy="8" r="2.2" class="strip-dot" />)}
        <path d={`M${x(p50).toFixed(1)} 2v12M${x(p95).toFixed(1)} 2v12`} class="strip-mark" />
      </svg>
      <span>{seconds(p50)} / {seconds(p95)}</span>
    </span>
  );
}

function Seats({ mind, chosen, choose }: { mind: MindData; chosen: number; choose: (seat: number) => void }) {
  const rows = mind.seats.map((seat) => ({ seat, figures: figuresOf(mind.decisions.filter((each) => each.seat === seat.seat)) }));
  const most = Math.max(1, ...rows.map((row) => row.figures.latency[row.figures.latency.length - 1] ?? 0));
  return (
    <div class="panel scroll" tabIndex={0} role="region" aria-label={t('mindSeat')}>
      <table class="sheet minds">
        <thead><tr>{(['mindSeat', 'mindModel', 'mindDecisions', 'mindTokens', 'mindCost', 'mindLatency', 'mindLeaks', 'mindRefusals'] as const).map((word) => <th scope="col" key={word}>{t(word)}</th>)}</tr></thead>
        <tbody>
          {rows.map(({ seat, figures }) => (
            <tr key={seat.seat} class={chosen === seat.seat ? 'chosen' : ''}>
              <th scope="row"><button type="button" class="link" aria-pressed={chosen === seat.seat} onClick={() => choose(chosen === seat.seat ? 0 : seat.seat)}><Who seat={seat.seat} name={seat.name} /></button></th>
              <td><bdi>{shown(seat.model ?? seat.kind ?? '–')}</bdi></td>
              <td>{figures.sources.length > 0 ? figures.sources.map(([source, n]) => `${num(n)} ${sourceWord(source)}`).join(' · ') : num(figures.decisions)}</td>
              <td class="right">{num(figures.tokensIn)} / {num(figures.tokensOut)}</td>
              <td class="right">{seat.cost !== undefined || figures.cost !== undefined ? money(seat.cost ?? figures.cost ?? 0, mind.currency) : '–'}</td>
              <td><Strip latency={figures.latency} most={most} /></td>
              <td class="right">{num(figures.leaks)}</td>
              <td class="right">{num(figures.refusals)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Fold = ({ title, text }: { title: string; text: string }) => (
  <details class="fold" open={unfolded.value}><summary>{title}</summary><pre><bdi>{shown(text)}</bdi></pre></details>
);

function promptText(mind: MindData, seat: number, number: number | undefined): string | undefined {
  const lines = mind.prompts?.find((each) => each.seat === seat)?.lines;
  if (number === undefined || !lines) return undefined;
  const messages = promptMessages(lines, number);
  return messages && messages.map((message) => `${message.before ? '= ' : ''}[${message.role}]\n${message.content}`).join('\n\n');
}

export function DecisionRow({ decision, mind }: { decision: Decision; mind: MindData }) {
  const { message, thought, raw, reason, why, trouble, reasoning, line, first_raw, first_wrong } = decision;
  const filter = typeof decision.suppressed === 'string' ? decision.suppressed : decision.flagged;
  const asked = promptText(mind, decision.seat, decision.prompt);
  const name = mind.seats.find((each) => each.seat === decision.seat)?.name ?? '';
  const target = decision.target === undefined ? '' : ` → ${decision.target}`;
  return (
    <li class="decision">
      <div class="decision-head">
        <Who seat={decision.seat} name={name} />
        <span class="pill">{shown(decision.task ?? decision.action ?? '')}{shown(target)}</span>
        {decision.source && decision.source !== 'model' && <span class="pill warn">{sourceWord(decision.source)}</span>}
        <span class="note">{decision.t_ms !== undefined && clockText(decision.t_ms)} {seconds(decision.latency_ms ?? decision.took_ms)}</span>
        {decision.a !== undefined && <a class="note" href={`${gamePath(mind.game)}#at=${encodeURIComponent(decision.a)}`}>{t('mindToMoment')}</a>}
      </div>
      {thought && <p class="thought"><span class="unseen">{t('mindThought')}: </span><bdi>{shown(thought)}</bdi></p>}
      {listened(decision) && <p class="note">{t('mindListened')}</p>}
      {message && <p class="spoken"><span class="unseen">{t('mindSaid')}: </span><bdi>{shown(message)}</bdi></p>}
      {line && <p class="note">{t('mindHeldBack')}{filter && ` (${filter === 'leak' ? t('mindLeak') : filter === 'repeat' ? t('mindRepeat') : shown(filter)})`}: <s><bdi>{shown(line)}</bdi></s></p>}
      {(reason ?? why) && <p class="note">{t('mindWhy')}: <bdi>{shown(reason ?? why ?? '')}</bdi></p>}
      {trouble && <p class="bad-text"><bdi>{shown(trouble)}</bdi></p>}
      {asked !== undefined && <Fold title={t('mindPrompt', { n: decision.prompt ?? 0 })} text={asked} />}
      {first_raw && <Fold title={t('mindFirst')} text={first_wrong ? `${first_raw}\n\n${first_wrong}` : first_raw} />}
      {reasoning && <Fold title={t('mindReasoning')} text={reasoning} />}
      {raw && <Fold title={t('mindRaw')} text={raw} />}
    </li>
  );
}

function Decisions({ mind, chosen }: { mind: MindData; chosen: number }) {
  const more = useSignal(SHOWN_FIRST);
  const all = mind.decisions.filter((each) => chosen === 0 || each.seat === chosen).reverse();
  return (
    <section class="block">
      <div class="block-head"><h2>{t('mindDecisions')} <span class="howmany">{chosen === 0 ? t('mindAll') : <Chip seat={chosen} />}</span></h2>
        <label class="switch"><input type="checkbox" checked={unfolded.value} onChange={(event) => { unfolded.value = event.currentTarget.checked; }} />{t('mindUnfold')}</label>
      </div>
      {all.length === 0 && <p class="note">{t('mindNothing')}</p>}
      <ol class="decisions">{all.slice(0, more.value).map((decision, i) => <DecisionRow key={all.length - i} decision={decision} mind={mind} />)}</ol>
      {all.length > more.value && <p class="after"><button type="button" class="button" onClick={() => { more.value += SHOWN_FIRST; }}>{t('moreThings')}</button></p>}
    </section>
  );
}

export function Mind({ id }: PageProps) {
  const { value, trouble, again } = useLoaded<MindData>(`games/${encodeURIComponent(id)}/mind`);
  const chosen = useSignal(0);
  const home = useLoaded<HomeData>('home');
  const mind = value.value;
  const live = (home.value.value?.live ?? []).some((table) => table.id === (mind?.game ?? id) && !table.over);
  useEach(3_000, () => {
    if (!live) return;
    again();
    home.again();
  });
  useEffect(() => {
    document.documentElement.classList.toggle('watched', live);
    return () => document.documentElement.classList.remove('watched');
  }, [live]);
  return (
    <Frame title={live ? t('mindLiveTitle') : `${t('mindTitle')} ${id}`} wide>
      {live && <p class="warning" role="note"><strong>{t('mindLiveTitle')}</strong> {t('mindLiveText')}</p>}
      {mind ? (
        <div style={hues(mind.players ?? Math.max(0, ...mind.seats.map((seat) => seat.seat)))}>
          <p class="note lead"><a href={gamePath(mind.game)}><bdi>{shown(mind.game)}</bdi></a></p>
          {mind.seats.length === 0 ? <Empty title={t('mindNothing')} /> : <Seats mind={mind} chosen={chosen.value} choose={(seat) => { chosen.value = seat; }} />}
          <Decisions mind={mind} chosen={chosen.value} />
        </div>
      ) : trouble.value ? <Trouble trouble={trouble.value} again={again} /> : <Loading />}
    </Frame>
  );
}
