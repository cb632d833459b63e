// mock_socket.ts - the server's side of a WebSocket (RFC 6455), as much as tests need: text frames,
// ping, close. Frames of more than 64 kB and fragments don't come here.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

export class MockSocket {
  onText: (text: string) => void = () => {};
  onClose: () => void = () => {};
  private bytes = Buffer.alloc(0);
  private over = false;

  constructor(private stream: Duplex, request: IncomingMessage) {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    stream.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    stream.on('data', (part: Buffer) => this.feed(part));
    stream.on('error', () => this.ended());
    stream.on('close', () => this.ended());
  }

  send(message: unknown): void {
    if (this.over) return;
    const body = Buffer.from(JSON.stringify(message));
    this.stream.write(Buffer.concat([head(0x81, body.length), body]));
  }

  /** As when the network is gone: nothing is said. */
  cut(): void {
    this.stream.destroy();
  }

  private ended(): void {
    if (this.over) return;
    this.over = true;
    this.onClose();
  }

  private feed(part: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, part]);
    for (;;) {
      if (this.bytes.length < 2) return;
      const kind = (this.bytes[0] as number) & 15;
      let size = (this.bytes[1] as number) & 127;
      let at = 2;
      if (size === 126) {
        if (this.bytes.length < 4) return;
        size = this.bytes.readUInt16BE(2);
        at = 4;
      }
      if (this.bytes.length < at + 4 + size) return;
      const mask = this.bytes.subarray(at, at + 4);
      const body = Buffer.from(this.bytes.subarray(at + 4, at + 4 + size));
      for (let i = 0; i < size; i++) body[i] = (body[i] as number) ^ (mask[i & 3] as number);
      this.bytes = this.bytes.subarray(at + 4 + size);
      if (kind === 1) this.onText(body.toString());
      if (kind === 8) {
        this.stream.end(Buffer.from([0x88, 0]));
        this.ended();
      }
      if (kind === 9) this.stream.write(Buffer.concat([head(0x8a, size), body]));
    }
  }
}

function head(first: number, size: number): Buffer {
  if (size < 126) return Buffer.from([first, size]);
  if (size < 65536) return Buffer.from([first, 126, size >> 8, size & 255]);
  const made = Buffer.alloc(10);
  made[0] = first;
  made[1] = 127;
  made.writeBigUInt64BE(BigInt(size), 2);
  return made;
}
