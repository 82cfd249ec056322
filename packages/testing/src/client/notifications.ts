/** The messages that a server sends on its own, found in the traffic, and a way to wait for the next one. */
import type { Traffic } from '@sigil-mcp/client/wire';
import { clientError } from '@sigil-mcp/client/internal';
import type { JsonObject } from '@sigil-mcp/protocol';
import { testingError } from '../errors';

/** A notification, or a request, of the server. */
export interface SaidMessage extends JsonObject {
  readonly method: string;
  readonly params?: JsonObject;
}

/** The messages that the server sent on its own, in order. */
export function saidMessages(traffic: readonly Traffic[], method?: string): SaidMessage[] {
  const texts = traffic.filter(({ from }) => from === 'server').map(({ text }) => text);
  // The server writes JSON-RPC messages, or arrays of them.
  const messages = texts.flatMap((text) => [JSON.parse(text) as JsonObject | JsonObject[]].flat());
  const said = messages.filter((message): message is SaidMessage => 'method' in message);
  return method === undefined ? said : said.filter((message) => message.method === method);
}

/** Returns each notification once. */
export class TakenNotifications {
  /** How many notifications of each method were returned. */
  readonly #taken = new Map<string, number>();

  constructor(private readonly log: TrafficLog) {}

  /**
   * The next of this method; one that has arrived already is returned at once.
   * @param timeout milliseconds
   * @param signal cancels the wait
   */
  next(method: string, timeout: number, signal?: AbortSignal): Promise<SaidMessage> {
    const { log } = this;
    const index = this.#taken.get(method) ?? 0;
    this.#taken.set(method, index + 1);
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        endWatch();
      };
      const giveUp = (error: Error): void => {
        stop();
        this.#taken.set(method, (this.#taken.get(method) ?? 1) - 1);
        reject(error);
      };
      const look = (): void => {
        const found = saidMessages(log.entries, method)[index];
        if (found) stop();
        if (found) resolve(found);
        else if (log.isClosed) giveUp(clientError('SIGIL_CLIENT_CLOSED'));
      };
      const timer = setTimeout(() => giveUp(this.#notCome(method, timeout)), timeout);
      const endWatch = log.watch(look);
      signal?.addEventListener('abort', () => giveUp(testingError('SIGIL_TEST_WAIT_GIVEN_UP', { method })));
      look();
    });
  }

  #notCome(method: string, timeout: number): Error {
    const counts = new Map<string, number>();
    for (const said of saidMessages(this.log.entries)) counts.set(said.method, (counts.get(said.method) ?? 0) + 1);
    const there = [...counts].map(([name, count]) => `${name} (${count})`).join(', ') || 'nothing';
    const taken = this.#taken.get(method) ?? 0;
    const further = taken > 1 ? 'further ' : '';
    return testingError('SIGIL_TEST_NOTHING_CAME', { wanted: `${further}${method}`, timeout, said: there });
  }
}

/** Records messages. */
export class TrafficLog {
  readonly entries: Traffic[] = [];
  readonly #watchers = new Set<() => void>();
  #tokens = 0;
  #isClosed = false;

  /** Whether no more messages will come. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** A progress token that no other call of this client has. */
  nextProgressToken(): string {
    return `progress-${(this.#tokens += 1)}`;
  }

  /** Records a message; the listeners look at those of the server. */
  add(entry: Traffic): void {
    this.entries.push(entry);
    if (entry.from === 'server') this.#look();
  }

  /** Tells the listeners that no more messages will come. */
  close(): void {
    this.#isClosed = true;
    this.#look();
  }

  /**
   * Calls a listener after each message of the server, and when the client is closed.
   * @returns a function that removes the listener
   */
  watch(look: () => void): () => void {
    this.#watchers.add(look);
    return () => void this.#watchers.delete(look);
  }

  #look(): void {
    for (const look of [...this.#watchers]) look();
  }
}
