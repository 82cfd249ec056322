/** One call on its way through the pipeline: what guards and interceptors are given. */
import type { Method } from '@sigil-mcp/protocol';
import type { McpContext } from './mcp-context';
import type { EntryFacts } from './entry-facts';

/** A call in flight. */
export interface Call {
  readonly method: Method;
  /** The tool, resource, template or prompt; undefined for other methods, and where none has that name. */
  readonly entry: EntryFacts | undefined;
  /** Arguments as the client sent them. */
  readonly arguments: unknown;
  /** The validated instance of the handler's input class, once it was read. */
  readonly input: unknown;
  /**
   * How often the handler has been started for this call: 1, and one more for each time the client sent its request again with
   * answers. Guards and interceptors run in every round.
   */
  readonly round: number;
  readonly context: McpContext;
}
