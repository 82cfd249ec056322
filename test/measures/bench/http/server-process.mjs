/** A server under measurement: started on a core of its own where the system can do that, asked about its memory. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const hasTaskset = process.platform === 'linux' && spawnSync('taskset', ['-V']).status === 0;

/** Runs Node on one core, or on any if none is named; servers get the first, the load the second. */
export function nodeOnCore(core, args, options) {
  const [command, ...rest] =
    hasTaskset && core !== undefined
      ? ['taskset', '-c', String(core), process.execPath, ...args]
      : [process.execPath, ...args];
  return spawn(command, rest, options);
}

/** A server program prints its port as its first line, and a heap figure for each line it is sent. */
export class ServerProcess {
  /** @param how more variables of the environment, and the core, 0 if left out */
  static async start(program, args = [], how = {}) {
    const { env = {}, core } = { core: 0, ...how };
    const child = nodeOnCore(core, ['--expose-gc', program, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    const server = new ServerProcess(child);
    server.port = Number(await server.#line());
    return server;
  }

  constructor(child) {
    this.child = child;
    this.lines = [];
    this.waiting = [];
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) (this.waiting.shift() ?? ((value) => this.lines.push(value)))(line);
    });
  }

  /** Bytes of heap and of resident memory, after a collection. */
  async memory() {
    return this.#ask('memory');
  }

  /** The same without a collection. */
  async memoryAsItIs() {
    return this.#ask('memory as it is');
  }

  /** Microseconds of CPU so far. */
  async cpu() {
    return (await this.#ask('cpu')).cpu;
  }

  /** What a program answers that measures by itself. */
  async costs() {
    return this.#ask('costs');
  }

  async stop() {
    this.child.kill('SIGKILL');
    await new Promise((resolve) => this.child.once('exit', resolve));
  }

  async #ask(what) {
    this.child.stdin.write(`${what}\n`);
    return JSON.parse(await this.#line());
  }

  #line() {
    return new Promise((resolve) => {
      if (this.lines.length > 0) resolve(this.lines.shift());
      else this.waiting.push(resolve);
    });
  }
}

/** Runs one load against a server, on a core of its own or any. */
export async function load(job, core = 1) {
  const child = nodeOnCore(core, [fileURLToPath(new URL('./load.mjs', import.meta.url)), JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (data) => (text += data));
  await new Promise((resolve) => child.once('close', resolve));
  return JSON.parse(text);
}
