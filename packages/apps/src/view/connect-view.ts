/**
 * The page's side of a view: what the host sends to it, and what it asks of the host.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
import { HostChannel, type JsonRecord, type HostRequestOptions, ViewError, type PageWindow } from './host-channel';
import { applyLook, type ConnectedHost, type DisplayMode, type HostContext } from './look';
import type { ArgumentsOfMethod, DataOfReturn } from '@sigil-mcp/core';

/** The size of a page in pixels. */
interface ViewSize {
  readonly width: number;
  readonly height: number;
}

/** What every result of a tool has. */
export interface AnswerParts {
  /** The texts of its content, joined with line breaks: what hosts without views show. */
  readonly text: string;
  /** The result as it was sent. */
  readonly result: JsonRecord;
}

/** The result of a tool: its data, or what went wrong. */
export type ToolAnswer<D> =
  | (AnswerParts & { readonly isError: false; /** The structured content. */ readonly data: D })
  | (AnswerParts & { readonly isError: true; readonly data: undefined });

/** What pages look for by the names of the protocol or of the server, and where it is. */
const ELSEWHERE = { structured: 'data', structuredContent: 'data', content: 'text, or as result.content' };

/** The handlers of one kind of report. */
class LastValue<T> {
  readonly #handlers = new Set<(value: T) => unknown>();
  #last: { readonly value: T } | undefined;

  /** @param reportError receives what a handler throws: the other handlers run anyway */
  constructor(private readonly reportError: (error: unknown) => void) {}

  /** Adds a handler, which receives the last value at once if there is one. Returns a function that removes it. */
  add(handler: (value: T) => unknown): () => void {
    this.#handlers.add(handler);
    if (this.#last) this.#run(handler, this.#last.value);
    return () => void this.#handlers.delete(handler);
  }

  /** Gives a value to all handlers. */
  set(value: T): void {
    this.#last = { value };
    for (const handler of [...this.#handlers]) this.#run(handler, value);
  }

  #run(handler: (value: T) => unknown, value: T): void {
    try {
      handler(value);
    } catch (error) {
      this.reportError(error);
    }
  }
}

/** The names of the methods of a feature; those of its tools, unless `@Tool({ name })` changes them. */
export type ToolOf<F extends object> = {
  [K in keyof F & string]: F[K] extends (...args: never[]) => unknown ? K : never;
}[keyof F & string];

/** The arguments of a tool. */
export type ArgumentsOfTool<F extends object, T extends ToolOf<F>> = ArgumentsOfMethod<F[T]>;

/** Arguments that a model has not finished writing. */
export type PartialArguments<A> = A extends object ? { readonly [K in keyof A]?: PartialArguments<A[K]> } : A;

/** The data that a tool returns; `unknown` if it returns a `toolResult()`, and undefined for text and bytes. */
export type DataOfTool<F extends object, T extends ToolOf<F>> = F[T] extends (...args: never[]) => infer R
  ? DataOfReturn<R>
  : unknown;

/** The revision of the extension that the bridge speaks. */
// eslint-disable-next-line house/revision-words -- of the extension, which counts its own revisions
const PROTOCOL = '2026-01-26';

/** Milliseconds. */
const TIMEOUT = 60_000;

/** The options of a view. */
export interface BridgeOptions {
  /** The name and version that the host sees; the title of the page and 1.0.0 if left out. */
  readonly info?: { readonly name: string; readonly version: string };
  /** The ways in which the view can be shown; only `inline` if left out. */
  readonly displayModes?: readonly DisplayMode[];
  /** Whether the page follows the theme, the variables and the fonts of the host; true if left out. */
  readonly look?: boolean;
  /** Whether the host receives the size of the page; true if left out. */
  readonly size?: boolean;
  /** Milliseconds that the host may take for an answer; 60,000 if left out. */
  readonly timeout?: number;
}

/**
 * Connects the page to the host that shows it. Add the handlers in the same turn.
 * @example
 * const view = connectView<WeatherFeature, 'series'>();
 * view.onResult(({ data, isError, text }) => (isError ? showProblem(text) : draw(data)));
 */
export function connectView<F extends object = Untyped, T extends ToolOf<F> = ToolOf<F>>(
  options: BridgeOptions = {},
): ConnectedView<F, T> {
  // The one place that looks for a window: a server that imports the types runs none of this.
  return connectPage<F, T>(globalThis as unknown as PageWindow, options);
}

/** As `connectView`, for a window that is given. */
export function connectPage<F extends object, T extends ToolOf<F>>(
  page: PageWindow,
  options: BridgeOptions,
): ConnectedView<F, T> {
  return new ConnectedView<F, T>(page, options);
}

/** The tools of a page that names no class. */
export interface Untyped {
  readonly [tool: string]: (input: unknown) => unknown;
}

/**
 * A view that is connected to its host. Handlers that are added late receive the last value at once, so nothing is missed.
 * @typeParam F the class with the tools @typeParam T the tool that the view shows
 */
export class ConnectedView<F extends object, T extends ToolOf<F>> {
  /** The host, once it has accepted the view. @throws ViewError if it does not */
  readonly ready: Promise<ConnectedHost>;
  readonly #channel: HostChannel;
  readonly #arguments: LastValue<JsonRecord>;
  readonly #partialArguments: LastValue<JsonRecord>;
  readonly #result: LastValue<JsonRecord>;
  readonly #cancelled: LastValue<string>;
  readonly #context: LastValue<HostContext>;
  readonly #teardown = new Set<() => unknown>();
  readonly #notifications: Readonly<Record<string, (params: JsonRecord) => void>>;
  #surroundings: HostContext = {};
  #endSize: (() => void) | undefined;

  /** @internal */
  constructor(
    private readonly page: PageWindow,
    private readonly options: BridgeOptions,
  ) {
    const last = <V>(): LastValue<V> => new LastValue<V>((error) => page.reportError(error));
    this.#arguments = last();
    this.#partialArguments = last();
    this.#result = last();
    this.#cancelled = last();
    this.#context = last();
    this.#notifications = {
      'ui/notifications/tool-input': (params) => this.#arguments.set(argumentsIn(params)),
      'ui/notifications/tool-input-partial': (params) => this.#partialArguments.set(argumentsIn(params)),
      'ui/notifications/tool-result': (params) => this.#result.set(params),
      'ui/notifications/tool-cancelled': ({ reason }) => this.#cancelled.set(typeof reason === 'string' ? reason : ''),
      'ui/notifications/host-context-changed': (params) => this.#surround(params),
    };
    this.#channel = new HostChannel(
      page,
      {
        answer: (method) => this.#answer(method),
        receive: (method, params) => this.#notifications[method]?.(params),
      },
      options.timeout ?? TIMEOUT,
    );
    this.ready = this.#open();
  }

