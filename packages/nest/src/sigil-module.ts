/** The module that puts a server into an application. */
import { Module, type DynamicModule, type Provider, type Type, Logger as NestLogger } from '@nestjs/common';
import {
  ApplicationConfig,
  ExternalContextCreator,
  HttpAdapterHost,
  LazyModuleLoader,
  ModuleRef,
  ModulesContainer,
} from '@nestjs/core';
import { createServer, Server, type Constructor, type Logger } from '@sigil-mcp/core';
import { requireOptions } from '@sigil-mcp/core/internal';
import { guardStdout } from '@sigil-mcp/core/stdio';
import { CallContexts } from './call-contexts';
import { EndpointGuards } from './endpoint-guards';
import { findFeatureHosts, hostIn, moduleOfRef, type FeatureHost } from './feature-hosts';
import { EntryFunctions } from './hosted-handler';
import { HttpMount } from './http-mount';
import type {
  FeatureSurroundings,
  SigilModuleAsyncOptions,
  SigilModuleOptions,
  SigilOptionsFactory,
} from './module-options';
import { ASYNC_OPTIONS, MODULE_OPTIONS } from './module-rules';
import { NestContainer } from './nest-container';
import { NestRunner } from './nest-runner';
import { ServedApplication, type ServersOfApplication } from './served-application';
import {
  BuiltServers,
  modulesServedBy,
  serverModules,
  serverOfFeatures,
  type ModuleKinds,
} from './servers-of-application';

/** Writes the server's log with the logger of the application, under the context `MCP`. */
class NestLog implements Logger {
  readonly #logger = new NestLogger('MCP');

  debug(fields: object, message: string): void {
    this.#logger.debug(lineOf(fields, message));
  }

  info(fields: object, message: string): void {
    this.#logger.log(lineOf(fields, message));
  }

  warn(fields: object, message: string): void {
    this.#logger.warn(lineOf(fields, message));
  }

  error(fields: object, message: string): void {
    const { err } = fields as { readonly err?: unknown };
    this.#logger.error(lineOf(fields, message), err instanceof Error ? err.stack : undefined);
  }
}

/** Names the options of the module. */
const OPTIONS = Symbol('sigil:options');
/** Names the providers that a server serves, which become more when a module is loaded late. */
const HOSTS = Symbol('sigil:hosts');
type Hosts = Map<Constructor, FeatureHost>;

/**
 * Serves the tools, resources and prompts of an application's providers over MCP. Import it once, in the root module; `Server` of
 * `@sigil-mcp/core` can then be injected everywhere. Of several servers in one application, each serves the providers of the modules that
 * import it, and the classes in its `features`.
 * @example
 * ```@Module({ imports: [SigilModule.forRoot({ name: 'cats', version: '1.0.0' })], providers: [CatsService, CatsFeature] })```
 */
@Module({})
export class SigilModule {
  /**
   * The server of the application.
   * @throws DefinitionError while the application is created, with every problem of its features and of the options
   */
  static forRoot(options: SigilModuleOptions): DynamicModule {
    // Before Nest writes its first line.
    if (options.stdio) guardStdout();
    return moduleOf([{ provide: OPTIONS, useValue: options }]);
  }

  /** The same with options that a provider makes. With `stdio`, import `@sigil-mcp/core/stdio/guard` in the first line of the program. */
  static forRootAsync(given: SigilModuleAsyncOptions): DynamicModule {
    requireOptions('SigilModule.forRootAsync', given, ASYNC_OPTIONS);
    const { imports = [], ...options } = given;
    return moduleOf(optionProviders(options), imports);
  }

  /**
   * Features as a module of their own, for features that only need what `imports` export, what is global, or these `providers`. A feature
   * in the `providers` of any other module is found without it.
   */
  static forFeature(features: Type[], { imports = [], providers = [] }: FeatureSurroundings = {}): DynamicModule {
    return {
      module: SigilFeatures,
      imports,
      providers: [SERVER_OF_FEATURES, ...providers, ...features],
      exports: features,
    };
  }
}

/** The module of `forFeature`. */
@Module({})
class SigilFeatures {}

/**
 * The module of a server. It is global, so that `Server` can be injected everywhere: Nest adds it to the imports of every module, which then do
 * not tell who imports it. Those of `SigilModule` do.
 */
@Module({})
class SigilServer {}

const KINDS: ModuleKinds = {
  imported: SigilModule,
  server: SigilServer,
  features: SigilFeatures,
  key: Symbol('sigil:server'),
};

/** Builds the server. */
const SERVER: Provider = {
  provide: Server,
  inject: [OPTIONS, KINDS.key, HOSTS, ModulesContainer, ModuleRef, ApplicationConfig, ExternalContextCreator],
  useFactory: (
    own: SigilModuleOptions,
    ...[built, hosts, modules, moduleRef, config, creator]: [
      BuiltServers,
      Hosts,
      ModulesContainer,
      ModuleRef,
      ApplicationConfig | undefined,
      ExternalContextCreator,
    ]
  ) =>
    // The first versions of Nest 10 have none without HTTP.
    built.tell(
      modules,
      serverOf(own, { hosts, modules, moduleRef, config: config ?? new ApplicationConfig(), creator }),
    ),
};

