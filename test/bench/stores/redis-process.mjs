/** A Redis under measurement: a process of its own, which keeps nothing on disk, and a client that asks it about itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { createClient } from '@redis/client';

/** Runs until it is stopped. */
export class RedisProcess {
  static async start() {
    const port = await freePort();
    const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()];
    const child = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const text of child.stdout) if (text.includes('Ready to accept connections')) break;
    const url = `redis://127.0.0.1:${port}`;
    const [client, monitor] = await Promise.all([connected(url), connected(url)]);
    const redis = new RedisProcess(child, { url, client });
    await monitor.monitor((line) => redis.#heard(line));
    redis.monitor = monitor;
    return redis;
  }

  constructor(child, { url, client }) {
    this.child = child;
    this.url = url;
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
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
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

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
