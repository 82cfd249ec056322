/** Clients of ioredis, for a server, a cluster or a server that sentinels watch: they all have the same interface. */
import type { RedisConnection, RedisSubscriber, SubscriberEvents } from './redis-connection';

/** A client, from `new Redis` or `new Cluster`. */
export interface IoRedisClient {
  /** `ready` if commands are sent immediately. */
  readonly status: string;
  call(command: string, words: string[]): Promise<unknown>;
  duplicate(): IoRedisClient;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  /** @param reconnect whether the client connects again */
  disconnect(reconnect?: boolean): void;
  connect(): Promise<unknown>;
  on(event: string, listener: (channel: string, message: string) => void): unknown;
}

/** Sends commands; the client knows which of their arguments are keys. */
export class IoRedisConnection implements RedisConnection {
  constructor(private readonly client: IoRedisClient) {}

  get isReady(): boolean {
    return this.client.status === 'ready';
  }

  command(_: string, [command = '', ...words]: readonly string[]): Promise<unknown> {
    return this.client.call(command, words);
  }

  renew(): void {
    this.client.disconnect(true);
  }

  openSubscriber(events: SubscriberEvents): RedisSubscriber {
    const client = this.client.duplicate();
    client.on('error', () => undefined);
    client.on('message', (channel, message) => events.heard(channel, message));
    const opened = new Promise<void>((resolve) => {
      client.on('ready', () => {
        resolve();
        events.ready();
      });
    });
    // The duplicate inherits `lazyConnect`, so it must be connected here. A failure is retried according to the client's settings.
    if (client.status === 'wait') client.connect().catch(() => undefined);
    return {
      opened,
      get isReady(): boolean {
        return client.status === 'ready';
      },
      subscribe: (channel) => client.subscribe(channel),
      unsubscribe: (channel) => client.unsubscribe(channel),
      close: () => client.disconnect(),
    };
  }
}
