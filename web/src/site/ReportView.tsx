// ReportView.tsx - what the check of a version found, step by step, with what to change.
import { shown } from '../parts/shown.ts';
import { lang } from '../settings.ts';
import { When } from './Frame.tsx';
import { useLoaded } from './loaded.ts';
import { figuresOf, stepWord, sumOf, verdictOf, type Verdict } from './report.ts';
import type { CheckStep, Report } from './shapes.ts';
import { num, t, wordOf } from './words.ts';

const signs: Record<Verdict, string> = { ok: '✓', warning: '!', failed: '✕', skipped: '–', now: '…', later: '·' };

export const Sign = ({ verdict }: { verdict: Verdict }) => <span class={`sign-v v-${verdict}`} aria-hidden="true">{signs[verdict]}</span>;

const Lines = ({ title, lines }: { title: string; lines: readonly string[] | undefined }) =>
  !lines || lines.length === 0 ? null : <div class="lines"><span class="note">{title}</span><pre tabIndex={0}>{lines.map((line) => shown(line)).join('\n')}</pre></div>;

function Step({ step, report }: { step: CheckStep; report: Report }) {
  const verdict = verdictOf(step);
  const found = (report.findings ?? []).filter((each) => (each.step ?? 'conduct') === step.step || (step.step === 'conduct' && !report.steps.some((other) => other.step === each.step)));
  const figures = figuresOf(step);
  return (
    <li class="step">
      <Sign verdict={verdict} />
      <div class="step-body">
        <p class="step-head"><strong>{stepWord(step.step)}</strong> <span>{t(`verdict_${verdict}`)}</span>{step.ms !== undefined && verdict !== 'skipped' && <span class="note"> {num(Math.round(step.ms * 10) / 10)} ms</span>}</p>
        {(step.text ?? figures) && <p class="note">{shown(step.text ?? figures)}</p>}
        {step.advice && <p class="advice"><strong>{t('whatToChange')}</strong> {shown((lang.value === 'ja' && step.advice_ja) || step.advice)}</p>}
        <Lines title={t('evidence')} lines={step.evidence} />
        {found.length > 0 && <ul class="found">{found.map((each, i) => (
          <li key={i}><strong>{wordOf('rule_', each.rule)}</strong> <bdi>{shown(each.text)}</bdi>{each.game !== undefined && <span class="note"> {t('gameNumber', { n: String(each.game) })}{each.day !== undefined && <>, {t('dayNumber', { n: String(each.day) })}</>}</span>}</li>
        ))}</ul>}
        <Lines title={t('lastLines')} lines={step.output} />
      </div>
    </li>
  );
}

export function ReportSteps({ report }: { report: Report }) {
  const { failed, warned } = sumOf(report);
  const warnings = (lang.value === 'ja' && report.warnings_ja) || (report.warnings ?? []);
  return (
    <div class="report">
      <p class="lead">
        <span class={report.verdict === 'passed' ? 'pill good' : 'pill warn'}>{wordOf('reported_', report.verdict)}</span>{' '}
        {failed > 0 && t('stepsFailed', { n: failed })} {warned > 0 && t('stepsWarned', { n: warned })}
        {report.level && <span class="note"> {t('checkLevel', { level: report.level })}</span>}
      </p>
      <ol class="steps">{report.steps.map((step) => <Step key={step.step} step={step} report={report} />)}</ol>
      {warnings.length > 0 && <ul class="warnings">{warnings.map((each, i) => <li key={i}>{shown(each)}</li>)}</ul>}
    </div>
  );
}

export function ReportOf({ path }: { path: string }) {
  const report = useLoaded<Report>(path);
  return <When of={report}>{(value) => <ReportSteps report={value} />}</When>;
}
