/** A built app over HTTP: a process on a free port. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Exit } from '../../support/spawned-server';
import { builtApp } from './built-app';

/** What a test leaves running that fails before it stops its app, milliseconds; jest would wait for it for ever. */
const LONGEST_LIFE = 900_000;

/** Started by a test, which stops it. */
export class HttpApp {
  readonly exit: Promise<Exit>;
  readonly #child: ChildProcess & { readonly stderr: Readable };
  #stderr = '';

  private constructor(app: string, env: Readonly<Record<string, string>>, program: string | undefined) {
    const whole = { ...process.env, PORT: '0', HOST: '127.0.0.1', ...env };
    const args = [builtApp(app, program), '--http'];
    this.#child = spawn(process.execPath, args, { env: whole, stdio: ['ignore', 'inherit', 'pipe'] });
    setTimeout(() => this.kill('SIGKILL'), LONGEST_LIFE).unref();
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.exit = once(this.#child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  /** Resolves when the app listens. */
  static async start(app: string, env: Readonly<Record<string, string>> = {}, program?: string): Promise<HttpApp> {
    const started = new HttpApp(app, env, program);
    await started.hears('http://');
    return started;
  }

  /** Where clients connect. */
  get url(): string {
    return /http:\/\/[^"\s]+/.exec(this.#stderr)?.[0] ?? '';
  }

  get port(): string {
    return new URL(this.url).port;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Everything on stderr so far. */
  stderr(): string {
    return this.#stderr;
  }

  /** Waits for a text on stderr. */
  async hears(text: string): Promise<void> {
    const signal = AbortSignal.timeout(45_000);
    while (!this.#stderr.includes(text)) {
      const news = once(this.#child.stderr, 'data', { signal }).then(() => undefined);
      const ended = await Promise.race([news, this.exit]);
      if (ended) throw new Error(`There was no "${text}" before the end (${JSON.stringify(ended)}): ${this.#stderr}`);
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** As an operator does it; an app that does not end cleanly fails the test. */
  async stop(): Promise<void> {
    this.kill('SIGTERM');
    const { code, signal } = await this.exit;
    if (code !== 0) throw new Error(`The app ended with ${code ?? signal}: ${this.#stderr}`);
  }
}
