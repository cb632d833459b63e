// live.ts - the feed of this page with the browser's own socket and timers, and games that are
// followed by it.
//
// For:    every page that shows something while it happens.
// Source: docs/spec/web.md 5.1.
import { batch, signal, type Signal } from '@preact/signals';
import { ApiError, getWithHeaders, operatorSecret } from './api.ts';
import { readDoc, type GameDoc } from './doc.ts';
import { Feed, type FeedMessage, type FeedWorld } from './feed.ts';
import { clockOf, grow, type Clock } from './follow.ts';

const world: FeedWorld = {
  connect(events) {
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/web/api/feed`);
    socket.onopen = () => events.open();
    socket.onmessage = (message) => events.message(String(message.data));
    socket.onclose = () => events.closed();
    return {
      send: (text) => { if (socket.readyState === WebSocket.OPEN) socket.send(text); },
      close: () => socket.close(),
    };
  },
  now: () => performance.now(),
  later: (ms, then) => setTimeout(then, ms),
  cancel: (timer) => clearTimeout(timer as number),
  random: () => Math.random(),
};

/** The page's one socket. It opens when something is watched. */
export const feed = new Feed(world);
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

/** A game as one view has it, growing while it is played. Stop it when nobody looks any more. */
export class LiveGame {
  readonly doc: Signal<GameDoc | null> = signal(null);
  readonly clock: Signal<Clock | null> = signal(null);
  /** Who is asked to speak; 0: nobody. */
  readonly typing = signal(0);
  readonly trouble: Signal<ApiError | null> = signal(null);
  /** Over: all views may be fetched. */
  readonly over = signal(false);
  private loading = false;
  private again = false;
  private stopped = false;
  private deaf: () => void;

  constructor(readonly id: string, readonly view: string) {
    this.deaf = feed.onMessage((message) => this.hear(message));
    void this.load();
  }

  stop(): void {
    this.stopped = true;
    this.deaf();
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
      if (this.stopped) return;
      const doc = readDoc(body);
      batch(() => {
        this.doc.value = doc;
        this.trouble.value = null;
        this.over.value = doc.status !== 'running';
      });
      const after = headers.get('X-Warg-Feed');
      if (doc.status === 'running' && after) feed.watch(this.id, this.view, after);
    } catch (error) {
      if (!this.stopped) this.failed(error);
    } finally {
      this.loading = false;
      if (this.again && !this.stopped) {
        this.again = false;
        void this.load();
      }
    }
  }

  private failed(error: unknown): void {
    const trouble = error instanceof ApiError ? error : new ApiError(0, 'document', error instanceof Error ? error.message : String(error));
    this.trouble.value = trouble;
    // A server that starts again, or is busy: what is on the page stays there.
    if (trouble.status === 0 || trouble.status >= 500) setTimeout(() => { if (!this.stopped) void this.load(); }, 3000);
  }

  private hear(message: FeedMessage): void {
    if (message.game !== this.id) return;
    switch (message.type) {
      case 'events': return this.hearEvents(message);
      case 'clock':
        this.clock.value = clockOf(message, performance.now()) ?? null;
        return;
      case 'typing':
        this.typing.value = Number(message.seat) || 0;
        return;
      case 'again':
        void this.load();
        return;
      case 'reveal':
        batch(() => {
          this.over.value = true;
          this.clock.value = null;
          this.typing.value = 0;
        });
        return;
      case 'gone':
        this.trouble.value = new ApiError(410, 'gone', typeof message.why === 'string' ? message.why : '');
        return;
      default:
    }
  }

  private hearEvents(message: FeedMessage): void {
    const doc = this.doc.peek();
    if (!doc) return;
    const growth = grow(doc, message);
    if (growth === 'again') {
      feed.unwatch(this.id);
      void this.load();
      return;
    }
    if (!growth.grew) return;
    batch(() => {
      this.doc.value = growth.doc;
      this.typing.value = 0;
      if (growth.doc.status !== 'running') this.clock.value = null;
    });
  }
}
