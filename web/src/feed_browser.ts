// feed_browser.ts - the browser's socket, timers and chance, for feed.ts.
import type { FeedWorld } from './feed.ts';

export const browserWorld: FeedWorld = {
  connect(events) {
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/web/api/feed`);
    socket.onopen = () => events.open();
    socket.onmessage = (message) => events.message(String(message.data));
    socket.onclose = () => events.closed();
    return {
      send: (text) => { if (socket.readyState === WebSocket.OPEN) socket.send(text); },
      // One that still connects would tell the console that it was closed.
      close: () => {
        if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
        else socket.close();
      },
    };
  },
  now: () => performance.now(),
  later: (ms, then) => setTimeout(then, ms),
  cancel: (timer) => clearTimeout(timer as number),
  random: () => Math.random(),
};
