// Log.tsx - what was said and done up to the moment: the last rows, more when one scrolls up.
import { Component, createRef, type VNode } from 'preact';
import { effect, signal } from '@preact/signals';
import type { GameEvent } from '../doc.ts';
import { rowAt, type Row } from '../rows.ts';
import { lang, sentences } from '../settings.ts';
import { t } from '../words.ts';
import { rowViews } from './LogRows.tsx';
import type { GameStore, Telling } from './store.ts';

const rowsAtOnce = 24;

/** The list of rows. Made anew for each document (by its key), since what is drawn is kept in it. */
export class Log extends Component<{ game: GameStore; telling: Telling }> {
  private readonly list = createRef<HTMLDivElement>();
  /** How many rows above the moment are drawn; back to the first number at each jump. */
  private readonly above = signal(rowsAtOnce);
  /** What a row looked like, by language and by the way sentences read: it never changes. */
  private drawn = new Map<Row, VNode>();
  private drawnFor = '';
  private shownAt = -1;
  private stop: (() => void) | undefined;
  private keepBottom = true;
  private heightBefore = 0;

  override componentDidMount(): void {
    this.stop = effect(() => {
      void this.props.game.resting.value;
      this.keepBottom = true;
      this.above.value = rowsAtOnce;
    });
    this.toBottom();
  }

  override componentWillUnmount(): void {
    this.stop?.();
  }

  override componentDidUpdate(): void {
    const list = this.list.current;
    if (!list) return;
    if (this.keepBottom) this.toBottom();
    else if (this.heightBefore > 0) {
      // Rows came in above: what one reads stays where it is.
      list.scrollTop += list.scrollHeight - this.heightBefore;
      this.heightBefore = 0;
    }
  }

  private toBottom(): void {
    const list = this.list.current;
    if (list) list.scrollTop = list.scrollHeight;
  }

  private readonly scrolled = (): void => {
    const list = this.list.current;
    if (!list) return;
    this.keepBottom = list.scrollTop + list.clientHeight >= list.scrollHeight - 24;
    if (list.scrollTop < 200 && this.shownAt >= this.above.value) {
      this.heightBefore = list.scrollHeight;
      this.keepBottom = false;
      this.above.value += rowsAtOnce;
    }
  };

  private view(row: Row, until: number): VNode {
    const whole = until >= row.last;
    const old = whole ? this.drawn.get(row) : undefined;
    if (old) return old;
    const View = rowViews[row.kind];
    const made = <View course={this.props.telling.course} row={row} until={until} />;
    // A row of a game that runs may grow: it is kept when the next one has begun.
    if (whole && row !== this.props.telling.rows[this.props.telling.rows.length - 1]) this.drawn.set(row, made);
    return made;
  }

  override render() {
    const { game, telling } = this.props;
    void game.grown.value;
    const how = `${lang.value} ${sentences.value}`;
    if (how !== this.drawnFor) this.drawn = new Map();
    this.drawnFor = how;
    const until = game.resting.value;
    const at = rowAt(telling.rows, until);
    this.shownAt = at;
    const from = Math.max(0, at + 1 - this.above.value);
    const rows = telling.rows.slice(from, at + 1);
    return (
      <div class="log" ref={this.list} onScroll={this.scrolled} tabIndex={0} role="region" aria-label={t('tab_log')}>
        <div class="logspace" />
        <ol class="rows">
          {rows.map((row, i) => (
            <li key={`${row.first}/${row.kind}`} class={from + i === at ? `row ${row.kind} now` : `row ${row.kind}`}
              onClick={(press) => this.jump(press, row)}>
              {this.view(row, until)}
            </li>
          ))}
        </ol>
      </div>
    );
  }

  // A click on a row's face or sign goes to its moment; text is for reading and choosing.
  private jump(press: MouseEvent, row: Row): void {
    if (!(press.target as Element).closest('.face,.rowicon,.headline,.ballothead')) return;
    const events = this.props.telling.course.doc.events;
    const last = Math.min(row.last, this.props.game.reached.value);
    if (events[last] as GameEvent | undefined) this.props.game.go(Math.max(row.first, last));
  }
}
