/** JSON-RPC with the host, in messages between windows: requests with their answers, notifications, and requests of the host. */

/** A message from another window. */
export interface WindowMessage {
  readonly source: unknown;
  readonly data: unknown;
}

/** An element, as the look and the size of a view need it. */
interface PageElement {
  id: string;
  textContent: string | null;
  readonly style: { height: string; colorScheme: string; setProperty(name: string, value: string): void };
  setAttribute(name: string, value: string): void;
  append(child: PageElement): void;
  getBoundingClientRect(): { readonly height: number };
}

/** The document of a view. */
export interface PageDocument {
  readonly title: string;
  readonly documentElement: PageElement;
  readonly head: PageElement;
  readonly body: PageElement | null;
  createElement(name: string): PageElement;
  getElementById(id: string): PageElement | null;
}

/** Watches the size of elements. */
interface SizeWatcher {
  observe(element: PageElement): void;
  disconnect(): void;
}

/** The window of a view. */
export interface PageWindow {
  readonly parent: { postMessage(message: unknown, origin: string): void };
  readonly document: PageDocument;
  readonly innerWidth: number;
  readonly ResizeObserver?: new (changed: () => void) => SizeWatcher;
  addEventListener(type: 'message', listener: (message: WindowMessage) => void): void;
  removeEventListener(type: 'message', listener: (message: WindowMessage) => void): void;
  requestAnimationFrame(draw: () => void): unknown;
  /** Reports an error as if nothing had caught it: the console has it, and the tests of the view. */
  reportError(error: unknown): void;
}

/**
 * What a request of a view is rejected with.
 *
 * The error that a view receives: the host refused a request, or does not answer.
 */
export class ViewError extends Error {
  override readonly name = 'ViewError';
  /**
   * @param message what happened and what to do, for the author of the page
   * @param code the code of a JSON-RPC error of the host or the server; undefined if neither answered
   * @param data what the error carries
   */
  constructor(
    message: string,
    readonly code?: number,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** What the view does with messages of the host. */
export interface HostMessages {
  /** Answers a request; undefined for a method that the view does not have. */
  answer(method: string, params: JsonRecord): Promise<JsonRecord> | undefined;
  receive(method: string, params: JsonRecord): void;
}

/** An object of JSON. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The options of one request. */
export interface HostRequestOptions {
  /** Milliseconds; the time limit of the view if left out. */
  readonly timeout?: number;
  /** Gives the request up: the host receives `notifications/cancelled`. The request waits for its answer if left out. */
  readonly signal?: AbortSignal;
}

interface HostRequest {
  readonly resolve: (result: JsonRecord) => void;
  readonly reject: (error: Error) => void;
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
/** With more milliseconds, a timer of a browser fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

const isRecord = (value: unknown): value is JsonRecord => typeof value === 'object' && value !== null;
const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** The connection of a view to the window that shows it. Messages of other windows are ignored. */
export class HostChannel {
  readonly #pending = new Map<number, HostRequest>();
  #lastId = 0;
  #closed: ViewError | undefined;

  constructor(
    private readonly page: PageWindow,
    private readonly messages: HostMessages,
    private readonly timeout: number,
  ) {
    page.addEventListener('message', this.#receive);
  }

  /** Sends a request. @throws ViewError if the host refuses it, or does not answer in time */
  request(
    method: string,
    params: JsonRecord,
    { timeout = this.timeout, signal }: HostRequestOptions = {},
  ): Promise<JsonRecord> {
    if (this.#closed) return Promise.reject(this.#closed);
    const id = (this.#lastId += 1);
    return new Promise<JsonRecord>((resolve, reject) => {
      signal?.throwIfAborted();
      const giveUp = (error: Error): void => {
        this.notify('notifications/cancelled', { requestId: id });
        settle(() => reject(error));
      };
      const timer = setTimeout(
        () => giveUp(new ViewError(`The host did not answer ${method} within ${timeout} ms.`)),
        Math.min(timeout, LONGEST_TIMER),
      );
      const abort = (): void => giveUp(reasonOf(signal));
      const settle = (finish: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#pending.delete(id);
        finish();
      };
      signal?.addEventListener('abort', abort);
      this.#pending.set(id, {
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
      });
      this.#post({ id, method, params });
    });
  }

  /** Sends a notification; nothing after the end. */
  notify(method: string, params: JsonRecord): void {
    if (!this.#closed) this.#post({ method, params });
  }

  /** Ends the connection: pending requests are rejected. */
  close(reason: string): void {
    this.#closed ??= new ViewError(reason);
    this.page.removeEventListener('message', this.#receive);
    for (const { reject } of [...this.#pending.values()]) reject(this.#closed);
  }

  #post(message: JsonRecord): void {
    // A view does not know the origin of its host. What it sends is for the window that shows it, which chose the view.
    this.page.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }

  readonly #receive = ({ source, data }: WindowMessage): void => {
    if (source !== this.page.parent || !isRecord(data) || data['jsonrpc'] !== '2.0') return;
    const { id, method } = data;
    const params = recordOf(data['params']);
    if (typeof method !== 'string') this.#settle(data);
    else if (id === undefined) this.messages.receive(method, params);
    else this.#answer(id, method, params);
  };

  #settle({ id, result, error }: JsonRecord): void {
    const pending = this.#pending.get(id as number);
    if (!isRecord(error)) return pending?.resolve(recordOf(result));
    const { message, code, data } = error;
    pending?.reject(new ViewError(String(message), typeof code === 'number' ? code : undefined, data));
  }

  #answer(id: unknown, method: string, params: JsonRecord): void {
    const refuse = (code: number, message: string): void => this.#post({ id, error: { code, message } });
    const answer = this.messages.answer(method, params);
    if (!answer) return refuse(METHOD_NOT_FOUND, `The view has no method ${method}.`);
    answer.then(
      (result) => this.#post({ id, result }),
      (error: unknown) => refuse(INTERNAL_ERROR, error instanceof Error ? error.message : String(error)),
    );
  }
}

/** In browsers, the reason of `abort()` is an error, too. */
function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new ViewError('The request was given up.');
}
