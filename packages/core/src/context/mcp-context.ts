/** What a handler sees of the call it answers. */
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
import type { Infer } from '../schema/infer';
import type { StandardSchema } from '../schema/standard-schema';
import type { Class } from '../values/class';
import type { Caller } from './caller';

/** The client at the other end, as it described itself; never a base for security decisions. */
export interface ClientFacts {
  /** Undefined where the client did not say. */
  readonly name: string | undefined;
  /** Undefined where the client did not say. */
  readonly version: string | undefined;
  /** What the client declared that it can do; empty where it did not say. */
  readonly capabilities: ClientCapabilities;
}

/** Request headers in lower case; empty on transports that have none. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Writes to the server's log and, where the conversation allows it, to the client.
 * @example context.log.warning('The station does not answer', { station: 'oslo' });
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 */
export type ContextLog = {
  /**
   * A method for each level of the protocol. `data` may be anything: errors are written with their stack and causes, and what
   * JSON cannot hold is named in its place.
   */
  readonly [level in LogLevel]: (message: string, data?: Readonly<Record<string, unknown>>) => void;
};

/** The request as it came, in the newest revision's words. */
export interface RequestFacts {
  readonly method: Method;
  /** Neutral parameters, not yet read into a class. */
  readonly params: unknown;
  /** `params._meta`. */
  readonly meta: Meta;
}

/** What a method with `@Complete` may know beside the text that was typed. */
export interface CompletionFacts {
  /** The argument whose values are asked for. */
  readonly argument: string;
  /** Other arguments that were filled in before; empty where the client or the revision does not say. */
  readonly arguments: Readonly<Record<string, string>>;
}

/**
 * Given to every handler method that has a parameter of this class, in any position.
 * @example async forecast(query: ForecastQuery, context: McpContext) { await context.progress(0, 1, 'asking'); }
 */
export abstract class McpContext {
  /**
   * Fires when the call is cancelled, its connection is gone where that means cancellation, the time limit of its tool is over,
   * or the server shuts down. Nothing is sent for the call from then on but, after the time limit, its answer.
   */
  abstract readonly signal: AbortSignal;
  /** Writes for the operator and, where it wants to hear that, for the client. */
  abstract readonly log: ContextLog;
  /** What the client says of itself. */
  abstract readonly client: ClientFacts;
  /** Who calls; of the kind `anonymous` where nobody was authenticated. */
  abstract readonly caller: Caller;
  /** Headers of the HTTP request; empty on other transports. */
  abstract readonly headers: RequestHeaders;
  /**
   * Gives what a provider provides: made for this call, once, where its scope is `'request'`, or shared by the whole server.
   * @param token the class, symbol or string that the provider names; a class that nothing asks for in a constructor has to stand
   *   in `createServer({ providers })`
   * @returns the instance, when it was made and its `onStart` hook has run
   * @throws SigilError if nothing provides it, or the call is over; else what making it throws
   * @example const tenant = await context.get(Tenant);
   */
  abstract get<T>(token: Token<T>): Promise<T>;

  /** The request as it came. */
  abstract readonly request: RequestFacts;
  /**
   * What is to be completed; undefined for any other call than one that asks for completions.
   * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
   */
  abstract readonly completion: CompletionFacts | undefined;

  /**
   * Tells the client how far the call has come; silent where the client did not ask, after the end, and for a value that is
   * not greater than the one before.
   * @param progress any unit, increasing
   * @param total the end in the same unit, where it is known
   * @param message what is being done, for people
   * @returns when the message was handed to the transport and there is room for the next
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress
   */
  abstract progress(progress: number, total?: number, message?: string): Promise<void>;

  /**
   * Lets the client's connection go while the call runs on, for calls so long that holding it is a waste: the client comes
   * back for the rest. Does nothing where the revision or the transport has no such thing.
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
   */
  abstract releaseStream(): void;

