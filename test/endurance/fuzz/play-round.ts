/** Plays conversations beside each other against one server, and judges the server as a whole. */
import { setTimeout as delay } from 'node:timers/promises';
import { leftovers } from '../../support/watched/leftovers';
import type { Holdings, WatchedServer } from '../../support/watched/watched-server';
import { startTarget, type Target } from './targets';
import type { Conversation } from './traffic/conversation';
import { playHttp } from './wires/http-talk';
import { DuplexTalk, playStdio } from './wires/duplex-talk';

interface Parcel {
  readonly pipe?: number;
  readonly text?: string;
  readonly thrown?: string;
  readonly closed?: boolean;
}

/** The clients of one server. */
class MemoryWire {
  #next = 0;
  readonly #receivers = new Map<number, (parcel: Parcel) => void>();

  constructor(private readonly server: WatchedServer) {
    server.child.on('message', (parcel: Parcel) => {
      if (parcel.pipe !== undefined) this.#receivers.get(parcel.pipe)?.(parcel);
    });
  }

  /** Plays a conversation. @returns what is wrong */
  async play(conversation: Conversation, patience: number): Promise<string[]> {
    const pipe = this.#next++;
    const { server } = this;
    const tell = (parcel: Parcel): void => {
      if (server.ended === undefined && server.child.connected) server.child.send({ pipe, ...parcel });
    };
    const thrown: string[] = [];
    const talk = new DuplexTalk(conversation, {
      send: ({ text }, ledger) => {
        ledger.sent(text);
        tell({ text });
      },
      flush: () => undefined,
      get ended() {
        return server.ended;
      },
    });
    this.#receivers.set(pipe, (parcel) => {
      if (parcel.thrown !== undefined) thrown.push(`thrown at the sender: ${parcel.thrown}`);
      if (parcel.text !== undefined) talk.receive(parcel.text);
      if (parcel.closed) this.#receivers.delete(pipe);
    });
    const problems = await talk.play(patience);
    tell({ closed: true, close: true } as Parcel);
    return [...problems, ...thrown];
  }
}

/** Milliseconds for which no input may hold the event loop; counted is only the time in which the process worked. */
const LONGEST_HOLD = 1000;
/** Milliseconds after which the fixture has forgotten clients that left without a word. */
const IDLE = 4000;

/** A server that lives as long as nothing goes wrong; over stdio each round has its own. */
export class Stage {
  #server: WatchedServer | undefined;
  /** What the server held before anybody spoke to it. */
  #before: Holdings | undefined;
  #memory: MemoryWire | undefined;
  /** Milliseconds for answers: only a server that never answers takes them. */
  patience = 15_000;

  constructor(private readonly target: Target) {}

  /** The server, started if there is none. */
  async server(): Promise<WatchedServer> {
    if (this.#server?.ended === undefined && this.#server) return this.#server;
    this.#server = await startTarget(this.target);
    this.#memory = this.target.way === 'memory' ? new MemoryWire(this.#server) : undefined;
    this.#before = this.target.way === 'stdio' ? undefined : await this.#server.collect();
    return this.#server;
  }

  /** Waits until idle sessions are over. @returns what the server still holds of clients that are gone */
  async leftovers(): Promise<string[]> {
    if (!this.#server || !this.#before || this.target.isPatient) return [];
    await delay(IDLE);
    return leftovers(this.#before, await this.#server.collect(), { heap: 32 * 1024 * 1024, count: 10 });
  }

  /** Plays a round. @returns what is wrong */
  async play(conversations: readonly Conversation[]): Promise<string[]> {
    const server = await this.server();
    const played = await Promise.all(conversations.map((conversation) => this.#playOne(server, conversation)));
    const problems = [...played.flat(), ...(await this.#judge(server))];
    if (problems.length > 0 || this.target.way === 'stdio') await this.close();
    return problems;
  }

  async close(): Promise<void> {
    await this.#server?.end();
    this.#server = undefined;
  }

  #playOne(server: WatchedServer, conversation: Conversation): Promise<string[]> {
    switch (this.target.way) {
      case 'memory':
        return this.#memory?.play(conversation, this.patience) ?? Promise.resolve(['there is no server']);
      case 'stdio':
        return playStdio(server, conversation, this.patience);
      case 'http':
        return playHttp(server, conversation, this.patience);
    }
  }

  async #judge(server: WatchedServer): Promise<string[]> {
    if (server.ended !== undefined) return [`the process ended: ${server.ended}\n${server.stderr.slice(-3000)}`];
    const { held } = await server.figures();
    if (held.cpu <= LONGEST_HOLD) return [];
    return [`the event loop was held for ${Math.round(held.wall)} ms, ${Math.round(held.cpu)} ms of them work`];
  }
}
