/** A server as an AI application runs it: a process with three real pipes. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { compileFixture } from './compile-fixture';
import { ALONE_META, Transcript, type Message } from './transcript';

export type { Message } from './transcript';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const LAST_HANDSHAKE = '2025-11-25';

/** A client that can misbehave: it sends bytes and keeps every message that comes back. A line that is no message fails the test. */
export class SpawnedServer {
  readonly process: ChildProcessWithoutNullStreams;
  readonly exit: Promise<Exit>;
  stderr = '';
  readonly #transcript = new Transcript();
  #begun = '';
  readonly #news = new EventEmitter();
  #nextId = 1;

  constructor(program: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    this.process = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env } });
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => this.#hear(text));
    this.process.stdin.on('error', () => undefined);
    this.exit = once(this.process, 'close').then(([code, signal]) => ({ code, signal }));
  }

  get messages(): readonly Message[] {
    return this.#transcript.messages;
  }

  /** Sends one line: a message, or any text or bytes. */
  send(line: object | string | Buffer): void {
    if (typeof line === 'object' && !Buffer.isBuffer(line)) this.#transcript.sent(line as Message);
    this.process.stdin.write(Buffer.isBuffer(line) ? line : typeof line === 'string' ? line : JSON.stringify(line));
    this.process.stdin.write('\n');
  }

  /** Sends a request in the opened conversation. @returns its id */
  start(method: string, params?: object): number {
    const id = this.#nextId++;
    this.send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    return id;
  }

  /** Sends a request and waits for its answer. */
  request(method: string, params?: object): Promise<Message> {
    return this.answer(this.start(method, params));
  }

  /** A request that names its revision itself. */
  requestAlone(method: string, params: object = {}): Promise<Message> {
    return this.request(method, { ...params, _meta: ALONE_META });
  }

  async initialize(protocolVersion: string = LAST_HANDSHAKE): Promise<Message> {
    const answer = await this.request('initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'spawner', version: '1' },
    });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  answer(id: unknown): Promise<Message> {
    return this.find((message) => message['id'] === id && !('method' in message), `answer to ${JSON.stringify(id)}`);
  }

  /** Waits for a message. */
  async find(matches: (message: Message) => boolean, what: string): Promise<Message> {
    let found: Message | undefined;
    while (!(found = this.messages.find(matches))) await this.#more(what);
    return found;
  }

  /** Waits for a text on stderr. */
  async hears(text: string): Promise<void> {
    while (!this.stderr.includes(text)) await this.#more(`"${text}" on stderr`);
  }

  /** What comes in answer to lines, up to the answer of a `ping` sent after them: proof that the next message is served. */
  async answersTo(...lines: (object | string | Buffer)[]): Promise<Message[]> {
    const before = this.messages.length;
    for (const line of lines) this.send(line);
    const ping = await this.request('ping');
    expect(ping['result']).toEqual({});
    return this.messages.slice(before).filter(({ id }) => id !== ping['id']);
  }

  /** What the official schemas say against what was received. */
  schemaErrors(): string[] {
    return this.#transcript.schemaErrors();
  }

  /** Closes the server's input and waits for its end. */
  end(): Promise<Exit> {
    this.process.stdin.end();
    return this.exit;
  }

  #read(text: string): void {
    const lines = (this.#begun + text).split('\n');
    this.#begun = lines.pop() ?? '';
    for (const line of lines) this.#transcript.received(JSON.parse(line) as Message);
    this.#news.emit('news');
  }

  #hear(text: string): void {
    this.stderr += text;
    this.#news.emit('news');
  }

  async #more(what: string): Promise<void> {
    const settled = new AbortController();
    const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(20_000)]);
    const news = once(this.#news, 'news', { signal }).then(
      () => 'news' as const,
      () => 'late' as const,
    );
    const happened = await Promise.race([news, this.exit]);
    settled.abort();
    if (happened !== 'news')
      throw new Error(
        `There was no ${what}: ${JSON.stringify(happened)}. Last messages: ${JSON.stringify(this.messages.slice(-5))}\n${this.stderr}`,
      );
  }
}

/** Spawns programs of TypeScript, and ends what a test left running. */
export class Spawner {
  readonly #servers: SpawnedServer[] = [];

  spawn(path: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): SpawnedServer {
    const server = new SpawnedServer(path.endsWith('.ts') ? compileFixture(path) : path, args, env);
    this.#servers.push(server);
    return server;
  }

  /** For `afterEach`. */
  async endAll(): Promise<void> {
    const servers = this.#servers.splice(0);
    for (const { process } of servers) if (process.exitCode === null) process.kill('SIGKILL');
    await Promise.all(servers.map(({ exit }) => exit));
    expect(servers.flatMap((server) => server.schemaErrors())).toEqual([]);
  }
}
