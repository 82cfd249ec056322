/** Clients of node-redis, for a server or a cluster. */
import {
  hasSlot,
  type Publishing,
  type RedisConnection,
  type RedisSubscriber,
  type SubscriberEvents,
} from './redis-connection';

/** Both are texts, or buffers if a listener wants them. */
type RedisListener = (message: unknown, channel: unknown) => void;

/** The members that both of its clients share. */
interface Subscribing {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  subscribe(channel: string, listener: (message: string, channel: string) => void): Promise<unknown>;
  unsubscribe(channel: string, listener: RedisListener): Promise<unknown>;
  sSubscribe(channel: string, listener: (message: string, channel: string) => void): Promise<unknown>;
  sUnsubscribe(channel: string, listener: RedisListener): Promise<unknown>;
  destroy(): void;
  on(event: string, listener: () => void): unknown;
}

/** The options of a command of the client. */
interface CommandOptions {
  readonly timeout?: number;
}

/** Without a time limit of the client: an abort signal for each command costs more than the command, and Sigil has its own limit. */
const UNTIMED: CommandOptions = { timeout: 0 };

/** A client of one server, from `createClient`. */
export interface NodeRedisClient extends Subscribing {
  sendCommand(words: readonly string[], options?: CommandOptions): Promise<unknown>;
  duplicate(): Subscribing;
}

/** A client of a cluster, from `createCluster`. */
export interface NodeRedisCluster extends Subscribing {
  /** Only clients of clusters have it. */
  readonly masters: unknown;
  sendCommand(firstKey: string, isReadonly: boolean, words: string[], options?: CommandOptions): Promise<unknown>;
  duplicate(): Subscribing;
}

/** Sends commands to the node that has their key. */
export class NodeRedisConnection implements RedisConnection {
  readonly hasManyChannels = true;
  readonly isCluster: boolean;
  readonly publishing: Publishing;

  constructor(private readonly client: NodeRedisClient | NodeRedisCluster) {
    this.isCluster = 'masters' in client;
    this.publishing = this.isCluster ? 'SPUBLISH' : 'PUBLISH';
  }

  get isReady(): boolean {
    return this.client.isReady;
  }

  command(key: string, words: readonly string[]): Promise<unknown> {
    const { client } = this;
    return 'masters' in client
      ? client.sendCommand(key, false, [...words], UNTIMED)
      : client.sendCommand(words, UNTIMED);
  }

  /** The client has no method for this. QUIT makes the server end the connection, and the client connects again by its settings. */
  renew(): void {
    const { client } = this;
    const quit = 'masters' in client ? client.sendCommand('', false, ['QUIT']) : client.sendCommand(['QUIT'], UNTIMED);
    quit.catch(() => undefined);
  }

  openSubscriber(events: SubscriberEvents): RedisSubscriber {
    const client = this.client.duplicate();
    // Without a listener an error would end the process; the client reconnects automatically.
    client.on('error', () => undefined);
    client.on('ready', () => events.ready());
    client.on('node-ready', () => events.ready());
    const heard: RedisListener = (message, channel) => events.heard(String(channel), String(message));
    const opened = client.connect();
    const isSharded = (channel: string): boolean => this.publishing === 'SPUBLISH' && hasSlot(channel);
    return {
      opened,
      get isReady(): boolean {
        return client.isReady;
      },
      subscribe: (channel) =>
        isSharded(channel) ? client.sSubscribe(channel, heard) : client.subscribe(channel, heard),
      // With its listener: otherwise the client believes until the answer that it is subscribed, and does not subscribe again meanwhile.
      unsubscribe: (channel) =>
        isSharded(channel) ? client.sUnsubscribe(channel, heard) : client.unsubscribe(channel, heard),
      close: () => {
        // A client that has given up is closed, and would throw.
        if (client.isOpen) client.destroy();
        // A connection that is being made becomes open anyway.
        opened.then(() => client.destroy()).catch(() => undefined);
      },
    };
  }
}
