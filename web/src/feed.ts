// feed.ts - the page's one socket: what it watches, catching up, coming back.
//
// For:    live games, rooms, a person's seat. Pure: sockets, timers and chance come from outside, so
//         that tests run it without a browser; feed_browser.ts gives it the real ones.
// Source: docs/spec/web.md 5.1.

export type FeedMessage = { type: string; [key: string]: unknown };

export type Line = { send(text: string): void; close(): void };
export type LineEvents = { open(): void; message(text: string): void; closed(): void };

export type FeedWorld = {
  connect(events: LineEvents): Line;
  now(): number; // ms, never going back
  later(ms: number, then: () => void): unknown;
  cancel(timer: unknown): void;
  random(): number; // 0 to 1
};

export type FeedState = 'idle' | 'connecting' | 'open' | 'waiting';

const FIRST_WAIT = 500;
const LAST_WAIT = 15_000;
const SPREAD = 0.3;
const NOTICE_AFTER = 2_000;
const HIDDEN_FOR = 60_000;
const PING_EACH = 25_000;
const PONG_WITHIN = 10_000;
const RATE_WAIT = 5_000;
export const WATCHES_MAX = 9;

type Watch = { view: string; after: string | undefined };

export class Feed {
  state: FeedState = 'idle';
  lost = false; // for longer than NOTICE_AFTER: the page says so
  keep = false; // a seat's page: hidden or not, the socket stays
  private line: Line | undefined;
  private serial = 0; // of the connection; events of an older one are nothing
  private tries = 0;
  private slow = false;
  private visible = true;
  private closed = false;
  private wanted = new Map<string, Watch>();
  private rooms = new Set<string>();
  private secret: string | undefined;
  private retry: unknown;
  private notice: unknown;
  private hide: unknown;
  private ping: unknown;
  private pong: unknown;
  private heard = new Set<(message: FeedMessage) => void>();
  private changed = new Set<() => void>();

  constructor(private world: FeedWorld) {}

  onMessage(hear: (message: FeedMessage) => void): () => void {
    this.heard.add(hear);
    return () => void this.heard.delete(hear);
  }

  onState(hear: () => void): () => void {
    this.changed.add(hear);
    return () => void this.changed.delete(hear);
  }

  // An operator's secret; the first frame of every connection.
  login(secret: string | undefined): void {
    if (secret === this.secret) return;
    this.secret = secret;
    this.reconnect();
  }

  // `after` as the document has it; a later call for the same game replaces the earlier one. False:
  // there are too many.
  watch(game: string, view: string, after?: string): boolean {
    if (!this.wanted.has(game) && this.wanted.size >= WATCHES_MAX) return false;
    this.wanted.set(game, { view, after });
    if (this.state === 'open') this.sendWatch(game);
    else this.start();
    return true;
  }

  unwatch(game: string): void {
    if (this.wanted.delete(game)) this.send({ type: 'unwatch', game });
  }

  // A room's, the home page's or a contest's changes.
  follow(what: FeedMessage): () => void {
    const text = JSON.stringify(what);
    this.rooms.add(text);
    if (this.state === 'open') this.line?.send(text);
    else this.start();
    return () => void this.rooms.delete(text);
  }

  // False when there is no connection: whoever answers tries again when there is one.
  send(message: FeedMessage): boolean {
    if (this.state !== 'open' || !this.line) return false;
    this.line.send(JSON.stringify(message));
    return true;
  }

  start(): void {
    this.closed = false;
    if (this.state === 'idle') this.connect();
  }

  stop(): void {
    this.closed = true;
    this.drop();
    this.clear('retry', 'notice', 'hide');
    this.set('idle');
  }

  // The page has become visible or hidden.
  seen(visible: boolean): void {
    this.visible = visible;
    this.clear('hide');
    if (visible) this.hurry();
    else if (!this.keep) this.hide = this.world.later(HIDDEN_FOR, () => this.rest());
  }

  // The network is back.
  online(): void {
    this.hurry();
  }

  private rest(): void {
    if (this.keep || this.visible) return;
    this.drop();
    this.clear('retry', 'notice');
    this.set('idle');
  }

