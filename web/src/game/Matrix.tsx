// Matrix.tsx - a table of cells, each a link to its moment: ballots, claims and stances share it.
import type { ComponentChildren } from 'preact';
import type { Course } from '../model.ts';
import { Chip, Name } from '../parts/Chip.tsx';
import { isNumberName } from '../parts/shown.ts';
import { momentText, type Tab } from './hash.ts';
import type { GameStore } from './store.ts';

export interface Cell {
  content: ComponentChildren;
  /** What it says in words. */
  title: string;
  /** The event that it stands for, -1 = no link. */
  n: number;
  kind: string;
}

export interface Line {
  key: number;
  head: ComponentChildren;
  dead?: boolean;
  kind?: string;
}

/** A link to an event that keeps the view and the tab. */
export function momentHref(game: GameStore, n: number, tab: Tab = game.tab.value): string {
  const at = game.course.value.event(n)?.a;
  return momentText({ view: game.view.value, ...(at === undefined ? {} : { at }), tab }) || '#';
}

export const SeatHead = ({ course, seat, children }: { course: Course; seat: number; children?: ComponentChildren }) => {
  const name = course.names[seat] ?? '';
  return <span class="seathead"><Chip seat={seat} />{!isNumberName(name) && <Name text={name} />}{children}</span>;
};

export function Matrix({ game, label, corner, rows, columns, cell }: {
  game: GameStore;
  label: string;
  corner: string;
  rows: Line[];
  columns: Line[];
  cell: (row: number, column: number) => Cell | null;
}) {
  return (
    <div class="matrix">
      <table>
        <caption class="unseen">{label}</caption>
        <thead>
          <tr><th scope="col" class="corner"><span class="unseen">{corner}</span></th>{columns.map((column) => <th key={column.key} scope="col" class={column.kind}>{column.head}</th>)}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} class={row.dead ? 'dead' : undefined}>
              <th scope="row">{row.head}</th>
              {columns.map((column) => {
                const made = cell(row.key, column.key);
                if (!made) return <td key={column.key} />;
                return (
                  <td key={column.key} class={made.kind}>
                    {made.n >= 0 ? <a href={momentHref(game, made.n)} title={made.title} aria-label={made.title}>{made.content}</a> : <span title={made.title}>{made.content}</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
