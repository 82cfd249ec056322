/** A real Redis for tests: a process of its own on a free port, which keeps nothing on disk. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Library from '@redis/client';
import { freePort } from '../free-port';

const PROGRAM = 'redis-server';

/** Whether the program is there. */
export function hasRedisServer(): boolean {
  return spawnSync(PROGRAM, ['--version']).status === 0;
}

/** A node of a cluster. */
export type ClusterNode = RedisServer & {
  /** The port for the other nodes. */
  readonly busPort: number;
};

/** A Redis that runs until it is stopped. */
export class RedisServer {
  #process: ChildProcess | undefined;
  #aside: ReturnType<typeof connectTo> | undefined;
  readonly #folder = mkdtempSync(join(tmpdir(), 'sigil-redis-'));

  private constructor(
    readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  /** @param settings more of its command line, such as `--cluster-enabled yes` */
  static async start(...settings: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings);
    await server.run();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts a node of a cluster, whose nodes reach it at `busPort`. */
  static async startNode(...settings: string[]): Promise<ClusterNode> {
    const busPort = await freePort();
    const cluster = ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1', '--cluster-port', `${busPort}`];
    return Object.assign(await RedisServer.start(...cluster, ...settings), { busPort });
  }

  /** Runs it, again after a kill; resolves when it takes connections. A server that nobody stops does not keep this process from its end. */
  async run(): Promise<void> {
    const settings = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--save', '', '--dir', this.#folder];
    const child = spawn(PROGRAM, [...settings, ...this.settings], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      for (const output of [child.stdout, child.stderr])
        output.on('data', (text: Buffer) => {
          said += text.toString();
          if (said.includes('Ready to accept connections')) resolve();
        });
      child.once('error', reject);
      child.once('close', (code) => reject(new Error(`redis-server has ended with ${code}: ${said}`)));
    });
    child.stdout.destroy();
    child.stderr.destroy();
    child.unref();
  }

  /** Sends a command on a connection of its own, beside the clients that are tested. */
  async command(...words: readonly string[]): Promise<unknown> {
    this.#aside ??= connectTo(this.url);
    const client = await this.#aside;
    client.ref();
    try {
      return await client.sendCommand(words);
    } finally {
      client.unref();
    }
  }

  /** Ends it at once, with all that it holds. */
  async kill(): Promise<void> {
    const [child, aside] = [this.#process, this.#aside];
    this.#process = this.#aside = undefined;
    aside?.then((client) => client.destroy()).catch(() => undefined);
    if (!child || child.exitCode !== null) return;
    child.ref();
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Makes it as it was when it was started, whatever a test has done to it. */
  async reset(): Promise<void> {
    if (!this.#process) return this.run();
    this.resume();
    await this.command('CONFIG', 'SET', 'maxmemory', '0');
    for (const words of [['FLUSHALL'], ['SCRIPT', 'FLUSH'], ['CONFIG', 'RESETSTAT']]) await this.command(...words);
  }

  /** Holds it still, as a machine does that has too much to do; `resume` lets it go on. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function connectTo(url: string) {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- every spec that needs any supply loads this file, and few send a command
  const { createClient } = require('@redis/client') as typeof Library;
  const client = createClient({ url, socket: { reconnectStrategy: 10 } });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
