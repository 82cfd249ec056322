/** One client over stdio that lives as long as its server: it asks, cancels, stops reading, and never answers. */
import { setTimeout as delay } from 'node:timers/promises';
import { callOf } from '../faults/fault';
import { openingOf } from '../fuzz/traffic/valid-messages';
import { ALONE_META } from '../../support/transcript';
import type { WatchedServer } from '../../support/watched/watched-server';

/** Messages that are sent before the next pause. */
const A_BURST = 40;
/** Questions are given up by the server after three seconds. */
const LONGEST_CALL = 4000;

/** Talks to a server until it is told to pause, and goes on when it is told to. */
export class StdioClient {
  #nextId = 0;
  #characters = 0;

  constructor(private readonly server: WatchedServer) {
    server.stdout.setEncoding('utf8').on('data', (text: string) => (this.#characters += text.length));
    this.#send(openingOf('2025-11-25'));
    this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Messages that were sent. */
  get sent(): number {
    return this.#nextId;
  }

  /** Talks for a while, milliseconds, and leaves nothing open. */
  async talk(milliseconds: number): Promise<void> {
    for (const end = performance.now() + milliseconds; performance.now() < end && this.server.ended === undefined;) {
      const first = this.#nextId;
      for (let count = 0; count < A_BURST; count++) this.#say();
      if (Math.random() < 0.2) this.server.stdout.pause();
      await delay(50 + Math.random() * 100);
      this.server.stdout.resume();
      for (let id = first; id < this.#nextId; id++)
        this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    }
    await delay(LONGEST_CALL);
  }

  #say(): void {
    const id = this.#nextId++;
    const calls = [
      { ...callOf('wait'), id },
      { ...callOf('report', { count: 9 }, { progressToken: id }), id },
      { ...callOf('loud', { count: 9 }, { 'io.modelcontextprotocol/logLevel': 'debug' }), id },
      { ...callOf('change'), id },
      { ...callOf('askMuch'), id },
      { ...callOf('fail'), id },
      { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'ask', arguments: {} } },
      { jsonrpc: '2.0', id, method: 'resources/subscribe', params: { uri: 'hostile://here' } },
      {
        jsonrpc: '2.0',
        id,
        method: 'subscriptions/listen',
        params: { notifications: { toolsListChanged: true }, _meta: ALONE_META },
      },
    ];
    this.#send(calls[id % calls.length] ?? {});
  }

  #send(message: object): void {
    this.server.stdin.write(`${JSON.stringify(message)}\n`);
  }
}
