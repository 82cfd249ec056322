/** A thin client, pinned to one revision: it adds what the revision requires, and returns answers unchanged. */
import {
  clientConversation,
  Connection,
  requestCodec,
  RpcError,
  type ClientConversation,
  type OpenPipe,
  type SelfDescription,
  type Traffic,
} from '@sigil-mcp/client/wire';
import { clientError, assertOffered, objectOf } from '@sigil-mcp/client/internal';
import {
  META_KEYS,
  type JsonObject,
  type LogLevel,
  type Operation,
  type RequestId,
  type Revision,
} from '@sigil-mcp/protocol';
import { testingError } from '../errors';
import type {
  CallToolAnswer,
  CompleteAnswer,
  GetPromptAnswer,
  ListPromptsAnswer,
  ListResourcesAnswer,
  ListTemplatesAnswer,
  ListToolsAnswer,
  ReadResourceAnswer,
} from '../results';
import { listenForProgress, type AnswerQuestion, type CallOptions, type Question } from './call-options';
import { TakenNotifications, saidMessages, type SaidMessage, TrafficLog } from './notifications';
import { startRequest, type StartedRequest } from './started-request';
import { startTask, type StartedTask } from './started-task';

/** The revision of a client, and what it says of itself and answers. */
export interface TestClientOptions extends SelfDescription {
  readonly revision: Revision;
  readonly answers: AnswerQuestion | undefined;
  /** Receives each message as it is sent or received. */
  readonly onTraffic: ((entry: Traffic) => void) | undefined;
}

/** Milliseconds that a notification may take. */
const PATIENCE = 1000;

/** A client of a test, made by `connect`. */
export class TestClient {
  readonly #log = new TrafficLog();
  readonly #notifications = new TakenNotifications(this.#log);
  readonly #questions: Question[] = [];
  readonly #conversation: ClientConversation;
  readonly #connection: Connection;
  readonly #answers: AnswerQuestion | undefined;
  /** The metadata of every request in addition to what its revision requires. */
  #meta: JsonObject = {};

