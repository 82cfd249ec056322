/** What calls work with, the same for all of a server. */
import type { AskingPolicy } from '../asking/asking-policy';
import type { CallScope } from '../container/container';
import type { McpContext } from '../context/mcp-context';
import type { HeldWeight } from '../limits/held-weight';
import type { KnownLimits } from '../limits/server-limits';
import type { Logger } from '../logging/logger';
import type { Clock } from '@sigil-mcp/base';
import type { RateStore } from '../stores/rate-store';

/** What a server gives to each of its calls. */
export interface CallServices {
  readonly logger: Logger;
  readonly asking: AskingPolicy;
  readonly limits: KnownLimits;
  readonly weight: HeldWeight;
  readonly rates: RateStore;
  readonly clock: Clock;
  /** Opens the scope of one call; after the call has ended, the scope makes no instances. */
  readonly openScope: (context: McpContext, isOver: boolean) => CallScope;
}
