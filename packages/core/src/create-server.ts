/**
 * The composition root; read this first. A server is made in four steps: its classes are scanned into plans, its
 * instances are built, plans and instances are compiled into entries, and transports are opened on the kernel.
 */
import type { Container } from './container/container';
import { nameOfToken, tokenOf, type Provider, type Token, checkOverrides } from './container/provider';
import { SingletonContainer } from './container/singletons';
import { DefinitionError, platformClock, type DefinitionProblem, type ReportProblem } from '@sigil-mcp/base';
import type * as Description from './description/describe-server';
import { checkExtensions } from './extensions/check-extensions';
import { ServerExtensions, type DefinitionContext } from './extensions/server-extensions';
import { Account } from './limits/account';
import { neededHeap } from './limits/needed-memory';
import { checkLimits, limitsOf } from './limits/server-limits';
import { defaultLogger, CarefulLogger } from './logging/default-logger';
import { type Logger, SilentLogger } from './logging/logger';
import type { FeatureSource } from './kinds/all-kinds';
import { VagueClasses } from './logging/vague-classes';
import { Observers } from './kernel/observers';
import { observedStores } from './kernel/observed-stores';
import { Registry } from './registry/registry';
import { ServerRegistry } from './server/server-registry';
import { Shapes } from '@sigil-mcp/schema';
import type { Scan } from './members/member';
import { checkLevel, levelOf, type PolicyLevel, checkTimeout } from './members/read-policy';
import { scanDefinition } from './scanner/scan-definition';
import { checkScopes, CONTEXT_PROVIDER, openKernel, replaceable, type KernelInit } from './server/open-kernel';
import { Server } from './server/server';
import { checkAskingOptions, hasSecrets, sealsOf } from './server/server-asking';
import { advertisedCapabilities, extendedRevisions, servedRevisionsOf } from './server/server-revisions';
import { ServerEntries } from './server/server-entries';
import { ServerObjects } from './pipeline/server-objects';
import { checkWords, problem } from './errors/catalogue';
import type { Implementation } from '@sigil-mcp/protocol';
import { invitedObservers } from './server/tool-channels';
import type { FlatModule, Module } from './scanner/flatten-modules';
import { checkOptionShapes, type ServerOptions } from './server/server-options';
import { clockOfCallers } from './values/outside-requests';

type ObservedContext = DefinitionContext & Pick<KernelInit, 'observers'>;

/** The options of a server whose entries the compiler knows, for `ClientOf`. */
type TypedOptions<F, M> = ServerOptions & { readonly features?: F; readonly modules?: M };

/**
 * Defines a server. Nothing is built or opened before `server.listen`.
 * @param options its name, its features, their providers, and its settings
 * @returns the server, whose classes and options were checked
 * @throws DefinitionError with every problem of the classes, DTOs, providers and options at once
 * @example
 * export const server = createServer({ name: 'weather', version: '1.0.0', features: [WeatherFeature], providers: [WeatherApi] });
 * await server.listen(new StdioTransport());
 */
export function createServer<
  const F extends readonly FeatureSource[] = readonly [],
  const M extends readonly Module[] = readonly [],
>(options: TypedOptions<F, M>): Server<{ readonly features: F; readonly modules: M }> {
  return defineServer(options, []);
}

function defineServer<Parts>(options: ServerOptions, overrides: readonly Provider[]): Server<Parts> {
  const problems: DefinitionProblem[] = [];
  const report: ReportProblem = (problem) => void problems.push(problem);
  const logger = checkOptions(options, problems, report);
  const ownContainer = new SingletonContainer();
  const { container = ownContainer } = options;
  const context = contextOf(options, logger, container);
  const extensions = new ServerExtensions(checkExtensions(options.extensions ?? [], report), context);
  const scan = { ...scanOf(options, logger, report), extensions: extensions.values };
  const { features, modules, plans } = scanDefinition(options, { ...scan, report });
  const plain = servedRevisionsOf(options, extensions, report);
  const instances = new ServerObjects(container, { ...options, features }, extensions, context.observers);
  const given = [...(options.providers ?? []), ...overrides];
  const providers = [...ownProviders(container, () => server), ...providersOfModules(modules, given, report), ...given];
  checkScopes(container, providers, report);
  container.prepare(providers, instances.roots(plans), report);
  if (!plain || problems.length > 0) throw new DefinitionError(problems);
  const revisions = extendedRevisions(plain, extensions);
  const { registry } = context;
  const own = { ...context, extensions, shapes: scan.shapes, revisions };
  const capabilities = () => advertisedCapabilities(registry, options);
  const entries = new ServerEntries({ plans, scan, instances, registry, capabilities });
  const server: Server<Parts> = new Server({
    ...own,
    entries,
    shutdownDeadline: options.shutdownDeadline ?? 5000,
    createKernel: (advertised) =>
      openKernel(options, { ...own, capabilities: advertised, interceptors: instances.serverInterceptors() }),
    describe: () => describe(describedOf(options, { ...own, entries })),
    redefine: (more) => {
      checkOverrides(options.container ? undefined : replaceable(ownContainer.tokens()), more);
      return defineServer(options, [...overrides, ...more]);
    },
  });
  return server;
}

