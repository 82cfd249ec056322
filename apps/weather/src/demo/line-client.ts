/** A minimal client of the protocol over stdio: one JSON message per line in each direction. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A JSON object whose members are not typed. */
export type Json = Record<string, unknown>;

/** A message of the server. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Waiting {
  readonly resolve: (result: Json) => void;
  readonly reject: (error: Error) => void;
}

/** The time limit for an answer, in milliseconds. */
const PATIENCE = 10_000;

/** A server as a child process, and the requests that wait for its answers. */
export class LineClient {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<number | null>;
  #said = '';
  #nextId = 1;

  /** Starts a JavaScript file with this Node. */
  constructor(
    file: string,
    private readonly hear: (method: string, params: Json) => void,
  ) {
    this.#child = spawn(process.execPath, [file], { stdio: 'pipe' });
    this.#child.stderr.on('data', (chunk: Buffer) => (this.#said += chunk.toString('utf8')));
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(line));
    this.#child.stdin.on('error', () => undefined); // the exit code says more
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => this.#giveUp(error));
      this.#child.once('close', (code) => {
        this.#giveUp(new Error(`The server ended (exit code ${code}) before it answered. Its output:\n${this.#said}`));
        resolve(code);
      });
    });
  }

  /** Sends a request and waits for the result; an error response is thrown. */
  request(method: string, params: Json = {}): Promise<Json> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`No answer to ${method} within ${PATIENCE / 1000} s.`)), PATIENCE);
      const settle =
        <T>(go: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(late);
          go(value);
        };
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** Sends a notification. */
  notify(method: string): void {
    this.#send({ jsonrpc: '2.0', method });
  }

  /** Ends the connection as stdio does: by closing the server's input. Returns the server's exit code. */
  async close(): Promise<number | null> {
    this.#child.stdin.end();
    return this.#ended;
  }

  /** Kills the server. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #send(message: Json): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #receive(line: string): void {
    // The demonstration trusts its own server to write JSON-RPC.
    const { id, method, params = {}, result, error } = JSON.parse(line) as Message;
    if (method !== undefined) this.hear(method, params);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || !waiting) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(`${error.message} (${error.code})`));
    else waiting.resolve(result ?? {});
  }

  #giveUp(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
