// Tabs.tsx - votes, claims and stances up to the moment.
import type { ComponentChildren } from 'preact';
import type { Course, Table } from '../model.ts';
import { ballots, cellKey, claimsAt, stancesAt, type StanceKind } from '../matrices.ts';
import { Chip } from '../parts/Chip.tsx';
import { RoleWord, roleWord } from '../parts/RoleSign.tsx';
import { shown } from '../parts/shown.ts';
import { t } from '../words.ts';
import { Matrix, SeatHead, type Line } from './Matrix.tsx';
import { seatText } from './moment.ts';
import type { GameStore } from './store.ts';

const seatsOf = (course: Course): number[] => course.doc.seats.map((seat) => seat.seat);

// The matrices follow the log, not the hand that drags.
function moment(game: GameStore): { course: Course; n: number; table: Table } {
  void game.grown.value;
  const course = game.course.value;
  const n = game.resting.value;
  return { course, n, table: course.tableAt(n) };
}

// What scrolls can be reached by keys.
const TabBody = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div class="tabbody" tabIndex={0} role="region" aria-label={label}>{children}</div>
);

const seatLines = (course: Course, table: Table): Line[] =>
  seatsOf(course).map((seat) => ({ key: seat, dead: !table.seats[seat]?.alive, head: <SeatHead course={course} seat={seat} /> }));

export function Votes({ game }: { game: GameStore }) {
  const { course, n, table } = moment(game);
  const columns = ballots(course.doc, n);
  if (columns.length === 0) return <p class="nothing">{t('noBallots')}</p>;
  const lines: Line[] = columns.map((column, i) => {
    const attack = column.kind === 'attack_vote';
    const places = { day: column.day, n: column.round + 1 };
    const text = column.round === 0 ? t(attack ? 'attackColumn' : 'voteColumn', places) : t(attack ? 'attackColumnAgain' : 'voteColumnAgain', places);
    return { key: i, head: text, kind: attack ? 'attack' : 'ballot' };
  });
  const most = columns.map((column) => {
    const counts = new Map<number, number>();
    for (const event of column.votes.values()) counts.set(event.target ?? 0, (counts.get(event.target ?? 0) ?? 0) + 1);
    const top = Math.max(...counts.values());
    return new Set([...counts].filter(([, count]) => count === top).map(([seat]) => seat));
  });
  return (
    <TabBody label={t('voteTable')}><Matrix game={game} label={t('voteTable')} corner={t('voter')} rows={seatLines(course, table)} columns={lines}
      cell={(seat, i) => {
        const column = columns[i];
        const event = column?.votes.get(seat);
        if (!column || !event) return null;
        const target = event.target ?? 0;
        return {
          content: <Chip seat={target} />, title: `${seatText(course, seat)} → ${seatText(course, target)}`, n: event.n,
          kind: most[i]?.has(target) ? 'vote top' : 'vote',
        };
      }} /></TabBody>
  );
}

