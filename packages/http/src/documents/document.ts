/** Small public documents next to an endpoint. */
import type { MaybePromise } from '@sigil-mcp/core';
import type { HttpRequest, HttpResponse } from '../port';

/** One of them, for GET and HEAD; an app that has a route of its own there keeps it. */
export interface PublicDocument {
  /** Decoded; below the prefix of the app, unless `isAtRoot`. */
  readonly path: string;
  /** Whether the path is at the root of the origin, regardless of the prefix of the app. */
  readonly isAtRoot: boolean;
  /** Throws a `Refusal` for a request that it does not answer. */
  readonly get: (request: Pick<HttpRequest, 'rawHeaders'>) => MaybePromise<HttpResponse>;
  /** Answers a preflight of a browser; undefined where no page of another origin needs it. */
  readonly options?: (() => HttpResponse) | undefined;
}
