/** The dependencies of the methods' handlers. */
import type { CacheHints, Implementation, ServedRevisions, ServerCapabilities } from '@sigil-mcp/protocol';
import type { ListedCursors } from '../../registry/listed-cursors';
import type { Registry } from '../../registry/registry';
import type { ChangeListeners } from '../change-listeners';
import type { Expiries } from '../expiries';
import type { ResolvedLimits } from '../../limits/server-limits';
import type { SubscriptionBudget } from '../../limits/subscription-budget';
import type { Clock } from '@sigil-mcp/base';
import type { ServerExtensions } from '../../extensions/server-extensions';
import type { MaskError } from '../mask-error';

/** Given to each handler's factory when a server starts. */
export interface MethodServices {
  readonly registry: Registry;
  readonly listeners: ChangeListeners;
  readonly revisions: ServedRevisions;
  readonly server: Implementation;
  readonly instructions: string | undefined;
  readonly capabilities: ServerCapabilities;
  /** Hints for lists, discovery and contents that say nothing of their own. */
  readonly cache: CacheHints;
  /** Writes and reads cursors into what templates list. */
  readonly cursors: ListedCursors;
  readonly maskError: MaskError;
  readonly expiries: Expiries;
  readonly limits: ResolvedLimits;
  readonly subscriptions: SubscriptionBudget;
  readonly clock: Clock;
  readonly extensions: ServerExtensions;
}
