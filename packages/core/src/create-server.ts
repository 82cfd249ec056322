/**
 * The composition root; read this first. A server comes to be in four steps: its classes are scanned into plans, its
 * instances are built, plans and instances are compiled into entries, and transports are opened on the kernel.
 */
import type { ServerCapabilities } from '@sigil-mcp/protocol';
import { checkOverrides } from './container/override';
import type { Provider } from './container/provider';
import { SingletonContainer } from './container/singletons';
import { DefinitionError, type DefinitionProblem, type ReportProblem } from './errors/definition-error';
import { ChangeListeners } from './kernel/change-listeners';
import { Kernel, type KernelOptions } from './kernel/kernel';
import { createMaskError } from './kernel/mask-error';
import { allMethods } from './kernel/methods/all-methods';
import { checkLimits, limitsOf } from './limits/server-limits';
import { SubscriptionBudget } from './limits/subscription-budget';
import { CarefulLogger } from './logging/careful-logger';
import { JsonLinesLogger } from './logging/json-lines-logger';
import type { Logger } from './logging/logger';
import { SilentLogger } from './logging/silent-logger';
import { Registry } from './registry/registry';
import { ServerRegistry } from './server/server-registry';
import { Shapes } from './schema/shapes';
import { featureSources } from './scanner/check-feature';
import { checkTimeout } from './scanner/check-timeout';
import { scanFeatures } from './scanner/scan-features';
import { Server } from './server/server';
import { askingPolicyOf, checkAskingOptions } from './server/server-asking';
import { advertisedCapabilities } from './server/server-capabilities';
import { ServerEntries } from './server/server-entries';
import { ServerInstances } from './server/server-instances';
import { checkIdentity, implementationOf } from './server/server-identity';
import { servedRevisionsOf } from './server/server-revisions';
import type { ServerOptions } from './server/server-options';

/**
 * Defines a server. Nothing is built or opened before `server.listen`.
 * @param options its name, its features, what they are built with, and its settings
 * @returns the server, whose classes and options are known to be in order
 * @throws DefinitionError with every problem of the classes, DTOs, providers and options at once
 * @example
 * export const server = createServer({ name: 'weather', version: '1.0.0', features: [WeatherFeature], providers: [WeatherApi] });
 * await server.listen(new StdioTransport());
 */
export function createServer(options: ServerOptions): Server {
  return defineServer(options, []);
}

function defineServer(options: ServerOptions, overrides: readonly Provider[]): Server {
  const problems: DefinitionProblem[] = [];
  const report: ReportProblem = (problem) => void problems.push(problem);
  checkIdentity(options, report);
  const features = featureSources(options.features ?? [], report);
  const scan = { shapes: new Shapes(), toolTimeout: toolTimeoutOf(options, report) };
  const plans = scanFeatures(features, { ...scan, report });
  checkAskingOptions(options, process.env, report);
  checkLimits(options.limits ?? {}, report);
  const revisions = servedRevisionsOf(options, report);
  const ownContainer = new SingletonContainer();
  const container = options.container ?? ownContainer;
  const instances = new ServerInstances(container, { ...options, features });
  const providers = [...ownProviders(() => server), ...(options.providers ?? []), ...overrides];
  container.prepare(providers, instances.roots(plans), report);
  if (!revisions || problems.length > 0) throw new DefinitionError(problems);

  const logger = loggerOf(options);
  const registry = new Registry(options.pageSize ?? 1000);
  const capabilities = (): ServerCapabilities => advertisedCapabilities(registry, options.capabilities ?? []);
  const server = new Server({
    container,
    entries: new ServerEntries({ plans, scan, instances, registry, capabilities }),
    logger,
    shutdownDeadline: options.shutdownDeadline ?? 5000,
    createKernel: (advertised) =>
      openKernel(options, {
        registry,
        revisions,
        capabilities: advertised,
        interceptors: instances.serverInterceptors(),
        logger,
        asking: askingPolicyOf(options, scan.shapes, logger),
      }),
    redefine: (more) => {
      checkOverrides(options.container ? undefined : ownContainer.tokens(), more);
      return defineServer(options, [...overrides, ...more]);
    },
  });
  return server;
}

/** What every server provides: a feature that changes entries, or tells of changes, asks for it in its constructor. */
function ownProviders(server: () => Server): Provider[] {
  return [
    { provide: Server, useFactory: server },
    { provide: ServerRegistry, useFactory: () => server().registry },
  ];
}

function openKernel(
  options: ServerOptions,
  made: Pick<KernelOptions, 'revisions' | 'capabilities' | 'interceptors' | 'logger' | 'asking'> & {
    readonly registry: Registry;
  },
): Kernel {
  const limits = limitsOf(options.limits);
  const shared = {
    ...made,
    server: implementationOf(options),
    limits,
    subscriptions: new SubscriptionBudget(limits),
    listeners: new ChangeListeners(made.registry),
    maskError: createMaskError(made.logger),
  };
  const { instructions, cache = { ttlMs: 0, cacheScope: 'private' } } = options;
  return new Kernel({ ...shared, methods: allMethods({ ...shared, instructions, cache }) });
}

function toolTimeoutOf({ toolTimeout }: ServerOptions, report: ReportProblem): number | undefined {
  return checkTimeout(toolTimeout, 'createServer({ toolTimeout })', report) ? toolTimeout : undefined;
}

function loggerOf({ logger = 'info' }: ServerOptions): Logger {
  if (logger === false) return new SilentLogger();
  return typeof logger === 'string' ? new JsonLinesLogger(logger) : new CarefulLogger(logger);
}
