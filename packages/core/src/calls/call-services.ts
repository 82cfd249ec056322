/** What calls work with, the same for all of a server. */
import type { AskingPolicy } from '../asking/asking-policy';
import type { CallScope } from '../container/container';
import type { McpContext } from '../context/mcp-context';
import type { HeldWeight } from '../limits/held-weight';
import type { KnownLimits } from '../limits/server-limits';
import type { Logger } from '../logging/logger';
import type { Clock } from '../time/clock';
import type { RateStore } from '../stores/rate-store';

/** What a server gives to each of its calls. */
export interface CallServices {
  readonly logger: Logger;
  readonly asking: AskingPolicy;
  readonly limits: KnownLimits;
  readonly weight: HeldWeight;
  readonly rates: RateStore;
  readonly clock: Clock;
  /** Opens what is made for one call; for one that is over, nothing is made any more. */
  readonly openScope: (context: McpContext, isOver: boolean) => CallScope;
}
