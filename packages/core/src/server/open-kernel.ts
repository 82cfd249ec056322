/** What a server opens when it starts: the kernel, and all that it works with. */
import { ChangeListeners, listChangesOf } from '../kernel/change-listeners';
import { Expiries } from '../kernel/expiries';
import { Kernel } from '../kernel/kernel';
import { ResultTexts } from '../output/kept-result';
import { checkEntry, runInside } from '../kernel/run-inside';
import type { ServerContext } from '../kernel/server-context';
import type { DefinitionContext } from '../extensions/server-extensions';
import { DetachedCalls } from '../calls/detached-call';
import { SessionHandles } from '../calls/session-handles';
import { createMaskError } from '../kernel/mask-error';
import { ServerLoad } from '../limits/client-load';
import { neededHeap, heapOfProcess } from '../limits/needed-memory';
import type { ResolvedLimits } from '../limits/server-limits';
import { SubscriptionBudget } from '../limits/budget';
import type { Logger } from '../logging/logger';
import { MemoryRates } from '../stores/memory-stores';
import type { Shapes } from '@sigil-mcp/schema';
import { scopeOpener } from './call-scopes';
import { askingPolicyOf, checkSecretsVariable, listedCursorsOf } from './server-asking';
import type { ServerOptions } from './server-options';
import { clockOutside } from '../values/outside-requests';

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
