// scores.ts - judges' scores as a table shows them: people, then each model. Pure.
import type { ScoreTeam, TrackScores } from './shapes.ts';

export interface SideCriterion {
  letter: string;
  teams: ScoreTeam[];
  alpha?: number | null; // of people
  w?: number | null; // of people, or of a model's repeats
  tau?: number | null;
  position?: number | null;
  keptOut?: boolean;
}

/** People, or one model. */
export interface ScoreSide {
  key: string; // '' people
  model?: string;
  criteria: SideCriterion[];
  teams: { team: string; total?: number; place?: number }[]; // best first
}

const byPlace = (a: { team: string; place?: number }, b: { team: string; place?: number }): number =>
  (a.place ?? Infinity) - (b.place ?? Infinity) || (a.team < b.team ? -1 : 1);

function sideOf(key: string, model: string | undefined, criteria: SideCriterion[], totals: readonly { team: string; total: number; place: number }[]): ScoreSide {
  const names = new Set([...totals.map((row) => row.team), ...criteria.flatMap((each) => each.teams.map((row) => row.team))]);
  const teams = [...names].map((team) => totals.find((row) => row.team === team) ?? { team });
  return { key, ...(model === undefined ? {} : { model }), criteria, teams: teams.sort(byPlace) };
}

/** Sides with a rating at all, people first. */
export function scoreSides(track: TrackScores): ScoreSide[] {
  const letters = Object.keys(track.criteria).sort();
  const people = letters.map((letter): SideCriterion => {
    const own = track.criteria[letter];
    return { letter, teams: own?.people ?? [], alpha: own?.alpha?.people ?? null, w: own?.w ?? null };
  });
  const models = [...new Set(letters.flatMap((letter) => (track.criteria[letter]?.models ?? []).map((each) => each.model)))];
  const sides = [sideOf('', undefined, people, track.totals?.people ?? [])];
  models.forEach((model, i) => {
    const criteria = letters.map((letter): SideCriterion => {
      const own = track.criteria[letter]?.models?.find((each) => each.model === model);
      return { letter, teams: own?.teams ?? [], tau: own?.tau ?? null, w: own?.repeat_w ?? null, position: own?.position ?? null, keptOut: own?.kept_out === true };
    });
    sides.push(sideOf(String(i + 1), model, criteria, track.totals?.models?.find((each) => each.model === model)?.teams ?? []));
  });
  return sides.filter((side) => side.criteria.some((each) => each.teams.length > 0));
}
