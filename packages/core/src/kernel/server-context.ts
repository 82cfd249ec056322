/** What there is of one server from its start to its end. */
import type { CacheHints, ServedRevisions, ServerCapabilities } from '@sigil-mcp/protocol';
import type { CallServices } from '../calls/call-services';
import type { Interceptor } from '../context/call';
import type { DefinitionContext, ServerExtensions } from '../extensions/server-extensions';
import type { ServerLoad } from '../limits/client-load';
import type { SubscriptionBudget } from '../limits/budget';
import type { ListedCursors } from '../registry/listed-cursors';
import type { ChangeListeners } from './change-listeners';
import type { Expiries } from './expiries';
import type { MaskError } from './mask-error';
import type { Observers } from './observers';
import type { ResultTexts } from '../output/kept-result';

/** Made once, when the server starts, and passed as it is: to the kernel, its methods, its answers and, as `CallServices`, its calls. */
export interface ServerContext extends CallServices, DefinitionContext {
  readonly instructions: string | undefined;
  readonly revisions: ServedRevisions;
  /** The advertised capabilities; a method of any other capability does not exist. */
  readonly capabilities: ServerCapabilities;
  readonly extensions: ServerExtensions;
  /** Interceptors of the server; the first is the outermost. */
  readonly interceptors: readonly Interceptor[];
  /** Undefined if nobody watches. */
  readonly observers: Observers | undefined;
  /** Hints for lists, discovery and contents that say nothing of their own. */
  readonly cache: CacheHints;
  /** Writes and reads cursors into what templates list. */
  readonly cursors: ListedCursors;
  readonly results: ResultTexts;
  readonly maskError: MaskError;
  readonly load: ServerLoad;
  readonly subscriptions: SubscriptionBudget;
  readonly listeners: ChangeListeners;
  readonly expiries: Expiries;
}
