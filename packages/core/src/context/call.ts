/** A call in the pipeline, as guards and interceptors receive it. */
import type { Clock, MaybePromise } from '@sigil-mcp/base';
import type { Method } from '@sigil-mcp/protocol';
import type { Token } from '../container/provider';
import type { Denial } from '../errors/denial';
import type { RateStore } from '../stores/stores';
import type { Caller } from './caller';
import type { EntryFacts } from './entry-facts';
import type { ClientFacts, McpContext, RequestHeaders } from './mcp-context';

/** A call in flight. */
export interface Call {
  /** The method of the protocol, such as `tools/call`. */
  readonly method: Method;
  /** The tool, resource, template or prompt; undefined for other methods, and where none has that name. */
  readonly entry: EntryFacts | undefined;
  /** The old name by which the client calls a tool, one of its `replaces`; undefined for the tool's own name. */
  readonly alias: string | undefined;
  /** Arguments as the client sent them; those of an old name of a tool once they are converted. */
  readonly arguments: unknown;
  /** The validated instance of the handler's input class; undefined before it was read, and for a handler without one. */
  readonly input: unknown;
  /**
   * How often the handler has been started for this call: 1, and one more for each time the client sent its request again with
   * answers. Guards and interceptors run in every round.
   */
  readonly round: number;
  /**
   * Whether it runs without its request, as a task does: guards let the request through before, and there are no headers. False for the
   * calls that it runs itself.
   */
  readonly isBackground: boolean;
  /**
   * The session or connection that the call belongs to, the same object for all of its calls; undefined for a call that belongs
   * to none.
   */
  readonly session: object | undefined;
  /** IP address of the client, where the call came over a network; behind a proxy, Fastify's `trustProxy` tells whose. */
  readonly address: string | undefined;
  /** Where the server keeps rates: in this process, or with all instances that share its stores. */
  readonly rates: RateStore;
  /** What tells the time: that of the machine, unless `createServer` was given another clock. */
  readonly clock: Clock;
  /** What the handler is given as its context. */
  readonly context: McpContext;
}

// Decides who may see and call entries.

/** An attempt to use an entry: who lists or calls it, and with what. */
export interface Access {
  /** Of the kind `anonymous` if no caller was authenticated. */
  readonly caller: Caller;
  readonly headers: RequestHeaders;
  /** The client's description of itself; never a basis for security decisions. */
  readonly client: ClientFacts;
  /** The value of a provider, made for this call or shared, as `context.get` returns it. */
  get<T>(token: Token<T>): Promise<T>;
}

/** `true`: continue. `false`: the entry answers as if it did not exist. A denial: the caller receives its message. */
export type Verdict = boolean | Denial;

/**
 * Decides who may see and call entries. Built by the container; declared on the server, a class or a method.
 * @example
 * class Members implements Guard {
 *   allows({ caller }: Access): Verdict {
 *     return caller.isAuthenticated;
 *   }
 * }
 */
export interface Guard {
  /**
   * Whether calls are decided by `allowsCall` in addition to `allows`, or `instead` of it if the guard has one: for a guard that needs the arguments where there
   * are some, or that must not be asked twice because it counts. In addition if left out.
   */
  readonly asksCalls?: 'instead';
  /**
   * `rights` declares that `allows` depends only on the kind, the scopes and the roles of the caller, and returns no promise. Lists then
   * call it once for all callers with the same rights; if left out, each time.
   */
  readonly dependsOn?: 'rights';
  /**
   * Whether the caller may know of an entry: called for every call of it and, to filter them, for every list, completion and
   * subscription.
   */
  allows(access: Access, entry: EntryFacts): MaybePromise<Verdict>;
  /**
   * Whether a call may continue: called for calls only, once `allows` of all guards let the caller through, before arguments are read. So
   * its answer never reveals an entry that another guard hides.
   */
  allowsCall?(call: Call): MaybePromise<Verdict>;
}

// The port of code that wraps calls: timing, caching, translation, auditing.

/**
 * Wraps calls. Built by the container. On the server it wraps every method, lists, refusals by guards and invalid arguments included; on a
 * class or a method it wraps the handler, after its input was read. An `Observer` sees requests that are refused before, too.
 * @example
 * class Timed implements Interceptor {
 *   async intercept({ method, context }: Call, next: () => Promise<unknown>): Promise<unknown> {
 *     const start = performance.now();
 *     const result = await next();
 *     context.log.debug(`${method} took ${performance.now() - start} ms`);
 *     return result;
 *   }
 * }
 */
export interface Interceptor {
  /**
   * @param next runs what is inside, at most once, and resolves to its result; rejects with what is thrown there
   * @returns the result to go on with: on the server that of the method, on a class or a method what the handler returned
   */
  intercept(call: Call, next: () => Promise<unknown>): Promise<unknown>;
}
