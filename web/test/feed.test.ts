// The socket's client over a world without a network: time moves when the test says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Feed, type FeedMessage, type FeedWorld, type Line, type LineEvents } from '../src/feed.ts';

class World implements FeedWorld {
  time = 0;
  chance = 0.5;
  pongs = true;
  lines: { events: LineEvents; sent: FeedMessage[]; open: boolean }[] = [];
  private timers: { at: number; then: () => void }[] = [];

  connect(events: LineEvents): Line {
    const line = { events, sent: [] as FeedMessage[], open: true };
    this.lines.push(line);
    const send = (text: string) => {
      const message = JSON.parse(text) as FeedMessage;
      line.sent.push(message);
      if (message.type === "ping" && this.pongs) events.message('{"type":"pong"}');
    };
    return { send, close: () => void (line.open = false) };
  }
  now = () => this.time;
  random = () => this.chance;
  later(ms: number, then: () => void): unknown {
    const timer = { at: this.time + ms, then };
    this.timers.push(timer);
    return timer;
  }
  cancel(timer: unknown): void {
    this.timers = this.timers.filter((t) => t !== timer);
  }
  pass(ms: number): void {
    const until = this.time + ms;
    for (;;) {
      const next = this.timers.filter((t) => t.at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.time = next.at;
      this.cancel(next);
      next.then();
    }
    this.time = until;
  }
  get last() {
    return this.lines[this.lines.length - 1] as World['lines'][number];
  }
  tell(message: FeedMessage): void {
    this.last.events.message(JSON.stringify(message));
  }
}

function begun(): [World, Feed] {
  const world = new World();
  const feed = new Feed(world);
  feed.watch('g1', 'public', 'aa.3');
  world.last.events.open();
  return [world, feed];
}

test('a watch goes out when the socket opens, and goes on behind the last event after a cut', () => {
  const [world] = begun();
  assert.deepEqual(world.last.sent, [{ type: 'watch', game: 'g1', view: 'public', after: 'aa.3' }]);
  world.tell({ type: 'events', game: 'g1', id: 'aa.7', events: [] });
  world.last.events.closed();
  world.pass(500);
  assert.equal(world.lines.length, 2);
  world.last.events.open();
  assert.deepEqual(world.last.sent, [{ type: 'watch', game: 'g1', view: 'public', after: 'aa.7' }]);
});

test('it waits 0.5, 1, 2, 4, 8, 15, 15 s, and less or more by 30 %', () => {
  for (const [chance, factor] of [[0.5, 1], [0, 0.7], [1, 1.3]] as const) {
    const [world] = begun();
    world.chance = chance;
    for (const wait of [500, 1000, 2000, 4000, 8000, 15000, 15000]) {
      const before = world.lines.length;
      world.last.events.closed();
      world.pass(wait * factor - 1);
      assert.equal(world.lines.length, before, `${wait} too early`);
      world.pass(2);
      assert.equal(world.lines.length, before + 1, `${wait} too late`);
    }
  }
});

test('a message makes the next wait short again', () => {
  const [world] = begun();
  for (let i = 0; i < 5; i++) {
    world.last.events.closed();
    world.pass(16_000);
  }
  world.last.events.open();
  world.tell({ type: 'pong', t: 1, now_ms: 1 });
  world.last.events.closed();
  const before = world.lines.length;
  world.pass(501);
  assert.equal(world.lines.length, before + 1);
});

test('what was sent too fast waits for at least 5 s', () => {
  const [world] = begun();
  world.tell({ type: 'error', code: 'rate', error: '' });
  world.last.events.closed();
  world.pass(4999);
  assert.equal(world.lines.length, 1);
  world.pass(2);
  assert.equal(world.lines.length, 2);
});

test('visible or online again it comes back at once', () => {
  for (const act of ['seen', 'online'] as const) {
    const [world, feed] = begun();
    for (let i = 0; i < 6; i++) {
      world.last.events.closed();
      world.pass(16_000);
    }
    world.last.events.closed();
    const before = world.lines.length;
    act === 'seen' ? feed.seen(true) : feed.online();
    assert.equal(world.lines.length, before + 1);
  }
});

test('the loss is told after 2 s, and its end at once', () => {
  const [world, feed] = begun();
  world.last.events.closed();
  world.pass(1999);
  assert.equal(feed.lost, false);
  world.pass(2);
  assert.equal(feed.lost, true);
  feed.online();
  world.last.events.open();
  assert.equal(feed.lost, false);
});

test("hidden for 60 s it closes, a seat's page never", () => {
  const [world, feed] = begun();
  feed.seen(false);
  world.pass(59_999);
  assert.equal(feed.state, 'open');
  world.pass(2);
  assert.equal(feed.state, 'idle');
  assert.equal(world.last.open, false);
  feed.seen(true);
  assert.equal(feed.state, 'connecting');

  const [other, seat] = begun();
  seat.keep = true;
  seat.seen(false);
  other.pass(300_000);
  assert.equal(seat.state, 'open');
  assert.equal(other.lines.length, 1);
});

test("an operator's secret is the first frame of each connection", () => {
  const world = new World();
  const feed = new Feed(world);
  feed.login('s3cret');
  feed.watch('g1', 'all');
  world.last.events.open();
  assert.deepEqual(world.last.sent[0], { type: 'login', secret: 's3cret' });
  world.last.events.closed();
  world.pass(1000);
  world.last.events.open();
  assert.deepEqual(world.last.sent.map((m) => m.type), ['login', 'watch']);
});

test('a restart is a new connection that goes on where the old one was', () => {
  const [world, feed] = begun();
  const old = world.last;
  world.tell({ type: 'events', game: 'g1', id: 'aa.5' });
  feed.renew();
  assert.equal(old.open, false);
  assert.equal(world.lines.length, 2);
  world.last.events.open();
  assert.deepEqual(world.last.sent, [{ type: 'watch', game: 'g1', view: 'public', after: 'aa.5' }]);
});

test('a secret that is none is not sent again', () => {
  const world = new World();
  const feed = new Feed(world);
  feed.login('wrong');
  feed.watch('g1', 'public');
  world.last.events.open();
  world.tell({ type: 'error', code: 'login', error: '' });
  world.last.events.closed();
  world.pass(1000);
  world.last.events.open();
  assert.deepEqual(world.last.sent.map((m) => m.type), ['watch']);
});

test('a socket that says nothing to a ping is given up', () => {
  const [world] = begun();
  world.pongs = false;
  world.pass(25_000);
  assert.equal(world.last.sent.at(-1)?.type, 'ping');
  world.pass(10_500);
  assert.equal(world.lines.length, 2);
});

test('events of a socket that was given up are nothing', () => {
  const [world, feed] = begun();
  const old = world.last;
  const heard: FeedMessage[] = [];
  feed.onMessage((m) => void heard.push(m));
  old.events.closed();
  world.pass(600);
  old.events.message('{"type":"events","game":"g1","id":"aa.9"}');
  old.events.closed();
  assert.equal(heard.length, 0);
  assert.equal(world.lines.length, 2);
});

test('nine games at most; again forgets the place, gone the game', () => {
  const world = new World();
  const feed = new Feed(world);
  for (let i = 0; i < 9; i++) assert.equal(feed.watch(`g${i}`, 'public', 'aa.1'), true);
  assert.equal(feed.watch('g9', 'public'), false);
  world.last.events.open();
  world.tell({ type: 'again', game: 'g3' });
  world.tell({ type: 'gone', game: 'g4', why: '' });
  world.last.events.closed();
  world.pass(600);
  world.last.events.open();
  const watches = world.last.sent.filter((m) => m.type === 'watch');
  assert.equal(watches.length, 8);
  assert.equal('after' in (watches.find((m) => m.game === 'g3') as object), false);
});

test('what is no message is passed over', () => {
  const [world, feed] = begun();
  for (const text of ["", "{", "null", "[]", "3", '{"type":3}']) world.last.events.message(text);
  assert.equal(feed.state, 'open');
});