function Estimates({ game, course, n }: { game: GameStore; course: Course; n: number }) {
  const belief = course.doc.belief;
  if (!belief || (game.status.value === 'running' && game.ownSeat > 0)) return null;
  const row = belief.rows.filter((each) => course.at(each.a) <= n).pop();
  if (!row) return null;
  return (
    <section class="estimates">
      <h2>{t('estimateTitle')} <span class="pill">{shown(belief.method)}</span></h2>
      <p class="note">{t('estimateNote', { text: shown(belief.text) })}</p>
      <ul>
        {seatsOf(course).map((seat, i) => {
          const p = row.p[i] ?? 0;
          return (
            <li key={seat}>
              <SeatHead course={course} seat={seat} />
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="8" /><rect class="p" width={p * 100} height="8" /></svg>
              <b>{Math.round(p * 100)} %</b>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function ClaimsTab({ game }: { game: GameStore }) {
  const { course, n, table } = moment(game);
  const claims = claimsAt(course.doc, n);
  const none = claims.judges.length === 0;
  const columns: Line[] = claims.judges.map((judge) => ({
    key: judge.seat,
    head: <SeatHead course={course} seat={judge.seat}>{judge.role && <RoleWord role={judge.role} />}</SeatHead>,
  }));
  const rows: Line[] = seatsOf(course).map((seat) => {
    const claim = claims.claimed.get(seat);
    return {
      key: seat, dead: !table.seats[seat]?.alive,
      head: (
        <SeatHead course={course} seat={seat}>
          {claim && <RoleWord role={claim.role} />}
          {claims.disputed.has(seat) && <b class="disputed" title={t('disputed')}>≠</b>}
        </SeatHead>
      ),
    };
  });
  return (
    <TabBody label={t('claimTable')}>
      {none ? <p class="nothing">{t('noClaims')}{course.doc.lang !== 'aiwolf' && <><br /><span class="note">{t('noClaimsFree')}</span></>}</p> : (
        <Matrix game={game} label={t('claimTable')} corner={t('voter')} rows={rows} columns={columns}
          cell={(seat, judge) => {
            const verdict = claims.verdicts.get(cellKey(judge, seat));
            if (!verdict) return null;
            const word = verdict.kind === 'GUARDED' ? t('saysGuarded') : verdict.wolf ? t('saysWolf') : t('saysHuman');
            const contrary = claims.contrary.has(cellKey(judge, seat)) || (claims.disputed.has(seat) && verdict.kind !== 'GUARDED');
            const role = claims.claimed.get(judge)?.role;
            return {
              content: <span class="verdict"><i class={verdict.kind === 'GUARDED' ? 'dot guard' : verdict.wolf ? 'dot wolf' : 'dot'} />{word}{contrary && <b class="disputed">≠</b>}</span>,
              title: `${seatText(course, judge)}${role ? ` (${roleWord(role)})` : ''}: ${seatText(course, seat)} – ${word}${contrary ? ` – ${t('disputed')}` : ''}`,
              n: verdict.n, kind: verdict.kind === 'GUARDED' ? 'guarded' : verdict.wolf ? 'wolf' : 'human',
            };
          }} />
      )}
      {!none && (claims.disputed.size > 0 || claims.contrary.size > 0) && <p class="legend note">{t('disputedNote')}</p>}
      <Estimates game={game} course={course} n={n} />
    </TabBody>
  );
}

const stanceSigns: Record<StanceKind, string> = {
  voted: '▶', wants: '▷', suspects: '?', wolf: '●', human: '○', agrees: '+', disagrees: '−', guards: '◇',
};

export function Stances({ game }: { game: GameStore }) {
  const { course, n, table } = moment(game);
  const stances = stancesAt(course.doc, n);
  if (stances.size === 0) return <p class="nothing">{t('noStances')}</p>;
  const seats = seatsOf(course);
  const kinds = Object.keys(stanceSigns) as StanceKind[];
  const used = new Set([...stances.values()].map((stance) => stance.kind));
  return (
    <TabBody label={t('stanceTable')}>
      <Matrix game={game} label={t('stanceTable')} corner={t('stanceFrom')} rows={seatLines(course, table)}
        columns={seats.map((seat) => ({ key: seat, head: <span title={seatText(course, seat)}><Chip seat={seat} /></span>, kind: 'narrow' }))}
        cell={(from, about) => {
          if (from === about) return { content: '', title: '', n: -1, kind: 'self' };
          const stance = stances.get(cellKey(from, about));
          if (!stance) return null;
          return {
            content: stanceSigns[stance.kind], n: stance.n, kind: `stance ${stance.kind}`,
            title: `${seatText(course, from)} ${t(`st_${stance.kind}`)} ${seatText(course, about)}`,
          };
        }} />
      <ul class="legend">
        {kinds.filter((kind) => used.has(kind)).map((kind) => <li key={kind}><i class={`stance ${kind}`}>{stanceSigns[kind]}</i> {t(`st_${kind}`)}</li>)}
      </ul>
    </TabBody>
  );
}