  /**
   * Asks the user to fill in a form. Tools, prompts and resources may ask.
   *
   * With a client that is sent requests, the question goes out and is waited for. With one that is not, the handler ends here
   * and runs again from its beginning when the answer is there: ask first, act after, wrap what must not repeat in `once`.
   *
   * @param form a DTO of text, numbers, booleans, choices and lists of choices; or a schema of another library of such; or a form as
   *   data, if it is known only now
   * @param message what the user reads above it
   * @returns what the user did; after `accept` with an instance of the form's class, what the schema makes of the answer, or the
   *   data of a form as data
   * @throws AskFailure if the client does not answer, InvalidAnswer if its answer does not fit, ProtocolError if it cannot ask
   *   users, DefinitionError if the form is none
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
   * @example
   * const answer = await context.elicit(Confirmation, `Alert everyone in ${city}?`);
   * if (answer.action !== 'accept' || !answer.content.ok) throw new ToolFailure('Not confirmed.');
   */
  abstract elicit<T extends object>(form: Class<T>, message: string, options?: AskOptions): Promise<ElicitAnswer<T>>;
  abstract elicit<S extends StandardSchema>(
    form: S,
    message: string,
    options?: AskOptions,
  ): Promise<ElicitAnswer<Infer<S>>>;
  abstract elicit(form: FormSchema, message: string, options?: AskOptions): Promise<ElicitAnswer>;

  /**
   * Asks the user to open a page, for what must not pass through the client: passwords, payments, the consent of a third party.
   * `accept` says that the user will open it, not that anything was done there.
   * @param url an absolute `https` URL (`http` for pages on the same machine), without credentials in it
   * @param message what the user reads before the page is opened
   * @returns whether the user will open it, and `done` to tell the client that the page has done what it was for
   * @throws TypeError for another URL; else as `elicit`
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
   * @example
   * const page = await context.elicitUrl(`https://pay.example/${order}`, 'Pay for your order');
   * if (page.action !== 'accept') throw new ToolFailure('Not paid.');
   */
  abstract elicitUrl(url: string | URL, message: string, options?: AskOptions): Promise<ElicitUrlAnswer>;

  /**
   * Asks the client's model.
   * @param prompt what the user says to it, or a list of messages
   * @returns what the model says, with its text blocks joined as `text`
   * @throws AskFailure if the client does not answer, InvalidAnswer if its answer is malformed, ProtocolError if it has no model,
   *   or one without tools where `tools` are given, TypeError for messages that make no sense to a model
   * @example const { text } = await context.sample(`Say this in one sentence: ${report}`, { maxTokens: 200 });
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
   */
  abstract sample(prompt: string | readonly SampleMessage[], options?: SampleOptions): Promise<SampleAnswer>;

  /**
   * Asks the client where it works. A client that says when this changes is asked again only then.
   * @returns folders and files as `file:` URIs, with names for people where the client has them
   * @throws AskFailure if the client does not answer, InvalidAnswer if its answer is malformed, ProtocolError if it has no roots
   * @example const [root] = await context.roots();
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots
   */
  abstract roots(options?: AskOptions): Promise<readonly Root[]>;

  /**
   * Runs a function when it is first reached, and keeps its result for the runs of the handler that follow an answer. That is at
   * least once: a client may send the same request twice. What must not happen twice is told apart by `onceId`.
   * @param key the name of the function within the call
   * @param run its result must be something JSON can hold; it travels, sealed, with the client
   * @returns the result as JSON has it: a date, for example, is text
   * @throws what `run` throws, which is not kept; TypeError for a result that JSON cannot hold
   * @example const order = await context.once('order', () => this.shop.order(basket, context.onceId('order')));
   */
  abstract once<T>(key: string, run: () => T | Promise<T>): Promise<T>;

  /**
   * A text for this call and key, the same whenever the handler runs again: an idempotency key for other services.
   * @returns 22 characters of `A-Z a-z 0-9 - _`, which nobody can guess
   */
  abstract onceId(key: string): string;
}
