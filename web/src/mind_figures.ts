// mind_figures.ts - sums over the decisions of a seat's model. Pure.
import type { Decision, PromptLine } from './shapes.ts';

export interface SeatFigures {
  decisions: number;
  sources: [string, number][]; // the most first
  tokensIn: number;
  tokensOut: number;
  cost: number | undefined; // undefined: no price is known
  latency: number[]; // ascending
  leaks: number;
  refusals: number;
}

export function figuresOf(decisions: readonly Decision[]): SeatFigures {
  const sources = new Map<string, number>();
  const made: SeatFigures = { decisions: decisions.length, sources: [], tokensIn: 0, tokensOut: 0, cost: undefined, latency: [], leaks: 0, refusals: 0 };
  for (const decision of decisions) {
    const source = decision.source ?? 'model';
    sources.set(source, (sources.get(source) ?? 0) + 1);
    made.tokensIn += decision.prompt_tokens ?? 0;
    made.tokensOut += decision.answer_tokens ?? 0;
    if (decision.cost !== undefined) made.cost = (made.cost ?? 0) + decision.cost;
    const took = decision.latency_ms ?? decision.took_ms;
    if (took !== undefined) made.latency.push(took);
    if (decision.suppressed) made.leaks++;
    if (decision.outcome === 'refused' || decision.trouble !== undefined) made.refusals++;
  }
  made.latency.sort((a, b) => a - b);
  made.sources = [...sources].sort((a, b) => b[1] - a[1]);
  return made;
}

/** Whether one chose to say nothing and do nothing. */
export const listened = (decision: Decision): boolean => decision.action === 'listen' && !decision.message && decision.target === undefined;

/** The value below which `part` of the ascending values lie (nearest rank). */
export function quantile(values: readonly number[], part: number): number | undefined {
  return values[Math.min(values.length - 1, Math.max(0, Math.ceil(part * values.length) - 1))];
}

export interface PromptMessage {
  role: string;
  content: string;
  before: boolean; // the request before had it, too
}

/** The messages of request `number` as they were sent, put together from the lines that it refers to. */
export function promptMessages(lines: readonly PromptLine[], number: number): PromptMessage[] | undefined {
  const byNumber = new Map(lines.map((line) => [line.prompt, line]));
  const own: PromptLine[] = [];
  for (let at: number | undefined = number; at !== undefined;) {
    const line = byNumber.get(at);
    // A line refers to an earlier one; else it is none that this program wrote.
    if (!line || (line.as !== undefined && line.as >= line.prompt)) return undefined;
    own.push(line);
    at = line.as;
  }
  let messages: PromptMessage[] = [];
  for (const line of own.reverse()) {
    const same = messages.slice(0, line.same ?? 0).map((message) => ({ ...message, before: true }));
    messages = [...same, ...(line.messages ?? []).map((message) => ({ role: String(message.role), content: String(message.content), before: false }))];
  }
  return messages;
}

/** The decisions that had been made at event `until`, newest first. One without a line of its own (who
 * only listened) came when the one before it did. */
export function decisionsAt(decisions: readonly Decision[], at: (anchor: string) => number | undefined, until: number): Decision[] {
  const made: Decision[] = [];
  let n = -1;
  for (const decision of decisions) {
    n = Math.max(n, decision.a === undefined ? n : at(decision.a) ?? n);
    if (n <= until) made.push(decision);
  }
  return made.reverse();
}
