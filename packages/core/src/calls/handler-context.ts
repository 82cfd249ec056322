/** The context of a handler: the public view of its call, without the kernel's internals. */
import type { CompleteParams, FormSchema, Method, RequestMeta, Root } from '@sigil-mcp/protocol';
import type { Asking } from '../asking/asking';
import type {
  AskOptions,
  ElicitAnswer,
  ElicitUrlAnswer,
  SampleAnswer,
  SampleMessage,
  SampleOptions,
} from '../asking/ask-options';
import type { Caller } from '../context/caller';
import {
  McpContext,
  type ClientFacts,
  type CompletionFacts,
  type ContextLog,
  type RequestFacts,
  type RequestHeaders,
} from '../context/mcp-context';
import type { Token } from '../container/provider';
import type { FormSource } from '@sigil-mcp/schema';
import type { Exchange } from './exchange';

/** The call behind a context. */
export interface HandledCall {
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
