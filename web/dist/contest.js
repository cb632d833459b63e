"use strict";
(() => {
  // src/feed.ts
  var FIRST_WAIT = 500;
  var LAST_WAIT = 15e3;
  var SPREAD = 0.3;
  var NOTICE_AFTER = 2e3;
  var HIDDEN_FOR = 6e4;
  var PING_EACH = 25e3;
  var PONG_WITHIN = 1e4;
  var RATE_WAIT = 5e3;
  var WATCHES_MAX = 9;
  var Feed = class {
    constructor(world) {
      this.world = world;
    }
    world;
    state = "idle";
    lost = false;
    // for longer than NOTICE_AFTER: the page says so
    keep = false;
    // a seat's page: hidden or not, the socket stays
    line;
    serial = 0;
    // of the connection; events of an older one are nothing
    tries = 0;
    slow = false;
    visible = true;
    closed = false;
    wanted = /* @__PURE__ */ new Map();
    rooms = /* @__PURE__ */ new Set();
    secret;
    retry;
    notice;
    hide;
    ping;
    pong;
    heard = /* @__PURE__ */ new Set();
    changed = /* @__PURE__ */ new Set();
    onMessage(hear) {
      this.heard.add(hear);
      return () => void this.heard.delete(hear);
    }
    onState(hear) {
      this.changed.add(hear);
      return () => void this.changed.delete(hear);
    }
    // An operator's secret; the first frame of every connection.
    login(secret) {
      if (secret === this.secret) return;
      this.secret = secret;
      this.reconnect();
    }
    // `after` as the document has it; a later call for the same game replaces the earlier one. False:
    // there are too many.
    watch(game, view, after) {
      if (!this.wanted.has(game) && this.wanted.size >= WATCHES_MAX) return false;
      this.wanted.set(game, { view, after });
      if (this.state === "open") this.sendWatch(game);
      else this.start();
      return true;
    }
    unwatch(game) {
      if (this.wanted.delete(game)) this.send({ type: "unwatch", game });
    }
    // A room's, the home page's or a contest's changes.
    follow(what) {
      const text = JSON.stringify(what);
      this.rooms.add(text);
      if (this.state === "open") this.line?.send(text);
      else this.start();
      return () => void this.rooms.delete(text);
    }
    // False when there is no connection: whoever answers tries again when there is one.
    send(message) {
      if (this.state !== "open" || !this.line) return false;
      this.line.send(JSON.stringify(message));
      return true;
    }
    start() {
      this.closed = false;
      if (this.state === "idle") this.connect();
    }
    stop() {
      this.closed = true;
      this.drop();
      this.clear("retry", "notice", "hide");
      this.set("idle");
    }
    // The page has become visible or hidden.
    seen(visible) {
      this.visible = visible;
      this.clear("hide");
      if (visible) this.hurry();
      else if (!this.keep) this.hide = this.world.later(HIDDEN_FOR, () => this.rest());
    }
    // The network is back.
    online() {
      this.hurry();
    }
    rest() {
      if (this.keep || this.visible) return;
      this.drop();
      this.clear("retry", "notice");
      this.set("idle");
    }
    hurry() {
      if (this.closed || !this.wants()) return;
      if (this.state === "open") this.check(PONG_WITHIN / 2);
      else if (this.state !== "connecting") {
        this.tries = 0;
        this.connect();
      }
    }
    wants() {
      return this.keep || this.wanted.size > 0 || this.rooms.size > 0;
    }
    /** The server knows a socket by the cookies that it came with: there are others now. */
    renew() {
      this.reconnect();
    }
    reconnect() {
      if (this.state === "idle" || this.closed) return;
      this.tries = 0;
      this.connect();
    }
    connect() {
      this.drop();
      this.clear("retry");
      const serial = ++this.serial;
      const mine = () => serial === this.serial;
      this.set("connecting");
      this.line = this.world.connect({
        open: () => mine() && this.opened(),
        message: (text) => mine() && this.received(text),
        closed: () => mine() && this.ended()
      });
    }
    opened() {
      this.set("open");
      if (this.secret !== void 0) this.send({ type: "login", secret: this.secret });
      for (const game of this.wanted.keys()) this.sendWatch(game);
      for (const text of this.rooms) this.line?.send(text);
      this.schedulePing();
    }
    sendWatch(game) {
      const { view, after } = this.wanted.get(game);
      this.send(after === void 0 ? { type: "watch", game, view } : { type: "watch", game, view, after });
    }
    received(text) {
      let message;
      try {
        message = JSON.parse(text);
      } catch {
        return;
      }
      if (typeof message !== "object" || message === null || typeof message.type !== "string") return;
      this.clear("pong");
      if (message.type === "error") this.slow = message.code === "rate";
      else this.tries = 0;
      if (message.type === "error" && (message.code === "login" || message.code === "tries")) this.secret = void 0;
      const watch = this.wanted.get(String(message.game));
      if (watch && message.type === "events" && typeof message.id === "string") watch.after = message.id;
      if (watch && message.type === "again") watch.after = void 0;
      if (message.type === "gone") this.wanted.delete(String(message.game));
      for (const hear of [...this.heard]) hear(message);
    }
    ended() {
      this.serial++;
      this.line = void 0;
      this.clear("ping", "pong");
      if (this.closed || !this.wants()) {
        this.set("idle");
        return;
      }
      const wait = Math.min(LAST_WAIT, FIRST_WAIT * 2 ** this.tries);
      const spread = 1 + (this.world.random() * 2 - 1) * SPREAD;
      this.tries++;
      this.set("waiting");
      this.retry = this.world.later((this.slow ? Math.max(wait, RATE_WAIT) : wait) * spread, () => this.connect());
      this.slow = false;
    }
    drop() {
      this.serial++;
      this.clear("ping", "pong");
      this.line?.close();
      this.line = void 0;
    }
    schedulePing() {
      this.clear("ping");
      this.ping = this.world.later(PING_EACH, () => {
        this.check(PONG_WITHIN);
        this.schedulePing();
      });
    }
    // Is anybody there? A socket whose network is gone does not say so.
    check(within) {
      this.clear("pong");
      this.pong = this.world.later(within, () => {
        this.line?.close();
        this.ended();
      });
      this.send({ type: "ping", t: Math.round(this.world.now()) });
    }
    set(state) {
      this.state = state;
      if (state === "open" || state === "idle") {
        this.clear("notice");
        this.lost = false;
      } else if (!this.lost && this.notice === void 0) {
        this.notice = this.world.later(NOTICE_AFTER, () => {
          this.notice = void 0;
          this.lost = true;
          this.tell();
        });
      }
      this.tell();
    }
    tell() {
      for (const hear of [...this.changed]) hear();
    }
    clear(...timers) {
      for (const timer of timers) {
        if (this[timer] !== void 0) this.world.cancel(this[timer]);
        this[timer] = void 0;
      }
    }
  };

  // src/feed_browser.ts
  var browserWorld = {
    connect(events) {
      const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/web/api/feed`);
      socket.onopen = () => events.open();
      socket.onmessage = (message) => events.message(String(message.data));
      socket.onclose = () => events.closed();
      return {
        send: (text) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(text);
        },
        // One that still connects would tell the console that it was closed.
        close: () => {
          if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
          else socket.close();
        }
      };
    },
    now: () => performance.now(),
    later: (ms, then) => setTimeout(then, ms),
    cancel: (timer) => clearTimeout(timer),
    random: () => Math.random()
  };

  // src/kept.ts
  function kept(key) {
    try {
      return localStorage.getItem(`warg.${key}`);
    } catch {
      return null;
    }
  }
  function keep(key, value) {
    try {
      localStorage.setItem(`warg.${key}`, value);
    } catch {
    }
  }
  function operatorSecret() {
    try {
      return sessionStorage.getItem("warg.operator") ?? "";
    } catch {
      return "";
    }
  }

  // src/parts/shown.ts
  var hidden = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g;
  var joined = /(\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]*)\u200D(?=\p{Extended_Pictographic})/gu;
  var joinMark = "";
  function shown(text) {
    hidden.lastIndex = 0;
    if (!hidden.test(text)) return text;
    return text.replace(joined, `$1${joinMark}`).replace(hidden, "�").replaceAll(joinMark, "‍");
  }

  // src/contest.ts
  var AFTER_FEED_MS = 5e3;
  var LOOK_EACH_MS = 3e4;
  var { dataset } = document.documentElement;
  var theme = kept("theme");
  if (theme === "light" || theme === "dark") dataset["theme"] = theme;
  var darkNow = () => dataset["theme"] === "dark" || dataset["theme"] === void 0 && matchMedia("(prefers-color-scheme: dark)").matches;
  function themeButton(button) {
    const show = () => button.setAttribute("aria-pressed", String(darkNow()));
    button.hidden = false;
    show();
    button.addEventListener("click", () => {
      dataset["theme"] = darkNow() ? "light" : "dark";
      keep("theme", dataset["theme"]);
      show();
    });
  }
  function newGames(line) {
    const { played, figures, one = "", many = "", feed: tells } = line.dataset;
    const text = line.querySelector("span");
    if (!text || !figures) return;
    let timer;
    const look = async () => {
      timer = void 0;
      try {
        const answer = await fetch(figures);
        if (!answer.ok) return;
        const { contest } = await answer.json();
        const more = contest.games - Number(played);
        if (more <= 0) return;
        const said = more === 1 ? one : many.replace("{0}", new Intl.NumberFormat(document.documentElement.lang).format(more));
        if (text.textContent !== said) text.textContent = said;
        line.hidden = false;
      } catch {
      }
    };
    const soon = (ms) => {
      if (timer === void 0 && document.visibilityState === "visible") timer = setTimeout(() => void look(), ms);
    };
    setInterval(() => soon(0), LOOK_EACH_MS);
    document.addEventListener("visibilitychange", () => soon(0));
    if (tells === void 0) return;
    const feed = new Feed(browserWorld);
    let first = true;
    feed.onMessage((message) => {
      if (message.type !== "home") return;
      if (!first) soon(AFTER_FEED_MS);
      first = false;
    });
    document.addEventListener("visibilitychange", () => feed.seen(document.visibilityState === "visible"));
    addEventListener("online", () => feed.online());
    feed.follow({ type: "watch", home: true });
  }
  var ACTS_SHOWN = 10;
  var operators = "/api/v1/operator/";
  var asOperator = (path) => fetch(operators + path, { credentials: "same-origin", headers: { Authorization: `Bearer ${operatorSecret()}` } });
  function part(tag, ...texts) {
    const made = document.createElement(tag);
    made.textContent = shown(texts.filter((text) => text !== void 0 && text !== "").join(" "));
    return made;
  }
  function showActs(section, acts) {
    const note = section.querySelector(".note");
    section.querySelector("ul")?.replaceChildren(...acts.slice(0, ACTS_SHOWN).map(({ act, game, set, number, team, agent, by, why, at }) => {
      const line = document.createElement("li");
      line.append(part("span", at), " ", part("strong", act), " ", part("bdi", team, agent, game, set, number), " ", part("bdi", by, why && `– ${why}`));
      return line;
    }));
    if (note) note.hidden = acts.length > 0;
    section.hidden = false;
  }
  function offerLogs(line) {
    const button = line.querySelector("button");
    const status = line.querySelector("span");
    const save = async (team) => {
      const answer = await asOperator(`logs?team=${encodeURIComponent(team)}`);
      if (!answer.ok) throw new Error((await answer.json()).error?.text ?? answer.statusText);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await answer.blob());
      link.download = "logs-team.tar.gz";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
    };
    button?.addEventListener("click", () => {
      if (status) status.textContent = "";
      button.disabled = true;
      save(button.dataset["team"] ?? "").catch((error) => {
        if (status) status.textContent = shown(error instanceof Error ? error.message : String(error));
      }).finally(() => {
        button.disabled = false;
      });
    });
    line.hidden = false;
  }
  async function forOperators() {
    const acts = document.getElementById("acts");
    const logs = document.getElementById("logs");
    if (!acts && !logs || operatorSecret() === "") return;
    try {
      const answer = await asOperator("acts");
      if (!answer.ok) return;
      if (acts) showActs(acts, (await answer.json()).acts);
      if (logs) offerLogs(logs);
    } catch {
    }
  }
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const line = document.getElementById("fresh");
    if (button) themeButton(button);
    if (line) newGames(line);
    void forOperators();
    for (const link of document.querySelectorAll(".language a")) link.addEventListener("click", () => keep("lang", link.lang));
  });
})();
