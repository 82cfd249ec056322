/** Clients of ioredis, for a server, a cluster or a server that sentinels watch: they all have the same interface. */
import {
  hasSlot,
  type Publishing,
  type RedisConnection,
  type RedisSubscriber,
  type SubscriberEvents,
} from './redis-connection';

/** A client, from `new Redis` or `new Cluster`. */
export interface IoRedisClient {
  /** `ready` if commands are sent immediately. */
  readonly status: string;
  call(command: string, words: string[]): Promise<unknown>;
  /** Whether it is a client of a cluster. */
  readonly isCluster: boolean;
  readonly options: object;
  duplicate(): IoRedisClient;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  ssubscribe(channel: string): Promise<unknown>;
  sunsubscribe(channel: string): Promise<unknown>;
  /** @param reconnect whether the client connects again */
  disconnect(reconnect?: boolean): void;
  connect(): Promise<unknown>;
  on(event: string, listener: (channel: string, message: string) => void): unknown;
}

/** What only a client of a cluster takes. */
interface IoRedisCluster {
  duplicate(nodes: readonly string[], options: object): IoRedisClient;
}

/** Sends commands; the client knows which of their arguments are keys. */
export class IoRedisConnection implements RedisConnection {
  readonly hasManyChannels = true;
  readonly isCluster: boolean;
  readonly publishing: Publishing;

  constructor(private readonly client: IoRedisClient) {
    this.isCluster = client.isCluster;
    // Older versions have no option for it.
    const isSharded = client.isCluster && 'shardedSubscribers' in client.options;
    this.publishing = isSharded ? 'SPUBLISH' : 'PUBLISH';
  }

  get isReady(): boolean {
    return this.client.status === 'ready';
  }

  command(_: string, [command = '', ...words]: readonly string[]): Promise<unknown> {
    return this.client.call(command, words);
  }

  renew(): void {
    // A client that is not ready has no old connection. And one of a cluster that has none at all would wait for its end for ever.
    if (this.isReady) this.client.disconnect(true);
  }

  #duplicate(): IoRedisClient {
    if (this.publishing === 'PUBLISH') return this.client.duplicate();
    return (this.client as IoRedisCluster).duplicate([], { shardedSubscribers: true });
  }

  openSubscriber(events: SubscriberEvents): RedisSubscriber {
    const isSharded = this.publishing === 'SPUBLISH';
    const client = this.#duplicate();
    client.on('error', () => undefined);
    for (const event of ['message', 'smessage']) client.on(event, (channel, message) => events.heard(channel, message));
    const opened = new Promise<void>((resolve) => {
      client.on('ready', () => {
        resolve();
        events.ready();
      });
    });
    // A cluster stays ready while its connection for sharded channels at one node is replaced.
    client.on('subscribersReady', () => events.ready());
    // The duplicate inherits `lazyConnect`, so it must be connected here. A failure is retried according to the client's settings.
    if (client.status === 'wait') client.connect().catch(() => undefined);
    return {
      opened,
      get isReady(): boolean {
        return client.status === 'ready';
      },
      subscribe: (channel) => (isSharded && hasSlot(channel) ? client.ssubscribe(channel) : client.subscribe(channel)),
      unsubscribe: (channel) =>
        isSharded && hasSlot(channel) ? client.sunsubscribe(channel) : client.unsubscribe(channel),
      close: () => client.disconnect(),
    };
  }
}