  private hurry(): void {
    if (this.closed || !this.wants()) return;
    if (this.state === 'open') this.check(PONG_WITHIN / 2);
    else if (this.state !== 'connecting') {
      this.tries = 0;
      this.connect();
    }
  }

  private wants(): boolean {
    return this.keep || this.wanted.size > 0 || this.rooms.size > 0;
  }

  /** The server knows a socket by the cookies that it came with: there are others now. */
  renew(): void {
    this.reconnect();
  }

  private reconnect(): void {
    if (this.state === 'idle' || this.closed) return;
    this.tries = 0;
    this.connect();
  }

  private connect(): void {
    this.drop();
    this.clear('retry');
    const serial = ++this.serial;
    const mine = () => serial === this.serial;
    this.set('connecting');
    this.line = this.world.connect({
      open: () => mine() && this.opened(),
      message: (text) => mine() && this.received(text),
      closed: () => mine() && this.ended(),
    });
  }

  private opened(): void {
    this.set('open');
    if (this.secret !== undefined) this.send({ type: 'login', secret: this.secret });
    for (const game of this.wanted.keys()) this.sendWatch(game);
    for (const text of this.rooms) this.line?.send(text);
    this.schedulePing();
  }

  private sendWatch(game: string): void {
    const { view, after } = this.wanted.get(game) as Watch;
    this.send(after === undefined ? { type: 'watch', game, view } : { type: 'watch', game, view, after });
  }

  private received(text: string): void {
    let message: FeedMessage;
    try {
      message = JSON.parse(text) as FeedMessage;
    } catch {
      return;
    }
    if (typeof message !== 'object' || message === null || typeof message.type !== 'string') return;
    this.clear('pong');
    if (message.type === 'error') this.slow = message.code === 'rate';
    else this.tries = 0;
    if (message.type === 'error' && (message.code === 'login' || message.code === 'tries')) this.secret = undefined;
    const watch = this.wanted.get(String(message.game));
    if (watch && message.type === 'events' && typeof message.id === 'string') watch.after = message.id;
    if (watch && message.type === 'again') watch.after = undefined;
    if (message.type === 'gone') this.wanted.delete(String(message.game));
    for (const hear of [...this.heard]) hear(message);
  }

  private ended(): void {
    this.serial++;
    this.line = undefined;
    this.clear('ping', 'pong');
    if (this.closed || !this.wants()) {
      this.set('idle');
      return;
    }
    const wait = Math.min(LAST_WAIT, FIRST_WAIT * 2 ** this.tries);
    const spread = 1 + (this.world.random() * 2 - 1) * SPREAD;
    this.tries++;
    this.set('waiting');
    this.retry = this.world.later((this.slow ? Math.max(wait, RATE_WAIT) : wait) * spread, () => this.connect());
    this.slow = false;
  }

  private drop(): void {
    this.serial++;
    this.clear('ping', 'pong');
    this.line?.close();
    this.line = undefined;
  }

  private schedulePing(): void {
    this.clear('ping');
    this.ping = this.world.later(PING_EACH, () => {
      this.check(PONG_WITHIN);
      this.schedulePing();
    });
  }

  // Is anybody there? A socket whose network is gone does not say so.
  private check(within: number): void {
    this.clear('pong');
    this.pong = this.world.later(within, () => {
      this.line?.close();
      this.ended();
    });
    this.send({ type: 'ping', t: Math.round(this.world.now()) });
  }

  private set(state: FeedState): void {
    this.state = state;
    if (state === 'open' || state === 'idle') {
      this.clear('notice');
      this.lost = false;
    } else if (!this.lost && this.notice === undefined) {
      this.notice = this.world.later(NOTICE_AFTER, () => {
        this.notice = undefined;
        this.lost = true;
        this.tell();
      });
    }
    this.tell();
  }

  private tell(): void {
    for (const hear of [...this.changed]) hear();
  }

  private clear(...timers: ('retry' | 'notice' | 'hide' | 'ping' | 'pong')[]): void {
    for (const timer of timers) {
      if (this[timer] !== undefined) this.world.cancel(this[timer]);
      this[timer] = undefined;
    }
  }
}
