/** A client of tasks: each request stands alone, and is sent again until it is answered. */
import { setTimeout as delay } from 'node:timers/promises';
import { ALONE_META, type Message } from '../../../support/transcript';
import { aloneHeaders } from './alone-headers';
import { send } from './send';
import type { World } from '../world';
import { until } from '../until';

const TASKS = 'io.modelcontextprotocol/tasks';
const META = {
  ...ALONE_META,
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, extensions: { [TASKS]: {} } },
};

/** Between two tries, and two looks at a task, milliseconds. */
const PAUSE = 50;
/** JSON-RPC's code for an id that is not known. */
const UNKNOWN = -32602;

/** A task, as a process tells it. */
export interface SeenTask {
  readonly taskId: string;
  readonly status: string;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly result?: Message;
  readonly error?: { readonly message: string };
}

/** The parameters of a method about a task. */
interface AboutTask {
  readonly taskId: string;
  readonly inputResponses?: object;
}

/** An answer, or what came in place of it: `unknown` is the refusal of an id that is not known. */
type Answer = Message | 'unknown' | undefined;

/** One client. */
export class TaskClient {
  constructor(private readonly world: World) {}

  /** Calls a tool once, which becomes a task; undefined where the client does not know. */
  async start(name: string, args: object): Promise<SeenTask | undefined> {
    const answer = await this.#once('tools/call', { name, arguments: args }, name);
    return typeof answer === 'object' && 'taskId' in answer ? (answer as unknown as SeenTask) : undefined;
  }

  /** The task as it is now; undefined where Redis has lost it. Breaks a promise where nothing has. */
  async get(taskId: string, since: number): Promise<SeenTask | undefined> {
    return (await this.#surely('tasks/get', { taskId }, since)) as unknown as SeenTask | undefined;
  }

  /** Answers questions. Returns whether that was acknowledged. */
  async answer(taskId: string, inputResponses: object, since: number): Promise<boolean> {
    return (await this.#surely('tasks/update', { taskId, inputResponses }, since)) !== undefined;
  }

  /** Cancels a task. Returns whether that was acknowledged. */
  async cancel(taskId: string, since: number): Promise<boolean> {
    return (await this.#surely('tasks/cancel', { taskId }, since)) !== undefined;
  }

  /** The task once it has one of these states; undefined where Redis has lost it. */
  async reach(taskId: string, since: number, ...states: readonly string[]): Promise<SeenTask | undefined> {
    const signal = until(this.world.patience);
    let seen: SeenTask | undefined;
    while (!signal.aborted) {
      seen = await this.get(taskId, since);
      if (!seen || states.includes(seen.status)) return seen;
      await delay(PAUSE);
    }
    this.world.ledger.break('tasks lost', `a task is still ${seen?.status ?? 'away'}, and not ${states.join(' or ')}`);
    return undefined;
  }

  /** Sends a request that does no harm twice until it is answered. */
  async #surely(method: string, params: AboutTask, since: number): Promise<Message | undefined> {
    const signal = until(this.world.patience);
    while (!signal.aborted) {
      const answer = await this.#once(method, params, params.taskId);
      if (answer === 'unknown') return this.#lost(method, since);
      if (answer) return answer;
      await delay(PAUSE);
    }
    this.world.ledger.break('calls without an outcome', `${method} was not answered`);
    return undefined;
  }

  #lost(method: string, since: number): undefined {
    const { ledger, timeline } = this.world;
    if (timeline.emptied(since)) ledger.count('tasks gone with the data of Redis');
    else ledger.break('tasks lost', `${method} does not know a task of ${Math.round(timeline.now - since)} ms`);
    return undefined;
  }

  async #once(method: string, params: object, name: string): Promise<Answer> {
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } };
    const headers = aloneHeaders(method, name);
    const arrival = await send(this.world, { message, headers, signal: until(this.world.patience) });
    if (arrival.kind !== 'response') return undefined;
    const text = await arrival.response.text().catch(() => '');
    const { result, error } = readMessage(text);
    if (error?.code === UNKNOWN) return 'unknown';
    return result;
  }
}

/** What a process has said; nothing if it was cut off. */
function readMessage(text: string): { readonly result?: Message; readonly error?: { readonly code: number } } {
  try {
    return JSON.parse(text) as ReturnType<typeof readMessage>;
  } catch {
    return {};
  }
}
