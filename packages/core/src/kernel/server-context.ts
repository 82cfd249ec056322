/** What there is of one server from its start to its end. */
import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import type { CacheHints, ServedRevisions, ServerCapabilities } from '@sigil-mcp/protocol';
import { callFields, type LoggedCall } from '../calls/call-fields';
import type { CallServices } from '../calls/call-services';
import type { Interceptor } from '../context/call';
import type { DefinitionContext, ServerExtensions } from '../extensions/server-extensions';
import type { SubscriptionBudget } from '../limits/budget';
import type { ServerLoad } from '../limits/client-load';
import type { Logger } from '../logging/logger';
import type { ResultTexts } from '../output/results';
import type { ListedCursors } from '../registry/listed-cursors';
import type { ChangeListeners } from './change-listeners';
import type { Expiries } from './expiries';
import type { Observers } from './observers';

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

// Masks errors for clients, and logs them so that an operator finds them.

/** Logs an error with its cause and gives the sentence for the client: nothing but an id that stands in the log too. */
export type MaskError = (error: unknown, call: LoggedCall) => string;

/** Announces each masked error to a tool that started the program, such as the page of `sigil dev`, which knows the channel by the same name. */
const MASKED = channel('sigil:error:masked');

/** Makes the function that masks the errors of one server and writes them to its log. */
export function createMaskError(logger: Logger): MaskError {
  return (error, call) => {
    const id = randomUUID();
    logger.error({ errorId: id, ...callFields(call), err: readable(error) }, `${call.method} failed unexpectedly`);
    if (MASKED.hasSubscribers) MASKED.publish({ errorId: id, method: call.method, entry: call.entry?.key, error });
    return `Internal error (id ${id}). The server's log has the details under this id.`;
  };
}

/** What was thrown, for the log. Anything can be thrown, also nothing, which JSON would leave out. */
function readable(error: unknown): unknown {
  return error === undefined || typeof error === 'function' || typeof error === 'symbol' ? String(error) : error;
}
