/** The client: typed requests to one server, in the revision that was negotiated. */
import {
  ERROR_CODES,
  META_KEYS,
  type CallToolResult,
  type ChangeNotification,
  type CompleteParams,
  type CompleteResult,
  type CompletionReference,
  type GetPromptResult,
  type Implementation,
  type JsonObject,
  type ListParams,
  type ListPromptsResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ListToolsResult,
  type LogLevel,
  type Method,
  type NotificationOperation,
  type Operation,
  type ParamsOf,
  type Prompt,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
  type ResultOf,
  type Revision,
  type ServerCapabilities,
  type SubscriptionFilter,
  type Tool,
  type TypedResult,
} from '@sigil-mcp/protocol';
import { clientError } from '../errors';
import { headerProblem } from '../pipes/mirrored-arguments';
import { RpcError } from '../rpc-error';
import { allPages, itemsOf } from './all-pages';
import { ClientRequest, type Line, type RequestOptions, type TypedRequestOptions } from './client-request';
import type { NotificationOf } from './notifications';
import { requestCodec } from '../conversations/request-codec';
import { Subscriptions, type Subscription } from './subscription';
import { callAsTask, TaskHandle, type ToolCallOptions, type TaskParts } from './task-handle';

/** The error of a server that misses a header. */
const HEADER_MISMATCH = ERROR_CODES['header-mismatch'];

/** A server, as it describes itself. */
export interface ServerDescription {
  /** Its name and version; undefined if it does not say. */
  readonly info: Implementation | undefined;
  readonly capabilities: ServerCapabilities;
  /** How its tools are to be used, for the model; undefined if there is no such text. */
  readonly instructions: string | undefined;
  /** The revisions that it says it serves; after a handshake only that of this connection. */
  readonly revisions: readonly string[];
}

/** A connection to one server, made by `connect`. All its requests throw an `RpcError` if the answer is an error. */
export class Client {
  readonly #subscriptions: Subscriptions;
  readonly #parts: TaskParts;
  #logLevel: LogLevel | undefined;

  /** Use `connect`. */
  constructor(
    private readonly line: Line,
    private readonly spoken: Revision,
    /** The server, as it described itself when the client connected. */
    readonly server: ServerDescription,
    private readonly onFault: (error: Error) => void,
  ) {
    this.#subscriptions = new Subscriptions(line);
    this.#parts = { client: this, line, revision: spoken };
  }

  /** The revision of the protocol that client and server speak, such as `2025-11-25`. */
  get revision(): string {
    return this.spoken.version;
  }

  /** What the server wrote to stderr, its last million characters; empty unless the client started it as a program. */
  get stderr(): string {
    return this.line.connection.pipe.stderr?.() ?? '';
  }