  /** What the host says about itself; empty until `ready`. */
  get context(): HostContext {
    return this.#surroundings;
  }

  // The server has checked arguments and data by the classes of the tool; on the wire they are JSON.
  /** The arguments of the call, complete. */
  onArguments(handler: (args: ArgumentsOfTool<F, T>) => unknown): () => void {
    return this.#arguments.add((args) => handler(args as ArgumentsOfTool<F, T>));
  }

  /** The arguments while the model still writes them: for a preview only, because any part can be missing or change. */
  onPartialArguments(handler: (args: PartialArguments<ArgumentsOfTool<F, T>>) => unknown): () => void {
    return this.#partialArguments.add((args) => handler(args as PartialArguments<ArgumentsOfTool<F, T>>));
  }

  /** The result of the call. */
  onResult(handler: (answer: ToolAnswer<DataOfTool<F, T>>) => unknown): () => void {
    return this.#result.add((result) => handler(readToolAnswer(result)));
  }

  /** The call was cancelled. */
  onCancelled(handler: (reason: string) => unknown): () => void {
    return this.#cancelled.add(handler);
  }

  /** The theme, the size or the language of the host has changed. Receives the whole context. */
  onContext(handler: (context: HostContext) => unknown): () => void {
    return this.#context.add(handler);
  }

  /** The host removes the view; it waits for a promise that is returned, for a short time. */
  onTeardown(handler: () => unknown): () => void {
    this.#teardown.add(handler);
    return () => void this.#teardown.delete(handler);
  }