/** What there is of the server from now on. Nothing is opened. */
function contextOf(options: ServerOptions, logger: Logger, container: Container): ObservedContext {
  const { clock = clockOfCallers(platformClock()), pageSize = 1000 } = options;
  const limits = limitsOf(options.limits);
  const context = {
    server: implementationOf(options),
    container,
    registry: new Registry(pageSize),
    limits,
    account: new Account(limits),
    clock,
    logger,
    sealFor: sealsOf(options),
    hasSecrets: () => hasSecrets(options, process.env),
  };
  return { ...context, ...watchedOf(options, context) };
}

/** Loaded when a program asks for it: most programs never do. */
function describe(made: Description.DescriptionInit): ReturnType<typeof Description.describeServer> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import at the top would load it for everybody
  return (require('./description/describe-server') as typeof Description).describeServer(made);
}

/** What `server.describe()` describes. */
function describedOf(
  { instructions, guards = [] }: ServerOptions,
  {
    server,
    limits,
    revisions,
    extensions,
    entries,
  }: Pick<KernelInit, 'server' | 'limits' | 'revisions' | 'extensions'> & {
    readonly entries: ServerEntries;
  },
): Description.DescriptionInit {
  const memory = neededHeap(limits);
  return { server, instructions, revisions, extensions: extensions.values, guards, memory, plans: entries.plans() };
}

/** Reports problems of the options. Returns the logger that they configure. Throws if nothing can be read of them. */
function checkOptions(options: ServerOptions, problems: readonly DefinitionProblem[], report: ReportProblem): Logger {
  checkOptionShapes(options, report);
  if (problems.length > 0) throw new DefinitionError(problems);
  checkIdentity(options, report);
  checkAskingOptions(options, report);
  checkLimits(options.limits ?? {}, report);
  return loggerOf(options);
}

/** Reports a blank name, version or description. */
function checkIdentity({ name, version, description }: ServerOptions, report: ReportProblem): void {
  const words = { name, version, ...(description !== undefined && { description }) };
  checkWords(words, 'createServer', report);
}

/** The server's description of itself. */
function implementationOf(options: ServerOptions): Implementation {
  const { name, version, title, description, websiteUrl, icons } = options;
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons && { icons }),
  };
}

/** Providers of every server: a feature that changes entries, or announces changes, asks for them in its constructor. */
function ownProviders(container: Container, server: () => Server): Provider[] {
  return [
    ...(container.openScope ? [CONTEXT_PROVIDER] : []),
    { provide: Server, useFactory: server },
    { provide: ServerRegistry, useFactory: () => server().registry },
  ];
}

/**
 * The providers of modules: if two modules provide the same token differently, the conflict is reported.
 * @param own of the application, which replace those of modules
 * @returns the providers of all modules
 */
function providersOfModules(
  modules: readonly FlatModule[],
  own: readonly Provider[],
  report: ReportProblem,
): readonly Provider[] {
  const settled = new Set(own.map(tokenOf));
  const first = new Map<Token, { readonly provider: Provider; readonly label: string }>();
  for (const { providers, surroundings } of modules) {
    for (const provider of providers) {
      // What is no provider is reported where providers are read.
      const token = tokenOf(provider) ?? Symbol('none');
      const { label } = surroundings;
      const other = first.get(token);
      if (!other) first.set(token, { provider, label });
      else if (other.provider !== provider && !settled.has(token))
        report(problem('SIGIL_MODULE_PROVIDER', label, { token: nameOfToken(token), other: other.label }));
    }
  }
  return [...first.values()].map(({ provider }) => provider);
}

/** The observers, the stores as they see them, and the memory that they see. */
function watchedOf(
  { observers = [], stores }: ServerOptions,
  { server, clock, logger, registry, account, limits }: Omit<DefinitionContext, 'stores'>,
): Pick<KernelInit, 'observers' | 'stores'> {
  const invited = [...observers, ...invitedObservers(registry)];
  if (invited.length === 0) return { observers: undefined, stores };
  const { name, version } = server;
  const held = {
    get bytes() {
      return account.all;
    },
    get kinds() {
      return account.kinds;
    },
    limit: limits.held,
    meter: (kind: string, read: () => number) => account.meter(kind, read),
  };
  const all = new Observers(invited, { name, version, logger, clock, held });
  return { observers: all, stores: stores && observedStores(stores, all, clock) };
}

function shapesOf({ strict }: ServerOptions, logger: Logger): Shapes {
  return new Shapes(new VagueClasses(logger, strict));
}

function scanOf(options: ServerOptions, logger: Logger, report: ReportProblem): Omit<Scan, 'report' | 'extensions'> {
  const toolTimeout = toolTimeoutOf(options, report);
  const { runner } = options;
  const supplies = runner?.supplies?.bind(runner);
  return { shapes: shapesOf(options, logger), toolTimeout, policy: policyLevelOf(options, report), supplies };
}

function toolTimeoutOf({ toolTimeout }: ServerOptions, report: ReportProblem): number | undefined {
  return checkTimeout(toolTimeout, 'createServer({ toolTimeout })', report) ? toolTimeout : undefined;
}

function policyLevelOf({ scopes }: ServerOptions, report: ReportProblem): PolicyLevel {
  const level = scopes === undefined ? [] : levelOf({ scopes });
  return checkLevel(level, 'createServer({ scopes })', report) ? level : [];
}

function loggerOf({ logger = 'info' }: ServerOptions): Logger {
  if (logger === false) return new SilentLogger();
  if (typeof logger !== 'string') return new CarefulLogger(logger);
  return defaultLogger(logger, { environment: process.env, stream: process.stderr, folder: process.cwd() });
}
