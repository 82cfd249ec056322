/** The context of a handler: the public view of its call, without the kernel's internals. */
import {
  LOG_LEVELS,
  type CompleteParams,
  type FormSchema,
  type JsonObject,
  type JsonValue,
  type LogLevel,
  type Method,
  type RequestMeta,
  type Root,
} from '@sigil-mcp/protocol';
import type { FormSource } from '@sigil-mcp/schema';
import type {
  AskOptions,
  ElicitAnswer,
  ElicitUrlAnswer,
  SampleAnswer,
  SampleMessage,
  SampleOptions,
} from '../asking/ask-options';
import type { Asking } from '../asking/asking';
import type { Token } from '../container/provider';
import type { Caller } from '../context/caller';
import {
  McpContext,
  type ClientFacts,
  type CompletionFacts,
  type ContextLog,
  type RequestFacts,
  type RequestHeaders,
} from '../context/mcp-context';
import { loggable } from '../logging/loggable';
import type { Logger } from '../logging/logger';
import type { Exchange } from './conversation';

/** The call behind a context. */
interface HandledCall {
  readonly method: Method;
  readonly params: unknown;
  readonly meta: RequestMeta;
  readonly exchange: Exchange;
  readonly client: ClientFacts;
  readonly log: ContextLog;
  readonly signal: AbortSignal;
  readonly asking: Asking;
  provide(token: Token): Promise<unknown>;
  tellProgress(progress: number, total: number | undefined, message: string | undefined): void | Promise<void>;
  releaseStream(): void;
}

/** The context of one call; made on first use. */
export class HandlerContext extends McpContext {
  readonly #call: HandledCall;

  constructor(call: HandledCall) {
    super();
    this.#call = call;
  }

  get request(): RequestFacts {
    const { method, params, meta } = this.#call;
    return { method, params, meta: meta.all };
  }

  get completion(): CompletionFacts | undefined {
    if (this.#call.method !== 'completion/complete') return undefined;
    // The revision read the parameters of this method.
    const { argument, previous } = this.#call.params as CompleteParams;
    return { argument: argument.name, arguments: previous };
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get client(): ClientFacts {
    return this.#call.client;
  }

  get caller(): Caller {
    return this.#call.exchange.caller;
  }

  get headers(): RequestHeaders {
    return this.#call.exchange.headers;
  }

  get log(): ContextLog {
    return this.#call.log;
  }

  get<T>(token: Token<T>): Promise<T> {
    // The value of a token has the token's type: its provider is responsible for that.
    return quiet(this.#call.provide(token) as Promise<T>);
  }

  async progress(progress: number, total?: number, message?: string): Promise<void> {
    await this.#call.tellProgress(progress, total, message);
  }

  releaseStream(): void {
    this.#call.releaseStream();
  }

  elicit<T>(form: FormSource | FormSchema, message: string, options?: AskOptions): Promise<ElicitAnswer<T>> {
    return quiet(this.#call.asking.elicit<T>(form, message, options));
  }

  elicitUrl(url: string | URL, message: string, options?: AskOptions): Promise<ElicitUrlAnswer> {
    return quiet(this.#call.asking.elicitUrl(url, message, options));
  }

  sample(prompt: string | readonly SampleMessage[], options?: SampleOptions): Promise<SampleAnswer> {
    return quiet(this.#call.asking.sample(prompt, options));
  }

  roots(options?: AskOptions): Promise<readonly Root[]> {
    return quiet(this.#call.asking.roots(options));
  }

  once<T>(key: string, run: () => T | Promise<T>): Promise<T> {
    return quiet(this.#call.asking.once(key, run));
  }

  onceId(key: string): string {
    return this.#call.asking.onceId(key);
  }
}

/** A question that is awaited late, or not at all, must not end the process by an unhandled rejection. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

// `context.log`: writes to the server's log and to the client.

/** The protocol's level -> the method of the server's logger. */
const SEVERITY: Readonly<Record<LogLevel, keyof Logger>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/**
 * Makes `context.log` for one call.
 * @param logger the server's own log
 * @param tellClient sends to the client if the conversation allows it; the data is the message, or with further data
 *   an object of both
 */
export function createContextLog(logger: Logger, tellClient: (level: LogLevel, data: JsonValue) => void): ContextLog {
  const log = (level: LogLevel) => (said: string, data?: Readonly<Record<string, unknown>>) => {
    // A log entry must never fail its call, for any argument and any logger.
    const message = typeof said === 'string' ? said : (JSON.stringify(loggable(said)) ?? '');
    const fields = fieldsOf(data);
    logger[SEVERITY[level]](fields ?? {}, message);
    tellClient(level, fields ? { message, ...fields } : message);
  };
  const methods = LOG_LEVELS.map((level) => [level, log(level)] as const);
  // Built from LOG_LEVELS, so every level has its method.
  return Object.fromEntries(methods) as ContextLog;
}

/** The fields of any value that JavaScript may pass as data: an object, an error, or another value. */
function fieldsOf(data: unknown): JsonObject | undefined {
  const written = loggable(data);
  if (written === undefined) return undefined;
  if (data instanceof Error) return { err: written };
  // Written JSON that is neither an array nor null is an object here.
  const isFields = typeof written === 'object' && written !== null && !Array.isArray(written);
  return isFields ? (written as JsonObject) : { data: written };
}
