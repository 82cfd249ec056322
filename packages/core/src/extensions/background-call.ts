/** Calls without a request: recorded by a stage of an extension, and run by it later, here or in another process. */
import type { ErrorObject, JsonObject } from '@sigil-mcp/protocol';
import type { MaybePromise } from '@sigil-mcp/base';
import type { LiveWay } from '../asking/live-questions';

/** How a call without a request reaches its client, and how it ends. */
export type BackgroundOutcome =
  /** The result, as the revision writes it. */
  | { readonly kind: 'result'; readonly result: JsonObject }
  /** The error, as the revision writes it. */
  | { readonly kind: 'error'; readonly error: ErrorObject }
  /** It was cancelled: by `cancel`, or because the server closes. */
  | { readonly kind: 'cancelled' }
  /** It was suspended: run it again, with what it has kept and the answers so far. */
  | { readonly kind: 'suspended' };

/** What a call without a request is given in place of one. */
export interface BackgroundWay extends LiveWay {
  /** Names the call in logs and to observers; no secret. */
  readonly id: string;
  /** Whom it counts for, as `ExtensionCall.countedFor` said when it was recorded. */
  readonly countedFor: string;
  /** Receives `context.progress`. */
  progress(progress: number, total: number | undefined, message: string | undefined): MaybePromise<void>;
}

/** A call without a request, while it runs. */
export interface BackgroundCall {
  /** How it ended; never rejects. */
  readonly outcome: Promise<BackgroundOutcome>;
  /** Resolves when its handler has ended, which may be after the outcome: a handler may run on after it was cancelled. */
  readonly ended: Promise<void>;
  /** Fires its signal; its outcome is there then, even if its handler runs on. */
  cancel(reason: Error): void;
  /** Ends it at the questions that wait, and those to come. */
  suspend(): void;
}
