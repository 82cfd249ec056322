/** What the instances of a server share. An implementation runs the suite of `@sigil-mcp/testing/stores`. */
import type { MaybePromise } from '@sigil-mcp/base';
import type { InstanceBus } from './instance-bus';
import type { RateStore } from './rate-store';
import type { SessionStore } from './session-store';
import type { StreamStore } from './stream-store';

/** The stores of one server, all of its instances using the same. */
export interface Stores {
  readonly sessions: SessionStore;
  readonly streams: StreamStore;
  readonly bus: InstanceBus;
  readonly rates: RateStore;
  /**
   * Sentences about what an operator should fix of the store, said once when the server starts, such as a policy that may throw
   * sessions away; none if left out. Never rejects for a store that does not let itself be asked. Called before anything else.
   * @param server the name of the server that uses the stores from now on
   */
  check?(server: string): MaybePromise<readonly string[]>;
  /**
   * Closes the resources that the stores themselves have opened, once no instance has joined or follows any more. It may be called again,
   * and later use opens them again, so that servers of one process can share their stores.
   */
  close(): MaybePromise<void>;
}
