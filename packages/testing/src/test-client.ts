/** A thin client, pinned to one revision: it adds what the revision demands and hides nothing of what comes back. */
import type { MemoryPipe } from '@sigil-mcp/core';
import type {
  InboundBatch,
  InboundMessage,
  InboundRequest,
  JsonObject,
  RequestId,
  Revision,
} from '@sigil-mcp/protocol';
import { parseMessage } from '@sigil-mcp/protocol';
import { answerRequest, answerRounds, type AnswerQuestion, type Question } from './answers';
import type { Manners } from './conversations/manners';
import { RpcError } from './rpc-error';

/** One message on its way. */
export interface Traffic {
  readonly from: 'client' | 'server';
  /** As it travelled. */
  readonly text: string;
}

/** A request that waits for its answer. */
interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

/** What a client is made of. */
export interface TestClientParts {
  readonly revision: Revision;
  readonly manners: Manners;
  readonly answers: AnswerQuestion | undefined;
}

/** Made by `connect`. */
export class TestClient {
  /** Everything that travelled, in order. */
  readonly traffic: Traffic[] = [];
  /** What the server asked, in order. */
  readonly questions: Question[] = [];
  private readonly spoken: Revision;
  private readonly manners: Manners;
  readonly #answers: AnswerQuestion | undefined;
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #pipe: MemoryPipe;
  #nextId = 1;

  constructor(
    { revision, manners, answers }: TestClientParts,
    connect: (receive: (text: string) => void) => MemoryPipe,
  ) {
    this.spoken = revision;
    this.manners = manners;
    this.#answers = answers && this.#recording(answers);
    this.#pipe = connect((text) => this.#receive(text));
  }

  /** The revision that was negotiated. */
  get revision(): string {
    return this.spoken.version;
  }

  /** Meets the server; `connect` has done it. */
  async open(): Promise<void> {
    const { opening, greeting } = this.manners;
    this.manners.checkOpening(await this.#ask(opening.method, opening.params));
    if (greeting !== undefined) this.notify(greeting);
  }

  /**
   * Sends a request with what the revision demands of each one; answers what it is asked in return, if it was told how.
   * @throws RpcError if the answer is an error
   */
  async request(method: string, params?: JsonObject): Promise<JsonObject> {
    const send = (extra?: JsonObject) =>
      this.#ask(method, this.manners.dress(extra ? { ...params, ...extra } : params));
    const result = await send();
    return this.#answers ? answerRounds(result, this.#answers, send) : result;
  }

  /** Sends a notification. */
  notify(method: string, params?: JsonObject): void {
    this.send(JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) }));
  }

  /** Sends any text, for what a client should not do. */
  send(text: string): void {
    this.traffic.push({ from: 'client', text });
    this.#pipe.send(text);
  }

  /** What the server said without being asked, in order: notifications of this method, or all. */
  notifications(method?: string): JsonObject[] {
    const messages = this.traffic.filter(({ from }) => from === 'server').flatMap(({ text }) => [parsed(text)].flat());
    return messages.filter((message) => 'method' in message && (method === undefined || message['method'] === method));
  }

  listTools(params?: JsonObject): Promise<JsonObject> {
    return this.request('tools/list', params);
  }

  callTool(name: string, args: JsonObject = {}): Promise<JsonObject> {
    return this.request('tools/call', { name, arguments: args });
  }

  listResources(params?: JsonObject): Promise<JsonObject> {
    return this.request('resources/list', params);
  }

  listResourceTemplates(params?: JsonObject): Promise<JsonObject> {
    return this.request('resources/templates/list', params);
  }

  readResource(uri: string): Promise<JsonObject> {
    return this.request('resources/read', { uri });
  }

  listPrompts(params?: JsonObject): Promise<JsonObject> {
    return this.request('prompts/list', params);
  }

  getPrompt(name: string, args: Readonly<Record<string, string>> = {}): Promise<JsonObject> {
    return this.request('prompts/get', { name, arguments: args });
  }

  /** Suggestions for an argument of a prompt (its name) or a variable of a template (its URI template). */
  complete(
    target: { readonly prompt: string } | { readonly template: string },
    name: string,
    value: string,
  ): Promise<JsonObject> {
    const ref =
      'prompt' in target ? { type: 'ref/prompt', name: target.prompt } : { type: 'ref/resource', uri: target.template };
    return this.request('completion/complete', { ref, argument: { name, value } });
  }

  /** Hangs up; requests that wait are rejected. */
  close(): Promise<void> {
    this.#pipe.close();
    for (const { reject } of this.#waiting.values()) reject(new Error('The client was closed.'));
    this.#waiting.clear();
    return Promise.resolve();
  }

  #ask(method: string, params: JsonObject | undefined): Promise<JsonObject> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.send(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) }));
    });
  }

  #recording(answers: AnswerQuestion): AnswerQuestion {
    return (question) => {
      this.questions.push(question);
      return answers(question);
    };
  }

  async #answer({ id, method, params = {} }: InboundRequest): Promise<void> {
    const response = await answerRequest({ method, params, key: undefined }, this.#answers);
    this.send(JSON.stringify({ jsonrpc: '2.0', id, ...response }));
  }

  #receive(text: string): void {
    this.traffic.push({ from: 'server', text });
    const message = parseMessage(text);
    for (const one of isBatch(message) ? message.messages : [message]) this.#settle(one);
  }

  #settle(message: InboundMessage): void {
    if (message.kind === 'request') void this.#answer(message);
    if (message.kind !== 'response') return;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.reject(new RpcError(message.error));
    else waiting?.resolve(message.result ?? {});
  }
}

function isBatch(message: InboundMessage | InboundBatch): message is InboundBatch {
  return message.kind === 'batch';
}

function parsed(text: string): JsonObject | JsonObject[] {
  // The server writes JSON-RPC messages, or arrays of them.
  return JSON.parse(text) as JsonObject | JsonObject[];
}
