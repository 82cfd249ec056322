/** The handler's view of its call. */
import type { ClientCapabilities, FormSchema, LogLevel, Meta, Method, Root } from '@sigil-mcp/protocol';
import type {
  AskOptions,
  ElicitAnswer,
  ElicitUrlAnswer,
  SampleAnswer,
  SampleMessage,
  SampleOptions,
} from '../asking/ask-options';
import type { Token } from '../container/provider';
import type { Infer, StandardSchema } from '@sigil-mcp/schema';
import type { Class } from '@sigil-mcp/base';
import type { Caller } from './caller';

/** The client at the other end, as it described itself; never a basis for security decisions. */
export interface ClientFacts {
  /** Undefined if the client did not send it. */
  readonly name: string | undefined;
  /** Undefined if the client did not send it. */
  readonly version: string | undefined;
  /** The capabilities that the client declared; empty if it declared none. */
  readonly capabilities: ClientCapabilities;
}

/** Request headers in lower case; empty on transports that have none. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Writes to the server's log and, if the conversation allows it, to the client.
 * @example context.log.warning('The station does not answer', { station: 'oslo' });
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 */
export type ContextLog = {
  /**
   * A method for each level of the protocol. `data` may be any value: errors are written with their stack and causes, and values that
   * JSON cannot hold are described instead.
   */
  readonly [level in LogLevel]: (message: string, data?: Readonly<Record<string, unknown>>) => void;
};

/** The request, in the terms of the newest revision. */
export interface RequestFacts {
  readonly method: Method;
  /** Neutral parameters, not yet converted to a class. */
  readonly params: unknown;
  /** `params._meta`. */
  readonly meta: Meta;
}

/** What a method with `@Complete` may know in addition to the typed text. */
export interface CompletionFacts {
  /** The argument whose values are requested. */
  readonly argument: string;
  /** Other arguments that were filled in before; empty if the client or the revision does not send them. */
  readonly arguments: Readonly<Record<string, string>>;
}

declare const asked: unique symbol;

/** Declares, in the type of a context, that a handler may ask the client's model: `McpContext<SamplingQuestion>`. */
export interface SamplingQuestion {
  readonly '~question': 'sampling';
}

/** Declares, in the type of a context, that a handler may ask for the client's folders: `McpContext<RootsQuestion>`. */
export interface RootsQuestion {
  readonly '~question': 'roots';
}

/** Declares, in the type of a context, that a handler may ask the user to open a page: `McpContext<UrlQuestion>`. */
export interface UrlQuestion {
  readonly '~question': 'url';
}

/** The questions that the type of a context declares. */
export type AskedBy<C> = C extends { readonly [asked]?: (question: infer Asks) => void } ? Asks : never;

/**
 * Passed to every handler method that has a parameter of this class, in any position. `McpContext<ConfirmForm | SamplingQuestion>` declares
 * all that the handler may ask: other questions do not compile, and typed clients must have handlers for these. `McpContext` may ask anything.
 * @example
 * async forecast({ city }: ForecastQuery, context: McpContext): Promise<string> {
 *   await context.progress(0, 1, `asking for ${city}`);
 *   return forecastOf(city, context.signal);
 * }
 */
export abstract class McpContext<in Asks = unknown> {
  /** Never there: what the handler may ask. */
  declare readonly [asked]?: (question: Asks) => void;
  /**
   * Fires when the call is cancelled, its connection is closed and that means cancellation, the time limit of its tool has passed,
   * or the server shuts down. From then on no more messages are sent for the call except, after the time limit, its answer.
   */
  abstract readonly signal: AbortSignal;
  /** Writes for the operator and, if the client wants log messages, for the client. */
  abstract readonly log: ContextLog;
  /** The client's description of itself. */
  abstract readonly client: ClientFacts;
  /** The caller; of the kind `anonymous` if no caller was authenticated. */
  abstract readonly caller: Caller;
  /** Headers of the HTTP request; empty on other transports. */
  abstract readonly headers: RequestHeaders;
  /**
   * Returns the value of a provider: made for this call, once, if its scope is `'request'`, or shared by the whole server.
   * @param token the class, symbol or string that the provider names; a class that is no constructor parameter anywhere must be listed
   *   in `createServer({ providers })`
   * @returns the instance, once it was made and its `onStart` hook has run
   * @throws SigilError if there is no provider for it, or if the call has ended; otherwise rethrows errors of making it
   * @example const tenant = await context.get(Tenant);
   */
  abstract get<T>(token: Token<T>): Promise<T>;

  /** The request, as the client sent it. */
  abstract readonly request: RequestFacts;
  /**
   * The argument to complete; undefined for calls other than completion requests.
   * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
   */
  abstract readonly completion: CompletionFacts | undefined;