  constructor(
    private readonly options: TestClientOptions,
    openPipe: OpenPipe,
  ) {
    const { revision, answers, onTraffic } = options;
    this.#conversation = clientConversation(revision, options);
    this.#answers =
      answers &&
      (({ method, params, key }) => {
        this.#questions.push({ method, params, key });
        return answers({ method, params, key });
      });
    this.#connection = new Connection(openPipe, {
      answer: this.#answers,
      onTraffic: (entry) => {
        onTraffic?.(entry);
        this.#log.add(entry);
      },
      // What a test answered wrongly fails the test. What the server sent wrongly is in the traffic.
      onFault: (error) => {
        const isReceived = error instanceof RpcError || ('code' in error && error.code === 'SIGIL_CLIENT_STRAY_ANSWER');
        if (!isReceived) this.#connection.fail(error);
      },
    });
    this.#connection.pipe.follow?.(this.#conversation.http);
  }

  /** The revision that was negotiated. */
  get revision(): string {
    return this.options.revision.version;
  }

  /** All messages, in order. */
  get traffic(): readonly Traffic[] {
    return this.#log.entries;
  }

  /** The questions of the server, in order. */
  get questions(): readonly Question[] {
    return this.#questions;
  }

  /** Connects to the server; `connect` has called it. */
  async open(): Promise<void> {
    const { opening, greeting } = this.#conversation;
    const opened = await this.#connection.ask(opening.method, opening.params).result;
    assertOffered(this.revision, this.#conversation.offeredIn(opened));
    if (greeting !== undefined) await this.#connection.deliver({ method: greeting });
    await this.#connection.pipe.listen?.();
  }

  /**
   * Sends a request with the metadata that the revision requires; answers questions of the server, if the client has `answers`.
   * @param what a method, whose result is as it was sent, or an operation of an extension, which writes its parameters and reads its result
   * @throws RpcError if the answer is an error
   * @example
   * const { status } = await client.request(TICKETS_GET, { ticket: '7' });
   */
  request(what: string, params?: JsonObject): Promise<JsonObject>;
  request<P extends object, R extends object>(what: Operation<string, P, R>, params: P): Promise<R>;
  async request(what: string | Operation, params?: object): Promise<object> {
    // The overloads tie the parameters to the method.
    if (typeof what === 'string') return this.start(what, params as JsonObject | undefined).result;
    const { write, read } = requestCodec(what, this.options.revision);
    return read(await this.start(what.method, write(params ?? {})).result);
  }

  /**
   * As `request`, for a test that sends other messages before the answer arrives.
   * @example
   * const { id, result } = client.start('tools/call', { name: 'forecast', arguments: { city: 'Oslo' } });
   * client.cancel(id);
   * await expect(result).rejects.toThrow('cancelled');
   */
  start(method: string, params?: JsonObject): StartedRequest {
    return startRequest((extra) => {
      const all = this.#withMeta(params);
      return this.#connection.ask(method, this.#conversation.dress(extra ? { ...all, ...extra } : all));
    }, this.#answers);
  }

  /**
   * Cancels a request in the way of the revision and the transport: with a notification, or by closing the response. Its promise is
   * rejected; messages that the server sends anyway are in `traffic`. Over HTTP, a notification may overtake a request that was just
   * sent.
   */
  cancel(requestId: RequestId, reason?: string): void {
    const { pipe } = this.#connection;
    if (pipe.hangUp && this.#conversation.http.rules.disconnectCancels) pipe.hangUp(requestId);
    else this.notify('notifications/cancelled', { requestId, ...(reason !== undefined && { reason }) });
    this.#connection.fail(clientError('SIGIL_CLIENT_CANCELLED', { id: requestId }), requestId);
  }

  /** Closes the connection of one request without notice, like a client that crashes; rejects its promise. */
  hangUp(requestId: RequestId): void {
    const { pipe } = this.#connection;
    if (!pipe.hangUp) throw testingError('SIGIL_TEST_ONE_PIPE');
    pipe.hangUp(requestId);
    this.#connection.fail(testingError('SIGIL_TEST_HUNG_UP', { id: requestId }), requestId);
  }

  /** Sends a notification. */
  notify(method: string, params?: JsonObject): void {
    this.#connection.post({ method, ...(params && { params }) });
  }

  /** Sends any text, for messages that a client should not send. */
  send(text: string): void {
    this.#connection.postText(text);
  }

  /** What the server wrote to stderr; empty unless the client started the server as a process. */
  stderr(): string {
    return this.#connection.pipe.stderr?.() ?? '';
  }

  /** The notifications that the server sent on its own, in order: those of this method, or all. */
  notifications(method?: string): SaidMessage[] {
    return saidMessages(this.traffic, method);
  }

  /**
   * The next notification of this method that no earlier wait has returned; one that has arrived already is returned at once.
   * @param timeout milliseconds; 1000 if left out
   * @throws Error that reports what arrived instead
   * @example
   * await client.subscribe('weather://oslo/today');
   * server.notifyResourceChanged('weather://oslo/today');
   * await client.waitForNotification('notifications/resources/updated');
   */
  waitForNotification(method: string, timeout: number = PATIENCE): Promise<SaidMessage> {
    return this.#notifications.next(method, timeout);
  }

  /**
   * Subscribes to the changes of a resource, in the way of the revision.
   * @returns once the server has confirmed the subscription; it lasts as long as the client
   */
  async subscribe(uri: string): Promise<void> {
    const { opening, confirmation } = this.#conversation.subscription({ resourceSubscriptions: [uri] });
    const { result } = this.start(opening[0]?.method ?? '', opening[0]?.params);
    if (confirmation === undefined) return void (await result);
    const answered = new AbortController();
    const confirmed = this.#notifications.next(confirmation, PATIENCE, answered.signal);
    // A refusal is the answer; otherwise there is no answer before the end.
    result.catch(() => undefined).finally(() => answered.abort());
    await Promise.race([result, confirmed]);
  }

  /** Sets the lowest level of log messages: at once, or with each request, depending on the revision. */
  async setLogLevel(level: LogLevel): Promise<void> {
    const request = this.#conversation.levelRequest(level);
    if (request) await this.request(request.method, request.params);
    else this.#meta = { ...this.#meta, [META_KEYS.logLevel]: level };
  }

  /**
   * @param params `cursor` selects the page; the first if left out
   * @throws RpcError if the answer is an error, like all methods that follow
   */
  listTools(params?: JsonObject): Promise<ListToolsAnswer> {
    return this.#ask('tools/list', params);
  }

  /**
   * Calls a tool. A tool error is a result with `isError`; a protocol error is thrown.
   * @example
   * await client.callTool('forecast', { city: 'Oslo' }, { onProgress: ({ progress }) => steps.push(progress) });
   */
  async callTool(name: string, args: JsonObject = {}, options: CallOptions = {}): Promise<CallToolAnswer> {
    const { logLevel } = options;
    const request = logLevel && this.#conversation.levelRequest(logLevel);
    if (request) await this.request(request.method, request.params);
    const progress = listenForProgress(this.#log, options);
    const _meta = { ...progress.meta, ...(logLevel && !request && { [META_KEYS.logLevel]: logLevel }) };
    try {
      return await this.#ask('tools/call', { name, arguments: args, ...(Object.keys(_meta).length > 0 && { _meta }) });
    } finally {
      progress.end();
    }
  }

  /** Calls a tool with the option `task`, as a client that knows tasks. */
  startTask(name: string, args: JsonObject = {}): Promise<StartedTask> {
    const parts = { conversation: this.#conversation, log: this.#log, answers: this.#answers };
    return startTask({ name, arguments: args }, { client: this, ...parts });
  }

  listResources(params?: JsonObject): Promise<ListResourcesAnswer> {
    return this.#ask('resources/list', params);
  }

  listResourceTemplates(params?: JsonObject): Promise<ListTemplatesAnswer> {
    return this.#ask('resources/templates/list', params);
  }

  readResource(uri: string): Promise<ReadResourceAnswer> {
    return this.#ask('resources/read', { uri });
  }

  listPrompts(params?: JsonObject): Promise<ListPromptsAnswer> {
    return this.#ask('prompts/list', params);
  }

  getPrompt(name: string, args: Readonly<Record<string, string>> = {}): Promise<GetPromptAnswer> {
    return this.#ask('prompts/get', { name, arguments: args });
  }

  /** Suggestions for an argument of a prompt (its name) or a variable of a template (its URI template). */
  complete(
    target: { readonly prompt: string } | { readonly template: string },
    name: string,
    value: string,
  ): Promise<CompleteAnswer> {
    const ref =
      'prompt' in target ? { type: 'ref/prompt', name: target.prompt } : { type: 'ref/resource', uri: target.template };
    return this.#ask('completion/complete', { ref, argument: { name, value } });
  }

  /** Closes the connection, and stops the process that was started for this client; pending requests are rejected. */
  async close(): Promise<void> {
    const closed = this.#connection.close();
    this.#log.close();
    await closed;
  }

  #ask<Answer extends JsonObject>(method: string, params?: JsonObject): Promise<Answer> {
    // The type declares what the answer should be: a test checks it itself.
    return pointToTest(() => this.request(method, params) as Promise<Answer>, this.#answers);
  }

  #withMeta(params: JsonObject | undefined): JsonObject | undefined {
    if (Object.keys(this.#meta).length === 0) return params;
    // The metadata of this request takes precedence.
    return { ...params, _meta: { ...this.#meta, ...objectOf(params?.['_meta']) } };
  }
}

/**
 * Waits for an answer. The stack of an error answer, which arrives when no function of the test is on it, is completed; its message stays
 * what the server sent, because tests compare it.
 * @param answers the option of the client
 */
async function pointToTest<Answer>(ask: () => Promise<Answer>, answers: unknown): Promise<Answer> {
  const asked = { stack: '' };
  Error.captureStackTrace(asked, pointToTest);
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RpcError) {
      const frames = asked.stack.split('\n').slice(1);
      error.stack = [`${error.name}: ${error.message}`, ...adviceOn(error, answers !== undefined), ...frames].join(
        '\n',
      );
    }
    throw error;
  }
}

function adviceOn({ data }: RpcError, hasAnswers: boolean): readonly string[] {
  const { error, requiredCapabilities } = objectOf(data);
  if (requiredCapabilities !== undefined && !hasAnswers)
    return ['The server asks this client. Pass `answers` to connect(): a client without them cannot be asked.'];
  if (error === 'insufficient_scope')
    return ['Pass a caller with these scopes to connect(): { as: { id, scopes } }, or over HTTP a token in `headers`.'];
  return [];
}