  /**
   * Sends any request, by the name of a method of the protocol or as an operation from outside.
   * @throws SigilError `SIGIL_CLIENT_OPERATION` if the revision does not have the method, `SIGIL_CLIENT_RESULT` if the result does not fit it,
   * `SIGIL_CLIENT_TIMEOUT`, `SIGIL_CLIENT_CANCELLED`, `SIGIL_CLIENT_CLOSED`, or the reason why the connection has ended
   * @example
   * const { completion } = await client.request('completion/complete', { ref, argument });
   * const task = await client.request(TASKS_GET, { taskId: '7' });
   * @example
   * const answer = await client.request('tools/call', { name: 'build', arguments: {} }, { resultTypes: [TASK] });
   * const task = answer instanceof TypedResult ? answer.value : undefined;
   */
  request<M extends Method, R extends object>(
    method: M,
    params: ParamsOf<M>,
    options: TypedRequestOptions<R>,
  ): Promise<ResultOf<M> | TypedResult<R>>;
  request<P extends object, R extends object, T extends object>(
    operation: Operation<string, P, R>,
    params: P,
    options: TypedRequestOptions<T>,
  ): Promise<R | TypedResult<T>>;
  request<M extends Method>(method: M, params: ParamsOf<M>, options?: RequestOptions): Promise<ResultOf<M>>;
  request<P extends object, R extends object>(
    operation: Operation<string, P, R>,
    params: P,
    options?: RequestOptions,
  ): Promise<R>;
  async request(
    what: Method | Operation,
    params: object,
    options: RequestOptions & Partial<TypedRequestOptions<object>> = {},
  ): Promise<object> {
    const { method, write, read } = requestCodec(what, this.spoken, options.resultTypes);
    return read(await new ClientRequest(this.line, { method, params: write(params) }, this.#withLevel(options)).result);
  }

  /**
   * One page of the tools; `allTools` reads all pages. Over HTTP, a tool with invalid `x-mcp-header` is left out.
   * @param params `cursor` is the `nextCursor` of the page before; the first page if left out
   * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
   */
  async listTools(params: ListParams = {}, options?: RequestOptions): Promise<ListToolsResult> {
    const page = await this.request('tools/list', params, options);
    return { ...page, tools: page.tools.filter((tool) => this.#isUsable(tool)) };
  }

  /** The tools of all pages. */
  allTools(options?: RequestOptions): Promise<Tool[]> {
    const pages = allPages('tools/list', (params) => this.listTools(params, options));
    return itemsOf(pages, ({ tools }) => tools);
  }

  /**
   * Calls a tool. An error of the tool is a result with `isError`; an error of the protocol is thrown. With `onTask`, the server may make a task
   * of the call; the client follows it, and an abort of `signal` cancels it.
   * @example
   * const { content } = await client.callTool('forecast', { city: 'Oslo' }, { onProgress: ({ progress }) => show(progress) });
   */
  async callTool(name: string, args: JsonObject = {}, options: ToolCallOptions = {}): Promise<CallToolResult> {
    const params = { name, arguments: args };
    const call = (): Promise<CallToolResult> =>
      options.onTask ? callAsTask(this.#parts, params, options) : this.request('tools/call', params, options);
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== HEADER_MISMATCH || !this.#mirrors) throw error;
      // The schema that names the headers is new, or was never listed.
      await this.allTools(options);
      return call();
    }
  }

  /** A task of the server, by the id that `onTask` received from this client or another one. */
  task(taskId: string): TaskHandle {
    return new TaskHandle(taskId, this.#parts);
  }

  /** One page of the resources; `params` as for `listTools`. */
  listResources(params: ListParams = {}, options?: RequestOptions): Promise<ListResourcesResult> {
    return this.request('resources/list', params, options);
  }

  /** The resources of all pages. */
  allResources(options?: RequestOptions): Promise<Resource[]> {
    const pages = allPages('resources/list', (params) => this.listResources(params, options));
    return itemsOf(pages, ({ resources }) => resources);
  }

  /** One page of the templates of resources; `params` as for `listTools`. */
  listResourceTemplates(params: ListParams = {}, options?: RequestOptions): Promise<ListResourceTemplatesResult> {
    return this.request('resources/templates/list', params, options);
  }

  /** The templates of resources of all pages. */
  allResourceTemplates(options?: RequestOptions): Promise<ResourceTemplate[]> {
    const pages = allPages('resources/templates/list', (params) => this.listResourceTemplates(params, options));
    return itemsOf(pages, ({ resourceTemplates }) => resourceTemplates);
  }

  /** Reads a resource. */
  readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    return this.request('resources/read', { uri }, options);
  }

  /** One page of the prompts; `params` as for `listTools`. */
  listPrompts(params: ListParams = {}, options?: RequestOptions): Promise<ListPromptsResult> {
    return this.request('prompts/list', params, options);
  }

  /** The prompts of all pages. */
  allPrompts(options?: RequestOptions): Promise<Prompt[]> {
    const pages = allPages('prompts/list', (params) => this.listPrompts(params, options));
    return itemsOf(pages, ({ prompts }) => prompts);
  }

  /** The messages of a prompt. */
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: RequestOptions,
  ): Promise<GetPromptResult> {
    return this.request('prompts/get', { name, arguments: args }, options);
  }

  /**
   * Suggestions for an argument of a prompt (its name), or a variable of a template (its URI template).
   * @param argument what was typed so far, and the arguments that were filled in before
   * @example await client.complete({ prompt: 'planDay' }, { name: 'city', value: 'Os' });
   */
  complete(
    target: { readonly prompt: string } | { readonly template: string },
    argument: CompleteParams['argument'] & { readonly previous?: CompleteParams['previous'] },
    options?: RequestOptions,
  ): Promise<CompleteResult> {
    const ref: CompletionReference =
      'prompt' in target ? { type: 'ref/prompt', name: target.prompt } : { type: 'ref/resource', uri: target.template };
    const { name, value, previous = {} } = argument;
    return this.request('completion/complete', { ref, argument: { name, value }, previous }, options);
  }

  /** Sets the lowest level of log messages, for `on('notifications/message', …)`: on the server, or with each request, as the revision has it. */
  async setLevel(level: LogLevel, options: RequestOptions = {}): Promise<void> {
    const request = this.line.conversation.levelRequest(level);
    if (request) await new ClientRequest(this.line, request, options).result;
    else this.#logLevel = level;
  }

  /** Finds out whether the server answers. A revision without `ping` is asked with `server/discover`. */
  async ping(options: RequestOptions = {}): Promise<void> {
    await new ClientRequest(this.line, this.line.conversation.ping, options).result;
  }

  /**
   * Subscribes to changes, in the way of the revision.
   * @param filter may have fields of extensions, whose notifications `on` receives
   * @param onChange receives each change of the protocol that the filter covers
   * @returns once the server has confirmed the subscription
   * @example
   * const subscription = await client.subscribe({ toolsListChanged: true, resourceSubscriptions: ['weather://oslo'] }, ({ method }) => refresh(method));
   * const reason = await subscription.ended;
   */
  subscribe(
    filter: SubscriptionFilter | (SubscriptionFilter & JsonObject),
    onChange: (change: ChangeNotification) => void,
    options: RequestOptions = {},
  ): Promise<Subscription> {
    return this.#subscriptions.open(filter, onChange, options);
  }

  /**
   * Listens for notifications of the server, by their method or as a value of an extension, whose parameters are then read. Malformed ones go to
   * `onFault`.
   * @returns a function that removes the listener
   * @example client.on('notifications/message', ({ level, data }) => console.error(level, data));
   * @example client.on(TASKS_CHANGED, ({ taskId, status }) => show(taskId, status));
   */
  on<P extends object>(notification: NotificationOperation<string, P>, listener: (params: P) => void): () => void;
  on<M extends string>(method: M, listener: (notification: NotificationOf<M>) => void): () => void;
  on(what: string | NotificationOperation, listener: (notification: never) => void): () => void {
    const { notifications } = this.line;
    // The overloads tie the listener to what it listens for.
    const listens = listener as (notification: object) => void;
    if (typeof what === 'string') return notifications.on(what, listens);
    return notifications.onOperation(what, this.spoken.rules, listens);
  }

  /** Closes the connection: ends the session, and stops the program that was started for this client. Pending requests are rejected. */
  close(): Promise<void> {
    return this.line.connection.close();
  }

  #withLevel(options: RequestOptions): RequestOptions {
    if (this.#logLevel === undefined) return options;
    return { ...options, meta: { [META_KEYS.logLevel]: this.#logLevel, ...options.meta } };
  }

  /** Whether arguments of tools are repeated in headers: over Streamable HTTP, in revisions that want it. */
  get #mirrors(): boolean {
    return this.line.connection.pipe.follow !== undefined && this.spoken.http.mirrorsArguments;
  }

  #isUsable({ name, inputSchema }: Tool): boolean {
    const problem = this.#mirrors ? headerProblem(inputSchema as JsonObject) : undefined;
    if (problem !== undefined)
      this.onFault(clientError('SIGIL_CLIENT_TOOL_HEADER', { tool: JSON.stringify(name), problem }));
    return problem === undefined;
  }
}