  /**
   * Reports progress to the client; does nothing if the client did not ask for it, after the end, and for a value that is
   * not greater than the one before.
   * @param progress any unit, increasing
   * @param total the end in the same unit, if known
   * @param message a description of the current step, for people
   * @returns when the message was passed to the transport and there is room for the next
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress
   */
  abstract progress(progress: number, total?: number, message?: string): Promise<void>;

  /**
   * Closes the client's connection while the call runs on, for calls so long that an open connection is a waste: the client reconnects
   * for the rest. Does nothing if the revision or the transport does not support it.
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
   */
  abstract releaseStream(): void;

  /**
   * Asks the user to fill in a form. Tools, prompts and resources may ask.
   *
   * A client that can receive requests gets the question as one, and the handler waits. For any other client, the handler ends here and
   * runs again from its beginning when the answer has arrived: ask first, act after, wrap what must not repeat in `once`.
   *
   * @param form a DTO of text, numbers, booleans, choices and lists of choices; or a schema of another library with such fields; or a
   *   form as data, if it is known only at run time
   * @param message the text above the form
   * @returns the user's decision; after `accept` with an instance of the form's class, the output of the schema, or the
   *   data of a form as data
   * @throws AskFailure if the client does not answer, InvalidAnswer if its answer does not fit, ProtocolError if it cannot ask
   *   users, DefinitionError if the form is not valid
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
   * @example
   * const answer = await context.elicit(Confirmation, `Alert everyone in ${city}?`);
   * if (answer.action !== 'accept' || !answer.content.ok) throw new ToolFailure('Not confirmed.');
   */
  abstract elicit<T extends object>(
    this: McpContext<T>,
    form: Class<T>,
    message: string,
    options?: AskOptions,
  ): Promise<ElicitAnswer<T>>;
  abstract elicit<S extends StandardSchema>(
    this: McpContext<Infer<S>>,
    form: S,
    message: string,
    options?: AskOptions,
  ): Promise<ElicitAnswer<Infer<S>>>;
  abstract elicit(
    this: McpContext<FormSchema>,
    form: FormSchema,
    message: string,
    options?: AskOptions,
  ): Promise<ElicitAnswer>;

  /**
   * Asks the user to open a page, for data that must not pass through the client: passwords, payments, the consent of a third party.
   * `accept` means that the user will open it, not that anything was done there.
   * @param url an absolute `https` URL (`http` for pages on the same machine), without credentials in it
   * @param message the text that the user reads before the page is opened
   * @returns whether the user will open it, and `done` to notify the client that the work on the page is done
   * @throws TypeError for another URL; otherwise like `elicit`
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
   * @example
   * const page = await context.elicitUrl(`https://pay.example/${order}`, 'Pay for your order');
   * if (page.action !== 'accept') throw new ToolFailure('Not paid.');
   */
  abstract elicitUrl(
    this: McpContext<UrlQuestion>,
    url: string | URL,
    message: string,
    options?: AskOptions,
  ): Promise<ElicitUrlAnswer>;

  /**
   * Asks the client's model.
   * @param prompt the user's message, or a list of messages
   * @returns the model's answer, with its text blocks joined as `text`
   * @throws AskFailure if the client does not answer, InvalidAnswer if its answer is malformed, ProtocolError if it has no model,
   *   or if its model cannot use the given `tools`, TypeError for messages that make no sense to a model
   * @example const { text } = await context.sample(`Say this in one sentence: ${report}`, { maxTokens: 200 });
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
   */
  abstract sample(
    this: McpContext<SamplingQuestion>,
    prompt: string | readonly SampleMessage[],
    options?: SampleOptions,
  ): Promise<SampleAnswer>;

  /**
   * Asks the client for its working folders. A client that reports changes of them is asked again only after a change.
   * @returns folders and files as `file:` URIs, with readable names if the client has them
   * @throws AskFailure if the client does not answer, InvalidAnswer if its answer is malformed, ProtocolError if it has no roots
   * @example const [root] = await context.roots();
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots
   */
  abstract roots(this: McpContext<RootsQuestion>, options?: AskOptions): Promise<readonly Root[]>;

  /**
   * Runs a function when it is first reached, and stores its result for later runs of the handler. It runs at least once: a client may
   * send the same request twice. Use `onceId` for work that must not happen twice.
   * @param key the name of the function within the call
   * @param run its result must be valid JSON; the client holds it, sealed, between two requests
   * @returns the result as JSON represents it: a date, for example, is text
   * @throws errors of `run`, which are not stored; TypeError for a result that JSON cannot hold
   * @example const order = await context.once('order', () => this.shop.order(basket, context.onceId('order')));
   */
  abstract once<T>(key: string, run: () => T | Promise<T>): Promise<T>;

  /**
   * A text for this call and key, the same each time the handler runs again: an idempotency key for other services.
   * @returns 22 characters of `A-Z a-z 0-9 - _`, which cannot be guessed
   */
  abstract onceId(key: string): string;
}
