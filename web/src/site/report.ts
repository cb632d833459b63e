// report.ts - a check's report as steps in order, with their figures in words. Pure.
import type { CheckStep, Report, Version } from './shapes.ts';
import { num, t, wordOf } from './words.ts';
import { sizeText } from './size.ts';

export type Verdict = 'ok' | 'warning' | 'failed' | 'skipped' | 'now' | 'later';

/** The way of a version, in order; the last five are steps of the check, which the report names. */
export const states: readonly string[] = ['RECEIVED', 'UNPACKED', 'BUILT', 'CHECKING', 'PASSED', 'ACTIVE'];

/** Something of it may still change by itself. */
export const goesOn = (version: Version): boolean => ['RECEIVED', 'UNPACKED', 'BUILT', 'CHECKING'].includes(version.state) && !lacksFile(version);

/** Its upload broke off. */
export const lacksFile = (version: Version): boolean => version.state === 'RECEIVED' && !version.sha256;

export function verdictOf(step: CheckStep): Verdict {
  if (step.verdict === 'skipped') return 'skipped';
  if (!step.ok) return 'failed';
  return step.verdict === 'warning' || step.verdict === 'warn' ? 'warning' : 'ok';
}

const numberAt = (step: CheckStep, key: string): number | undefined => (typeof step[key] === 'number' ? step[key] : undefined);

/** "p50 0.3 ms · p99 8.7 ms": what the step measured. */
export function figuresOf(step: CheckStep): string {
  const parts: string[] = [];
  const said = step['said'];
  if (typeof said === 'string') parts.push(t('figSaid', { name: said }));
  const limitless = numberAt(step, 'bytes'); // of the archive
  if (limitless !== undefined) parts.push(t('figFilesIn', { n: numberAt(step, 'files') ?? 0 }), sizeText(limitless));
  const games = numberAt(step, 'games');
  if (games !== undefined) parts.push(t('gamesN', { n: games }));
  for (const [key, word] of [['p50_ms', 'figMedian'], ['p99_ms', 'fig99'], ['max_ms', 'figMax'], ['waited_ms', 'figWaited'], ['limit_ms', 'figLimit']] as const) {
    const value = numberAt(step, key);
    if (value !== undefined) parts.push(t(word, { ms: num(value) }));
  }
  const late = numberAt(step, 'late');
  if (late) parts.push(t('figLate', { n: late }));
  const memory = numberAt(step, 'memory_kib');
  if (memory !== undefined) parts.push(t('figMemory', { used: sizeText(memory * 1024), limit: sizeText((numberAt(step, 'memory_limit_kib') ?? 0) * 1024) }));
  for (const [key, word] of [['threads', 'figThreads'], ['files', 'figFiles']] as const) {
    const value = numberAt(step, key);
    const limit = numberAt(step, `${key}_limit`);
    if (value !== undefined && limit !== undefined) parts.push(t(word, { used: num(value), limit: num(limit) }));
  }
  const output = numberAt(step, 'output_bytes');
  if (output !== undefined) parts.push(t('figOutput', { used: sizeText(output), limit: sizeText(numberAt(step, 'output_limit_bytes') ?? 0) }));
  return parts.join(' · ');
}

/** "3 of 9 steps failed", for the line above them. */
export function sumOf(report: Report): { failed: number; warned: number } {
  const verdicts = report.steps.map(verdictOf);
  return { failed: verdicts.filter((each) => each === 'failed').length, warned: verdicts.filter((each) => each === 'warning').length };
}

export const stepWord = (step: string): string => wordOf('step_', step);