  /**
   * Calls a tool of the server that the view came from. The host allows it for tools that are visible to apps.
   * @throws ViewError if the host or the server refuses the call; a tool that fails is an answer with `isError`
   * @example const { data } = await view.call('series', { city: 'Oslo', days: 30 });
   */
  async call<N extends ToolOf<F>>(
    tool: N,
    args: ArgumentsOfTool<F, N>,
    options?: HostRequestOptions,
  ): Promise<ToolAnswer<DataOfTool<F, N>>> {
    return readToolAnswer(await this.#ask('tools/call', { name: tool, arguments: args }, options));
  }

  /** Reads a resource of the server. */
  readResource(uri: string, options?: HostRequestOptions): Promise<JsonRecord> {
    return this.#ask('resources/read', { uri }, options);
  }

  /** Asks the host to open a page in the browser of the user. @throws ViewError if it refuses */
  async openLink(url: string): Promise<void> {
    assertAccepted('ui/open-link', await this.#ask('ui/open-link', { url }));
  }

  /** Writes a message into the conversation, as the user. @throws ViewError if the host refuses */
  async sendMessage(text: string): Promise<void> {
    const content = [{ type: 'text', text }];
    assertAccepted('ui/message', await this.#ask('ui/message', { role: 'user', content }));
  }

  /** Tells the model something for its next turn; each call replaces the last one. @throws ViewError if the host refuses */
  async updateModelContext({ text, data }: { readonly text?: string; readonly data?: JsonRecord }): Promise<void> {
    await this.#ask('ui/update-model-context', {
      ...(text !== undefined && { content: [{ type: 'text', text }] }),
      ...(data && { structuredContent: data }),
    });
  }

  /** Asks for another way to be shown, and returns the way in which the view is shown then. */
  async requestDisplayMode(mode: DisplayMode): Promise<DisplayMode> {
    const { mode: shown } = await this.#ask('ui/request-display-mode', { mode });
    return shown as DisplayMode;
  }

  /** Writes into the log of the host, if it has one. */
  log(level: 'debug' | 'info' | 'warning' | 'error', data: unknown): void {
    // A host without a log ignores it, and a log that cannot be written is no reason to fail.
    this.ready.then(
      () => this.#channel.notify('notifications/message', { level, data }),
      () => undefined,
    );
  }

  /** Ends the connection: pending requests are rejected. The page stays. */
  close(): void {
    this.#endSize?.();
    this.#channel.close('The view is closed.');
  }

  async #open(): Promise<ConnectedHost> {
    if (this.page.parent === (this.page as unknown))
      throw new ViewError('No host shows this page: a view is opened by a host, or by renderView() in a test.');
    const { info = { name: this.page.document.title || 'view', version: '1.0.0' }, displayModes = ['inline'] } =
      this.options;
    const opened = await this.#channel.request('ui/initialize', {
      appInfo: info,
      appCapabilities: { availableDisplayModes: displayModes },
      protocolVersion: PROTOCOL,
    });
    // The host has the version 2026-01-26 or a newer one, which is compatible.
    const { hostInfo, hostCapabilities, hostContext } = opened as {
      readonly hostInfo?: { readonly name: string; readonly version: string };
      readonly hostCapabilities?: JsonRecord;
      readonly hostContext?: HostContext;
    };
    this.#surround(hostContext ?? {});
    this.#channel.notify('ui/notifications/initialized', {});
    if (this.options.size !== false)
      this.#endSize = reportSize(this.page, (size) =>
        this.#channel.notify('ui/notifications/size-changed', { ...size }),
      );
    const { name = 'unknown', version = 'unknown' } = hostInfo ?? {};
    return { name, version, capabilities: hostCapabilities ?? {}, context: this.#surroundings };
  }

  #surround(changed: HostContext): void {
    this.#surroundings = { ...this.#surroundings, ...changed };
    if (this.options.look !== false) applyLook(this.page.document, changed);
    this.#context.set(this.#surroundings);
  }

  async #ask(method: string, params: JsonRecord, options?: HostRequestOptions): Promise<JsonRecord> {
    await this.ready;
    return this.#channel.request(method, params, options);
  }

  #answer(method: string): Promise<JsonRecord> | undefined {
    if (method === 'ping') return Promise.resolve({});
    if (method === 'ui/resource-teardown') return this.#end();
    return undefined;
  }

  async #end(): Promise<JsonRecord> {
    await Promise.all([...this.#teardown].map(async (handler) => handler()));
    this.#endSize?.();
    return {};
  }
}

function argumentsIn({ arguments: args }: JsonRecord): JsonRecord {
  return typeof args === 'object' && args !== null ? (args as JsonRecord) : {};
}

/** Some hosts refuse with a result. */
function assertAccepted(method: string, { isError }: JsonRecord): void {
  if (isError === true) throw new ViewError(`The host refused ${method}.`);
}

/** Reads a result. The server has checked the data by the output of the tool, so it has the type of the tool here. */
function readToolAnswer<D>(result: JsonRecord): ToolAnswer<D> {
  const blocks = Array.isArray(result['content']) ? (result['content'] as readonly JsonRecord[]) : [];
  const text = blocks.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('\n');
  if (result['isError'] === true) return refusing({ isError: true, data: undefined, text, result });
  return refusing({ isError: false, data: result['structuredContent'] as D, text, result });
}

/** A script without types would read undefined, and show nothing without an error. */
function refusing<Answer extends object>(answer: Answer): Answer {
  for (const [name, place] of Object.entries(ELSEWHERE))
    Object.defineProperty(answer, name, {
      get: () => {
        throw new ViewError(`An answer has no ${name}: it has that as ${place}.`);
      },
    });
  return answer;
}

/** Reports the size now and after each change, at most once a frame. Returns a function that ends it. */
function reportSize(page: PageWindow, report: (size: ViewSize) => void): () => void {
  let last: ViewSize | undefined;
  let isWaiting = false;
  const measure = (): void => {
    isWaiting = false;
    const size = { width: Math.ceil(page.innerWidth), height: heightOf(page) };
    if (last && last.width === size.width && last.height === size.height) return;
    last = size;
    report(size);
  };
  const changed = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    page.requestAnimationFrame(measure);
  };
  changed();
  if (!page.ResizeObserver) return () => undefined;
  const watcher = new page.ResizeObserver(changed);
  watcher.observe(page.document.documentElement);
  if (page.document.body) watcher.observe(page.document.body);
  return () => watcher.disconnect();
}

/** The height of the content. A page that fills its frame would report the height of the frame, and never become smaller. */
function heightOf({ document: { documentElement } }: PageWindow): number {
  const { height } = documentElement.style;
  documentElement.style.height = 'max-content';
  const measured = Math.ceil(documentElement.getBoundingClientRect().height);
  documentElement.style.height = height;
  return measured;
}
