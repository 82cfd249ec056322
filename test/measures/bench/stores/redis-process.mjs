/** A Redis under measurement, and a client that asks it about itself. */
import { createClient } from '@redis/client';
import { startRedisServer } from '../redis-server.mjs';

/** Runs until it is stopped. */
export class RedisProcess {
  static async start() {
    const server = await startRedisServer();
    if (!server) throw new Error('There is no redis-server.');
    const { url } = server;
    const [client, monitor] = await Promise.all([connected(url), connected(url)]);
    const redis = new RedisProcess(server, client);
    await monitor.monitor((line) => redis.#heard(line));
    redis.monitor = monitor;
    return redis;
  }

  constructor(server, client) {
    this.server = server;
    this.url = server.url;
    this.client = client;
    this.heard = [];
  }

  /** Bytes that it holds for keys with a time to live, their places in its tables included; those of some keys are left out. */
  async bytes(except) {
    const { 'dataset.bytes': data, ...stats } = await this.client.memoryStats();
    const tables = stats['db.0'] ?? stats.db?.[0];
    const left = await Promise.all(except.map((key) => this.client.memoryUsage(key, { SAMPLES: 0 })));
    const sum = [...Object.values(tables ?? {}), ...left.map((bytes) => -(bytes ?? 0))];
    return sum.reduce((bytes, each) => bytes + Number(each), Number(data));
  }

  /** The commands that clients send while something is done, those of programs in Lua left out: `{ GETEX: 3 }`. */
  async commandsOf(doIt) {
    this.heard.length = 0;
    await doIt();
    // The monitor hears of it a little later than whoever sent it.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const counts = {};
    for (const command of this.heard) counts[command] = (counts[command] ?? 0) + 1;
    return counts;
  }

  async stop() {
    this.client.destroy();
    this.monitor.destroy();
    await this.server.stop();
  }

  #heard(line) {
    const [, from, command] = /^[\d.]+ \[\d+ ([^\]]+)\] "(\w+)"/.exec(String(line)) ?? [];
    if (command !== undefined && from !== 'lua') this.heard.push(command.toUpperCase());
  }
}

async function connected(url) {
  const client = createClient({ url });
  client.on('error', () => undefined);
  return client.connect();
}
