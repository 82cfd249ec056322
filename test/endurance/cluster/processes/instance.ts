/** One process of the cluster: a lane in which process follows process, each on the same port. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once, EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { MARK, type Mark } from '../server/marks';
import { until } from '../until';

/** A mark, and which process made it. */
export interface SeenMark extends Mark {
  readonly lane: number;
  /** Milliseconds of the timeline. */
  readonly at: number;
}

/** All marks that were made. */
export class Marks {
  readonly #seen = new Map<string, SeenMark>();
  readonly #counts = new Map<string, number>();
  readonly #news = new EventEmitter().setMaxListeners(0);

  /** Notes a mark. */
  note(mark: SeenMark): void {
    const key = `${mark.kind} ${mark.label}`;
    this.#seen.set(key, mark);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#news.emit(key);
  }

  /** How often a mark was made so far. */
  count(kind: Mark['kind'], label: string): number {
    return this.#counts.get(`${kind} ${label}`) ?? 0;
  }

  /** Waits for a mark, for so many milliseconds; undefined if it does not come. */
  async find(kind: Mark['kind'], label: string, patience: number): Promise<SeenMark | undefined> {
    const key = `${kind} ${label}`;
    if (!this.#seen.has(key)) {
      const signal = until(patience);
      await once(this.#news, key, { signal }).catch(() => undefined);
    }
    return this.#seen.get(key);
  }
}

/** What everybody in the cluster needs to start. */
export interface InstanceInit {
  readonly lane: number;
  readonly port: number;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What a line on stderr has in it when the process listens. */
  readonly readyLine: string;
  /** Told what the process says. */
  readonly onMark: (mark: Mark) => void;
  /** Told that the process has ended though nobody ended it. */
  readonly onEnd: (how: string) => void;
}

type Child = ChildProcessByStdio<null, null, Readable>;

/** Milliseconds that a process has to end when it is asked to. */
const LONGEST_END = 40_000;
/** Milliseconds that a process has to listen. */
const LONGEST_START = 20_000;
/** Characters of stderr that are kept, to see why a process ended. */
const KEPT = 4000;

/** A process that can be killed, held still and started again. */
export class Instance {
  #child: Child | undefined;
  #isUp = false;
  #isPaused = false;
  #stderr = '';

  constructor(private readonly init: InstanceInit) {}

  get lane(): number {
    return this.init.lane;
  }

  get port(): number {
    return this.init.port;
  }

  /** Whether it serves. */
  get isUp(): boolean {
    return this.#isUp && !this.#isPaused;
  }

  /** Starts it; resolves when it listens. Rejects where it ends before. */
  async start(): Promise<void> {
    const { program, args, env, port } = this.init;
    const whole = { ...process.env, ...env, PORT: `${port}`, HOST: '127.0.0.1' };
    const child = spawn(process.execPath, [program, ...args], { env: whole, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    this.#stderr = '';
    const ready = new Promise<void>((resolve) => this.#listen(child, resolve));
    child.once('exit', (code, signal) => this.#leave(child, `${code ?? signal}`));
    const signal = until(LONGEST_START);
    await Promise.race([ready, once(child, 'close', { signal })]);
    if (!this.#isUp) throw new Error(`Process ${this.lane} did not start: ${this.#stderr}`);
  }

  /** Ends it at once, as a machine does that fails. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Asks it to end. @returns whether it ended in time, and well */
  async stop(): Promise<boolean> {
    const overdue = setTimeout(() => this.#child?.kill('SIGKILL'), LONGEST_END);
    const [code] = await this.#end('SIGTERM');
    clearTimeout(overdue);
    return code === 0;
  }

  /** Holds it still. */
  pause(): void {
    this.#isPaused = true;
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#isPaused = false;
    this.#child?.kill('SIGCONT');
  }

  async #end(signal: NodeJS.Signals): Promise<readonly [number | null]> {
    const child = this.#child;
    this.#child = undefined;
    this.#isUp = false;
    if (!child || child.exitCode !== null || child.signalCode !== null) return [child?.exitCode ?? null];
    const exit = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return exit;
  }

  #leave(child: Child, how: string): void {
    if (this.#child !== child || !this.#isUp) return;
    this.#isUp = false;
    this.init.onEnd(`process ${this.lane} ended by itself (${how}): ${this.#stderr.slice(-1000)}`);
  }

  #listen(child: Child, ready: () => void): void {
    let begun = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-KEPT);
      const lines = (begun + text).split('\n');
      begun = lines.pop() ?? '';
      for (const line of lines) this.#read(line);
      if (this.#child !== child || this.#isUp || !lines.some((line) => line.includes(this.init.readyLine))) return;
      this.#isUp = true;
      ready();
    });
  }

  #read(line: string): void {
    if (line.startsWith(MARK)) this.init.onMark(JSON.parse(line.slice(MARK.length)) as Mark);
  }
}
