/** Counts what an instance sends to Redis and reads from it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Names of counters and what they have counted so far. */
export type Counters = Record<string, number>;

/** A socket to a node of Redis. */
interface Connection {
  readonly socket: Socket;
  readonly isPubSub: boolean;
  port?: number | undefined;
}

/** Commands of pub/sub, which the client has as methods. */
const SUBSCRIBES = /^s?(?:un)?subscribe$/i;

/**
 * `sent <keys> <command>` counts commands by what their keys belong to: `session` (any key with a slot of its own), `inbox` of an instance,
 * `topic` for a resource,
 * or `shared` by all instances; `key <name>` counts those that are shared; `look` counts those that look at a followed resource again;
 * `heard <keys>` counts published messages; `to <port>`, `from <port>` and `heard from <port>` count bytes.
 */
export class Traffic {
  readonly #connections: Connection[] = [];
  readonly #counts = new Map<string, number>();
  /** Channels of followed resources, and whether the look after their subscription is still to come. */
  readonly #followed = new Map<string, boolean>();
  readonly #listeners = new WeakMap<object, (...words: unknown[]) => unknown>();
  /** Set in everything that the connection for pub/sub does. */
  readonly #pubSub = new AsyncLocalStorage<boolean>();

  constructor() {
    subscribe('net.client.socket', (message) => {
      const { socket } = message as { readonly socket: Socket };
      const connection: Connection = { socket, isPubSub: this.#pubSub.getStore() === true };
      this.#connections.push(connection);
      socket.once('connect', () => (connection.port = socket.remotePort));
    });
  }

  /** A client that is counted. */
  count<T extends object>(client: T): T {
    return this.#wrap(client, (name, method) => {
      if (name === 'duplicate') return () => this.#countSubscriber(method() as object);
      if (name !== 'sendCommand') return method;
      return (key, ...rest) => {
        const place = placeOf(String(key));
        const words = rest[1] as string[];
        this.#add(`sent ${place} ${String(words[0])}`);
        if (place === 'topic') this.#countLook(words);
        if (place === 'shared') this.#add(`key ${String(key)}`);
        return method(key, ...rest);
      };
    });
  }

  read(): Counters {
    const bytes: Counters = {};
    for (const { port, socket, isPubSub } of this.#connections) {
      if (port === undefined) continue;
      const [to, from] = [`to ${port}`, `${isPubSub ? 'heard ' : ''}from ${port}`];
      bytes[to] = (bytes[to] ?? 0) + socket.bytesWritten;
      bytes[from] = (bytes[from] ?? 0) + socket.bytesRead;
    }
    return { ...Object.fromEntries(this.#counts), ...bytes };
  }

  #countSubscriber(client: object): object {
    return this.#wrap(client, (name, method) => {
      if (!SUBSCRIBES.test(name)) return (...words) => this.#pubSub.run(true, () => method(...words));
      return (channel, listener) => {
        const place = placeOf(String(channel));
        this.#add(`sent ${place} ${name.toUpperCase()}`);
        if (place === 'topic' && listener) this.#followed.set(String(channel), true);
        else this.#followed.delete(String(channel));
        return this.#pubSub.run(true, () => method(channel, ...(listener ? [this.#hear(listener)] : [])));
      };
    });
  }

  /** Following looks before and after it subscribes to the channel, which has the name of the keys up to the last letter. */
  #countLook([, , , last = '', , publish]: readonly string[]): void {
    const channel = last.replace(/l$/, 'w');
    const isFirst = this.#followed.get(channel);
    if (isFirst === undefined || publish !== 'SPUBLISH') return;
    if (!isFirst) this.#add('look');
    this.#followed.set(channel, false);
  }

  /** The same for the same listener: the client calls a listener once, however often it subscribes to a channel. */
  #hear(listener: object): (...words: unknown[]) => unknown {
    const known = this.#listeners.get(listener);
    if (known) return known;
    const counted = (message: unknown, channel: unknown): unknown => {
      this.#add(`heard ${placeOf(String(channel))}`);
      return (listener as (...words: unknown[]) => unknown)(message, channel);
    };
    this.#listeners.set(listener, counted);
    return counted;
  }

  /** Private members of the client need the client itself, not its proxy. */
  #wrap<T extends object>(
    client: T,
    change: (name: string, method: (...words: unknown[]) => unknown) => (...words: unknown[]) => unknown,
  ): T {
    return new Proxy(client, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return change(String(name), value.bind(target) as (...words: unknown[]) => unknown);
      },
    });
  }

  #add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

function placeOf(key: string): string {
  const [, slot] = /\{([^}]+)\}/.exec(key) ?? [];
  if (slot === undefined) return 'shared';
  if (slot.startsWith('i:')) return 'inbox';
  return slot.startsWith('t:') ? 'topic' : 'session';
}
