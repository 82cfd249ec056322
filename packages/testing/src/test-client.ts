/** A thin client, pinned to one revision: it adds what the revision demands and hides nothing of what comes back. */
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
import type { OpenPipe, Pipe, PipeUser } from './pipes/pipe';
import { RpcError } from './rpc-error';

/** One message on its way. */
export interface Traffic {
  readonly from: 'client' | 'server';
  /** As it travelled. */
  readonly text: string;
}

const CLOSED = 'The client was closed.';

/** A request that waits for its answer. */
interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

/** A request on its way. */
export interface StartedRequest {
  /** Of the message that waits; a request that is sent again with answers has another one each time. */
  readonly id: RequestId;
  /** Rejected with an `RpcError` if the answer is an error. */
  readonly result: Promise<JsonObject>;
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
  readonly #pipe: Pipe;
  #nextId = 1;
  #isClosed = false;

  constructor({ revision, manners, answers }: TestClientParts, openPipe: OpenPipe) {
    this.spoken = revision;
    this.manners = manners;
    this.#answers = answers && this.#recording(answers);
    this.#pipe = openPipe(this.#user());
  }

  /** The revision that was negotiated. */
  get revision(): string {
    return this.spoken.version;
  }

  /** Meets the server; `connect` has done it. */
  async open(): Promise<void> {
    const { opening, greeting } = this.manners;
    this.manners.checkOpening(await this.#ask(opening.method, opening.params));
    if (greeting !== undefined) await this.#send(write({ method: greeting }));
    await this.#pipe.listen?.();
  }

  /**
   * Sends a request with what the revision demands of each one; answers what it is asked in return, if it was told how.
   * @throws RpcError if the answer is an error
   */
  async request(method: string, params?: JsonObject): Promise<JsonObject> {
    return this.start(method, params).result;
  }

  /**
   * As `request`, for a test that has something to say before the answer is there.
   * @example
   * const { id, result } = client.start('tools/call', { name: 'forecast', arguments: { city: 'Oslo' } });
   * client.cancel(id);
   * await expect(result).rejects.toThrow('cancelled');
   */
  start(method: string, params?: JsonObject): StartedRequest {
    let id = this.#nextId;
    const send = (extra?: JsonObject): Promise<JsonObject> => {
      id = this.#nextId;
      return this.#ask(method, this.manners.dress(extra ? { ...params, ...extra } : params));
    };
    const first = send();
    const answers = this.#answers;
    const result = answers ? first.then((asked) => answerRounds(asked, answers, send)) : first;
    // Whoever waits for it hears of it, and nobody has to.
    result.catch(() => undefined);
    return {
      get id() {
        return id;
      },
      result,
    };
  }

  /**
   * Takes a request back in the way of the revision and the transport: with a notification, or by closing the response.
   * Its promise is rejected; what the server says all the same is in `traffic`. Over HTTP, a notification may overtake a
   * request that was just sent.
   */
  cancel(requestId: RequestId, reason?: string): void {
    if (this.#pipe.hangUp && this.manners.http.rules.disconnectCancels) this.#pipe.hangUp(requestId);
    else this.notify('notifications/cancelled', { requestId, ...(reason !== undefined && { reason }) });
    this.#fail(new Error(`The client cancelled request ${requestId}.`), requestId);
  }

  /** Closes the connection of one request without a word, as a client that crashes; its promise is rejected. */
  hangUp(requestId: RequestId): void {
    if (!this.#pipe.hangUp)
      throw new Error('Requests share one pipe here, so none can be hung up: connect over HTTP, or cancel().');
    this.#pipe.hangUp(requestId);
    this.#fail(new Error(`The client hung up on request ${requestId}.`), requestId);
  }

  /** Sends a notification. */
  notify(method: string, params?: JsonObject): void {
    this.send(write({ method, ...(params && { params }) }));
  }

  /** Sends any text, for what a client should not do. */
  send(text: string): void {
    this.#send(text)?.catch((error: Error) => this.#fail(error));
  }

  /** What the server wrote to stderr; nothing where it is no process that the client started. */
  stderr(): string {
    return this.#pipe.stderr?.() ?? '';
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

  /** Hangs up, and ends what was started for this client; requests that wait are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = this.#pipe.close();
    this.#fail(new Error(CLOSED));
    await closed;
  }

  #user(): PipeUser {
    return {
      receive: (text) => this.#receive(text),
      waitsFor: (id) => this.#waiting.has(id),
      fail: (error, id) => this.#fail(error, id),
    };
  }

  #ask(method: string, params: JsonObject | undefined): Promise<JsonObject> {
    if (this.#isClosed) return Promise.reject(new Error(CLOSED));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.send(write({ id, method, ...(params && { params }) }));
    });
  }

  #send(text: string): Promise<void> | undefined {
    this.traffic.push({ from: 'client', text });
    const sent = this.#pipe.send(text);
    return sent ?? undefined;
  }

  #fail(error: Error, id?: RequestId): void {
    for (const [waitingId, { reject }] of this.#waiting) {
      if (id !== undefined && id !== waitingId) continue;
      this.#waiting.delete(waitingId);
      reject(error);
    }
  }

  #recording(answers: AnswerQuestion): AnswerQuestion {
    return (question) => {
      this.questions.push(question);
      return answers(question);
    };
  }

  async #answer({ id, method, params = {} }: InboundRequest): Promise<void> {
    const response = await answerRequest({ method, params, key: undefined }, this.#answers);
    this.send(write({ id, ...response }));
  }

  #receive(text: string): void {
    this.traffic.push({ from: 'server', text });
    const message = parseMessage(text);
    for (const one of isBatch(message) ? message.messages : [message]) this.#settle(one);
  }

  #settle(message: InboundMessage): void {
    if (message.kind === 'request') this.#answer(message).catch((error: Error) => this.#fail(error));
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

function write(message: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}

function parsed(text: string): JsonObject | JsonObject[] {
  // The server writes JSON-RPC messages, or arrays of them.
  return JSON.parse(text) as JsonObject | JsonObject[];
}
