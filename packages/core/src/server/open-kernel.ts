/** What a server opens when it starts: the kernel, and all that it works with. */
import type { ReportProblem } from '@sigil-mcp/base';
import type { Shapes } from '@sigil-mcp/schema';
import { DetachedCalls } from '../calls/detached-call';
import { SessionHandles } from '../calls/call-services';
import type { CallScope, Container } from '../container/container';
import { nameOfToken, tokenOf, type Provider, type Token } from '../container/provider';
import { McpContext } from '../context/mcp-context';
import { problem } from '../errors/catalogue';
import type { DefinitionContext } from '../extensions/server-extensions';
import { ChangeListeners, listChangesOf } from '../kernel/change-listeners';
import { Expiries } from '../kernel/expiries';
import { Kernel } from '../kernel/kernel';
import { createMaskError, type ServerContext } from '../kernel/server-context';
import { checkEntry, runInside } from '../kernel/run-inside';
import { SubscriptionBudget } from '../limits/budget';
import { ServerLoad } from '../limits/client-load';
import { heapOfProcess, neededHeap } from '../limits/needed-memory';
import type { ResolvedLimits } from '../limits/server-limits';
import type { Logger } from '../logging/logger';
import { ResultTexts } from '../output/results';
import { MemoryRates } from '../stores/memory-stores';
import { clockOutside } from '../values/outside-requests';
import { askingPolicyOf, checkSecretsVariable, listedCursorsOf } from './server-asking';
import type { ServerOptions } from './server-options';

const MEBIBYTE = 1024 * 1024;

/** What a kernel is opened with, besides the options: what was made from the definition of the server. */
export interface KernelInit
  extends
    DefinitionContext,
    Pick<ServerContext, 'revisions' | 'capabilities' | 'interceptors' | 'observers' | 'extensions'> {
  readonly shapes: Shapes;
}

/** Makes the context of a server, and the kernel that answers with it. @throws SigilError for secrets in the environment that are too short */
export function openKernel(options: ServerOptions, init: KernelInit): Kernel {
  checkSecretsVariable(options, process.env);
  const { server, container, registry, stores, capabilities, clock, logger, account, limits } = init;
  warnOfHeap(limits, logger);
  const context: ServerContext = {
    ...init,
    asking: askingPolicyOf(options, init),
    openScope: scopeOpener(container),
    subscriptions: new SubscriptionBudget(limits, account),
    listeners: new ChangeListeners(registry, listChangesOf(capabilities), clock),
    expiries: new Expiries(clockOutside(clock)),
    rates: stores?.rates ?? new MemoryRates(clock),
    cursors: listedCursorsOf(options),
    maskError: createMaskError(logger),
    instructions: options.instructions,
    cache: options.cache ?? { ttlMs: 0, cacheScope: 'private' },
    results: new ResultTexts(server),
    load: new ServerLoad(),
    sessions: new SessionHandles(),
    detached: new DetachedCalls(),
    // Only running calls have these two.
    runMethod: (outer, inner) => runInside({ outer, ...inner }, { methods: kernel.methods, server }),
    checkAccess: (call, entry) => checkEntry(call, entry, registry),
  };
  const kernel = new Kernel(context);
  return kernel;
}

/** Says so in the log, if the process may have less heap than the limits need. */
export function warnOfHeap(limits: Pick<ResolvedLimits, 'held' | 'messageBytes'>, logger: Logger): void {
  const [needed, heap] = [neededHeap(limits), heapOfProcess()];
  if (!heap || needed === Infinity || needed <= heap.limit) return;
  const [neededMiB, heapMiB] = [needed, heap.limit].map((bytes) => Math.ceil(bytes / MEBIBYTE));
  logger.warn(
    { neededMiB, heapMiB },
    `The limits of this server may need ${neededMiB} MiB of heap, and its process may have ${heapMiB} MiB: clients could end it. Start it with NODE_OPTIONS=--max-old-space-size=${neededMiB}, or lower limits.held and limits.messageBytes.`,
  );
}

// Dependencies of calls: instances made for a call, and instances shared by the whole server.

/** Represents the context of each call, so that providers of the request scope can inject it, and no others. */
export const CONTEXT_PROVIDER: Provider = { provide: McpContext, scope: 'request', useFactory: () => undefined };

/** Reports providers of the request scope if the container does not support them. */
export function checkScopes(container: Container, providers: readonly Provider[], report: ReportProblem): void {
  if (container.openScope) return;
  for (const provider of providers.filter(isPerCall))
    report(problem('SIGIL_SCOPE_CONTAINER', 'createServer({ container })', { token: nameOfToken(tokenOf(provider)) }));
}

function isPerCall(provider: unknown): boolean {
  const isOne = (typeof provider === 'object' && provider !== null) || typeof provider === 'function';
  return isOne && 'scope' in provider && provider.scope === 'request';
}

/** The tokens without that of the context, which no provider can replace. */
export function replaceable(tokens: Iterable<Token>): Token[] {
  return [...tokens].filter((token) => token !== McpContext);
}

/** @returns a function that opens the scope of a call; after the call has ended, a closed scope */
function scopeOpener(container: Container): (context: McpContext, isOver: boolean) => CallScope {
  return (context, isOver) => {
    const scope = container.openScope?.(new Map([[McpContext, context]])) ?? sharedScope(container, context);
    // The scope is empty, so closing it cannot fail.
    if (isOver) scope.close().catch(() => undefined);
    return scope;
  };
}

/** The scope of a container without request scope: calls use the shared instances. */
function sharedScope(container: Container, context: McpContext): CallScope {
  return {
    get: async (token) => (token === McpContext ? context : container.get(token)),
    close: () => Promise.resolve(),
  };
}
