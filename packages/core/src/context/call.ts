/** A call in the pipeline, as guards and interceptors receive it. */
import type { Method } from '@sigil-mcp/protocol';
import type { RateStore } from '../stores/stores';
import type { Clock } from '@sigil-mcp/base';
import type { McpContext } from './mcp-context';
import type { EntryFacts } from './entry-facts';

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
