/** What a server opens when it starts: its kernel, and this process as one instance of it. */
import type { Container } from '../container/container';
import { Instance } from '../instances/instance';
import { listDigestsOf } from '../instances/list-digests';
import { ChangeListeners, listChangesOf } from '../kernel/change-listeners';
import { Expiries } from '../kernel/expiries';
import { Kernel } from '../kernel/kernel';
import { ResultTexts } from '../kernel/result-texts';
import { checkEntry, runInside } from '../kernel/run-inside';
import type { ServerContext } from '../kernel/server-context';
import { DetachedCalls } from '../calls/detached-call';
import { SessionHandles } from '../calls/session-handles';
import { createMaskError } from '../kernel/mask-error';
import { ServerLoad } from '../limits/client-load';
import { neededHeap, heapOfProcess } from '../limits/needed-memory';
import { limitsOf, type ResolvedLimits } from '../limits/server-limits';
import { SubscriptionBudget } from '../limits/subscription-budget';
import type { Logger } from '../logging/logger';
import type { Stores } from '../stores/stores';
import { MemoryRates } from '../stores/memory-rates';
import { ProcessStores } from '../stores/memory-stores';
import type { Shapes } from '@sigil-mcp/schema';
import { scopeOpener } from './call-scopes';
import { askingPolicyOf, checkSecretsVariable, listedCursorsOf, warnOfSecrets } from './server-asking';
import { implementationOf } from './server-identity';
import type { ServerOptions } from './server-options';
import { clockOutside } from '../values/outside-requests';

const MEBIBYTE = 1024 * 1024;

/** What a kernel is opened with, besides the options: what was made from the definition of the server. */
export interface KernelInit extends Pick<
  ServerContext,
  | 'revisions'
  | 'capabilities'
  | 'interceptors'
  | 'logger'
  | 'clock'
  | 'observers'
  | 'extensions'
  | 'registry'
  | 'account'
> {
  readonly stores: Stores | undefined;
  readonly container: Container;
  readonly shapes: Shapes;
}

/** Makes the context of a server, and the kernel that answers with it. @throws SigilError for secrets in the environment that are too short */
export function openKernel(options: ServerOptions, { container, stores, ...defined }: KernelInit): Kernel {
  checkSecretsVariable(options, process.env);
  const { registry, capabilities, clock, logger, account } = defined;
  const limits = limitsOf(options.limits);
  warnOfHeap(limits, logger);
  const server = implementationOf(options);
  const context: ServerContext = {
    ...defined,
    server,
    limits,
    asking: askingPolicyOf(options, defined),
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

/** Makes this process one of the instances that share the stores of the server; without stores, the only one. */
export function instanceOf(
  options: ServerOptions,
  { listeners }: Kernel,
  { registry, stores, logger, clock }: Pick<KernelInit, 'registry' | 'stores' | 'logger' | 'clock'>,
): Instance {
  const { name: server } = options;
  if (!stores)
    return new Instance({ server, stores: new ProcessStores(clock), listeners, digests: undefined, logger, clock });
  warnOfSecrets(options, logger);
  return new Instance({ server, stores, listeners, digests: listDigestsOf(registry), logger, clock });
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
