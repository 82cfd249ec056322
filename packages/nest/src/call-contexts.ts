/** What Nest knows of a call: the id under which it builds instances for it, and the request that they inject. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ContextIdFactory, type ContextId, type ModuleRef } from '@nestjs/core';
import type { Caller, McpContext } from '@sigil-mcp/core';

/**
 * What `@Inject(REQUEST)` gives in a call, and `McpExecutionContext.getRequest()`: over HTTP the request of the platform (of Express or
 * Fastify), with these members in addition.
 */
export interface McpRequest {
  /** Headers of the HTTP request, by names in lower case; empty on other transports. */
  readonly headers: McpContext['headers'];
  /** What a middleware has put there; otherwise the caller, if it is authenticated. Guards may replace it. */
  user?: unknown;
  /** The context of the call. */
  readonly mcp: McpContext;
  /** Other members of the request of the platform. */
  readonly [member: string]: unknown;
}

/** One call, as Nest knows it. */
export interface CallContext {
  readonly id: ContextId;
  readonly request: McpRequest;
}

/** The platform's request of everything that runs on behalf of it. */
export const platformRequests = new AsyncLocalStorage<object>();

/** The contexts of running calls. */
export class CallContexts {
  readonly #known = new WeakMap<McpContext, CallContext>();

  constructor(private readonly moduleRef: ModuleRef) {}

  /**
   * The context of a call: made once, and the same for its guards, interceptors, feature and providers.
   * @param isDurable whether it is opened for a durable class: like on routes, that injects the payload of the strategy
   */
  of(context: McpContext, isDurable = false): CallContext {
    let known = this.#known.get(context);
    if (!known) {
      known = this.#open(context, isDurable);
      this.#known.set(context, known);
    }
    return known;
  }

  #open(context: McpContext, isDurable: boolean): CallContext {
    const request = requestOf(context);
    const id = ContextIdFactory.getByRequest(request);
    const { payload } = id as ContextId & { readonly payload?: unknown };
    this.moduleRef.registerRequestByContextId(isDurable ? payload : Object.assign(request, payload), id);
    return { id, request };
  }
}

/** A request of its own for each call: what a guard writes on it is not seen by the other calls of a batch. */
function requestOf(context: McpContext): McpRequest {
  const platform = platformOf(context);
  const own = { mcp: context, user: platform?.user ?? userOf(context.caller) };
  if (!platform) return { headers: context.headers, ...own };
  // The members of the platform's request stay readable, its getters included.
  return Object.assign(Object.create(platform) as McpRequest, own);
}

/** The platform's request of a call. What runs without its request, as a task does, has no headers, and must not have those of another one. */
function platformOf({ headers }: McpContext): { readonly user?: unknown } | undefined {
  return Object.keys(headers).length === 0 ? undefined : platformRequests.getStore();
}

function userOf(caller: Caller): Caller | undefined {
  return caller.isAuthenticated ? caller : undefined;
}