/** Of several servers, the one that serves the features: of those that are global, Nest would inject the first. */
const SERVER_OF_FEATURES: Provider = {
  provide: Server,
  inject: [ModulesContainer, ModuleRef],
  useFactory: (modules: ModulesContainer, moduleRef: ModuleRef) =>
    serverOfFeatures(moduleOfRef(modules, moduleRef), modules, KINDS),
};

/** Serves it with the application. */
const APPLICATION: Provider = {
  provide: ServedApplication,
  inject: [
    ...[Server, OPTIONS, HOSTS, LazyModuleLoader],
    ...[HttpAdapterHost, ApplicationConfig, ModuleRef, ModulesContainer],
  ],
  useFactory: (
    ...[served, own, hosts, loader, host, config, moduleRef, modules]: [
      ...[Server, SigilModuleOptions, Hosts, LazyModuleLoader],
      ...[HttpAdapterHost, ApplicationConfig, ModuleRef, ModulesContainer],
    ]
  ) => {
    const mount = new HttpMount(host, config, { options: own, guards: guardsOf(own, moduleRef) });
    const module = moduleOfRef(modules, moduleRef);
    return new ServedApplication(served, own, {
      ...{ mount, module, loader, hosts },
      modules: (isAlone) => modulesServedBy(module, modules, KINDS, isAlone),
      pipes: () => config?.getGlobalPipes() ?? [],
      all: () => applicationsOf(modules),
    });
  },
};

function moduleOf(options: Provider[], imports: DynamicModule['imports'] = []): DynamicModule {
  const key: Provider = { provide: KINDS.key, useValue: new BuiltServers() };
  const server: DynamicModule = {
    module: SigilServer,
    global: true,
    imports,
    providers: [...options, key, { provide: HOSTS, useFactory: () => new Map() }, EntryFunctions, SERVER, APPLICATION],
    exports: [Server],
  };
  return { module: SigilModule, imports: [server], providers: [key], exports: [server] };
}

/** The servers of an application, once all of its providers are built. */
function applicationsOf(modules: ModulesContainer): ServersOfApplication {
  const served = serverModules(modules, KINDS).map(
    ({ providers }) => providers.get(ServedApplication)?.instance as ServedApplication,
  );
  return { modules, served, kinds: KINDS };
}

/** What Nest injects to build a server in its application. */
interface NestParts {
  readonly hosts: Hosts;
  readonly modules: ModulesContainer;
  readonly moduleRef: ModuleRef;
  readonly config: ApplicationConfig;
  readonly creator: ExternalContextCreator;
}

function guardsOf(options: SigilModuleOptions, moduleRef: ModuleRef): EndpointGuards | undefined {
  return options.endpointGuards ? new EndpointGuards(moduleRef, options, SigilModule) : undefined;
}

function serverOf(own: SigilModuleOptions, nest: NestParts): Server {
  requireOptions('SigilModule', own, MODULE_OPTIONS);
  const { path: _path, globalPrefix: _prefix, http: _http, stdio, ...served } = own;
  const { endpointGuards: _guards, callerOf: _caller, withoutUser: _without, ...options } = served;
  if (stdio) guardStdout();
  const { hosts } = nest;
  const module = moduleOfRef(nest.modules, nest.moduleRef);
  const found = findFeatureHosts(modulesServedBy(module, nest.modules, KINDS));
  for (const [feature, host] of [...hostsOfNamed(options.features, nest.modules), ...found]) hosts.set(feature, host);
  const functions = hostIn(module, EntryFunctions);
  const contexts = new CallContexts(nest.moduleRef);
  const container = new NestContainer({ ...nest, functions, contexts });
  const runner = new NestRunner({ ...nest, functions, contexts, container });
  const features = [...hosts.keys(), ...(options.features ?? [])];
  return createServer({ logger: new NestLog(), ...options, features, container, runner });
}

/** The providers of classes that a server names. */
function hostsOfNamed(
  features: SigilModuleOptions['features'] = [],
  modules: ModulesContainer,
): [Constructor, FeatureHost][] {
  return [...findFeatureHosts(modules.values())].filter(([feature]) => features.includes(feature));
}

function optionProviders({ inject = [], ...options }: Omit<SigilModuleAsyncOptions, 'imports'>): Provider[] {
  const { useFactory, useClass, useExisting } = options;
  if (useFactory) return [{ provide: OPTIONS, inject, useFactory }];
  const own = useClass ? [{ provide: useClass, useClass }] : [];
  const maker = useExisting ?? useClass;
  const create = (factory: SigilOptionsFactory): ReturnType<SigilOptionsFactory['createSigilOptions']> =>
    factory.createSigilOptions();
  return [...own, { provide: OPTIONS, inject: maker === undefined ? [] : [maker], useFactory: create }];
}

function lineOf(fields: object, message: string): string {
  const { err, ...others } = fields as { readonly err?: unknown };
  const reason = err === undefined ? '' : `: ${err instanceof Error ? err.message : jsonOf([err])}`;
  return `${message}${reason}${Object.keys(others).length > 0 ? ` ${jsonOf(others)}` : ''}`;
}

/** A log entry must not fail because of a value that JSON cannot hold. */
function jsonOf(fields: object): string {
  try {
    return JSON.stringify(fields);
  } catch {
    return Object.keys(fields).join(', ');
  }
}
