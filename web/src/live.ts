// live.ts - the feed of this page with the browser's own socket and timers, and games that are
// followed by it.
//
// For:    every page that shows something while it happens.
// Source: docs/spec/web.md 5.1.
import { batch, signal, type Signal } from '@preact/signals';
import { ApiError, getWithHeaders, operatorSecret } from './api.ts';
import { readDoc, type GameDoc } from './doc.ts';
import { Feed, type FeedMessage } from './feed.ts';
import { browserWorld } from './feed_browser.ts';
import { clockOf, grow, type Clock } from './follow.ts';

/** The page's one socket. It opens when something is watched. */
export const feed = new Feed(browserWorld);
/** No connection for more than two seconds: the page says so. */
export const feedLost = signal(false);
export const feedOpen = signal(false);

feed.onState(() => batch(() => {
  feedLost.value = feed.lost;
  feedOpen.value = feed.state === 'open';
}));
feed.login(operatorSecret() || undefined);
document.addEventListener('visibilitychange', () => feed.seen(document.visibilityState === 'visible'));
addEventListener('online', () => feed.online());

/** Whoever shows a game that is watched: GameStore of the game's page, LiveGame of small tables. */
export interface Sink {
  /** The whole document, now and when the feed can't go on behind the old one. */
  show(doc: GameDoc): void;
  /** What is new; false: something lacks, the document is fetched anew. */
  grow(frame: FeedMessage): boolean;
}

/** One view of a game from the server: its document, and what the feed tells of it since. */
export class Watch {
  readonly clock: Signal<Clock | null> = signal(null);
  /** Who is asked to speak; 0: nobody. */
  readonly typing = signal(0);
  readonly trouble: Signal<ApiError | null> = signal(null);
  /** Over: all views may be fetched. */
  readonly over = signal(false);
  private loading = false;
  private again = false;
  private stopped = false;
  private shown = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly deaf: () => void;

  constructor(readonly id: string, readonly view: string, private readonly sink: Sink) {
    this.deaf = feed.onMessage((message) => this.hear(message));
    void this.load();
  }

  stop(): void {
    this.stopped = true;
    this.deaf();
    clearTimeout(this.retry);
    feed.unwatch(this.id);
  }

  /** The document from the server, and the feed behind it. */
  async load(): Promise<void> {
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    try {
      const { body, headers } = await getWithHeaders<unknown>(`games/${encodeURIComponent(this.id)}/doc?view=${this.view}`);
      if (!this.stopped) this.loaded(readDoc(body), headers.get('X-Warg-Feed'));
    } catch (error) {
      if (!this.stopped) this.failed(error);
    }
    this.loading = false;
    if (this.again && !this.stopped) {
      this.again = false;
      void this.load();
    }
  }

  private loaded(doc: GameDoc, after: string | null): void {
    this.shown = true;
    batch(() => {
      this.sink.show(doc);
      this.trouble.value = null;
      this.over.value = doc.status !== 'running';
      if (this.over.value) this.clock.value = null;
    });
    if (doc.status === 'running' && after) feed.watch(this.id, this.view, after);
    else feed.unwatch(this.id);
  }

  private failed(error: unknown): void {
    const trouble = error instanceof ApiError ? error : new ApiError(0, 'document', error instanceof Error ? error.message : String(error));
    // A server that starts again, or is busy: what is on the page stays there.
    const passes = trouble.status === 0 || trouble.status === 429 || trouble.status >= 500;
    if (!this.shown || !passes) this.trouble.value = trouble;
    if (passes) this.retry = setTimeout(() => void this.load(), 3000);
  }

  private hear(message: FeedMessage): void {
    if (message.game !== this.id || (message.view !== undefined && message.view !== this.view)) return;
    switch (message.type) {
      case 'events':
        if (!this.shown || this.loading) return;
        if (!this.sink.grow(message)) {
          feed.unwatch(this.id);
          void this.load();
        }
        this.typing.value = 0;
        return;
      case 'clock':
        this.clock.value = clockOf(message, performance.now()) ?? null;
        return;
      case 'typing':
        this.typing.value = Number(message.seat) || 0;
        return;
      // Over for some time, or in another process: the document comes from the log, or not at all.
      case 'gone':
      case 'again':
        void this.load();
        return;
      case 'reveal':
        batch(() => {
          this.clock.value = null;
          this.typing.value = 0;
          this.over.value = true;
        });
        return;
      default:
    }
  }
}

/** A game's document that grows: for small tables, which need no more than its end. */
export class LiveGame {
  readonly doc: Signal<GameDoc | null> = signal(null);
  readonly watch: Watch;

  constructor(id: string, view: string) {
    this.watch = new Watch(id, view, {
      show: (doc) => { this.doc.value = doc; },
      grow: (frame) => {
        const before = this.doc.peek();
        const growth = before ? grow(before, frame) : 'again';
        if (growth === 'again') return false;
        if (growth.grew) this.doc.value = growth.doc;
        return true;
      },
    });
  }

  stop(): void {
    this.watch.stop();
  }
}
