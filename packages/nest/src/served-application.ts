/** The server in the life of an application: it listens when the application has started, and is drained before it shuts down. */
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { unawaited } from '@sigil-mcp/base';
import type { LazyModuleLoader, ModuleRef, ModulesContainer } from '@nestjs/core';
import type { Constructor, Server } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { nestError } from './errors';
import { findFeatureHosts, moduleOfRef, type FeatureHost, type NestModule } from './feature-hosts';
import type { HttpMount } from './http-mount';
import type { SigilModuleOptions } from './module-options';
import { unusedOptions } from './unused-pipe-options';
import { atEachLoad, serveMore, withImports, type LateFeatures } from './lazy-modules';
import { checkServers, serverModules, serversLast, type ModuleKinds, type ServedParts } from './servers-of-application';

/** All servers of one application. */
export interface ServersOfApplication {
  readonly modules: ModulesContainer;
  readonly served: readonly ServedApplication[];
  readonly kinds: ModuleKinds;
}

/** What one of them works with. */
export interface ApplicationParts {
  readonly mount: HttpMount;
  /** The module of the server. */
  readonly module: NestModule;
  readonly loader: LazyModuleLoader;
  /** The providers that it serves: modules that are loaded late add theirs. */
  readonly hosts: Map<Constructor, FeatureHost>;
  /** The modules, by now, whose providers it serves, by whether it is alone. */
  readonly modules: (isAlone: boolean) => readonly NestModule[];
  /** The global pipes of the application. */
  readonly pipes: () => readonly unknown[];
  /** Call it once Nest has built all providers. */
  readonly all: () => ServersOfApplication;
}

/** Listens and closes with the application. */
export class ServedApplication implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly mount: HttpMount;
  /** The servers that there were when the application was initialised: Nest calls no hook of those that are loaded late. */
  #initialised: readonly ServedApplication[] | undefined;
  /** Modules that were loaded late and are not served: they are in the making, or were refused. */
  readonly #unserved = new Set<NestModule>();
  #isClosed = false;

  constructor(
    private readonly server: Server,
    private readonly options: SigilModuleOptions,
    private readonly application: ApplicationParts,
  ) {
    this.mount = application.mount;
    if (options.http !== false) this.mount.placeEarly();
    atEachLoad(application.loader, { arrange: this.#arrange, serve: this.#serveLoaded });
  }

  async onModuleInit(): Promise<void> {
    // By now every application has its platform.
    if (this.options.http !== false) this.mount.place();
    const { modules, served } = this.application.all();
    this.#initialised = served;
    // Modules may have been loaded while the servers were built.
    await this.#serve(new Set([...modules.values()].filter((each) => !this.#unserved.has(each))));
    if (this.#isOnHttp) await this.mount.build();
  }

  readonly #arrange = (module: NestModule): void => {
    const { modules, kinds } = this.application.all();
    const servers = this.#initialised?.map(({ application }) => application.module);
    this.#unserved.add(module);
    serversLast(module, servers ?? serverModules(modules, kinds), kinds);
  };

  readonly #serveLoaded = async (loaded: ModuleRef): Promise<void> => {
    if (this.#isClosed) return;
    const modules = withImports(moduleOfRef(this.application.all().modules, loaded));
    await this.#serve(modules);
    for (const each of modules) this.#unserved.delete(each);
  };

  /**
   * Serves what modules provide that is not served yet, by each server of the application; the first one does so for all.
   * @throws DefinitionError if an entry cannot be added, SigilError if the modules have no server, or one of their own
   */
  async #serve(modules: ReadonlySet<NestModule>): Promise<void> {
    const servers = this.#initialised ?? this.application.all().served;
    if (servers[0] !== this) return;
    if (this.#initialised) this.#check(modules, servers);
    await serveMore(servers.map((each) => each.#featuresIn(modules, servers.length === 1)));
  }

  #featuresIn(modules: ReadonlySet<NestModule>, isAlone: boolean): LateFeatures {
    const { server, application } = this;
    const own = application.modules(isAlone).filter((each) => modules.has(each));
    return { server, hosts: application.hosts, found: findFeatureHosts(own).values() };
  }

  /** Checks what no server knows alone. */
  #check(checked: ReadonlySet<NestModule>, servers: readonly ServedApplication[]): void {
    const { modules, kinds } = this.application.all();
    const known = servers.map(({ application }) => application.module);
    const late = [...checked].find((each) => each.metatype === kinds.server && !known.includes(each));
    if (late) {
      const { options } = late.providers.get(ServedApplication)?.instance as ServedApplication;
      throw nestError('SIGIL_NEST_LAZY_SERVER', { server: JSON.stringify(options.name) });
    }
    const parts = servers.map((each) => each.#parts(servers.length === 1));
    checkServers({ checked, modules, servers: parts, kinds });
  }

  #parts(isAlone: boolean): ServedParts {
    const { name, features = [], stdio = false } = this.options;
    const named = new Set(features.filter((feature) => typeof feature === 'function'));
    const places = [
      ...(this.#isOnHttp ? [`path ${this.mount.path.replace(/(?<=[^/])\/+$/, '')}`] : []),
      ...(stdio === false || (stdio !== true && stdio.input) ? [] : ['stdin and stdout']),
    ];
    return { name, modules: this.application.modules(isAlone), named, places };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { stdio = false } = this.options;
    // By now the application has its global pipes; they are the same for all of its servers.
    const [first] = this.application.all().served;
    if (first === this) for (const sentence of unusedOptions(this.application.pipes())) log.warn(sentence);
    if (this.#isOnHttp) await this.mount.open(this.server);
    if (stdio !== false) await this.#listenOnStdio(stdio === true ? {} : stdio);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isClosed = true;
    await this.server.close();
    await this.mount.close();
  }

  get #isOnHttp(): boolean {
    return this.options.http !== false && this.mount.hasPlatform;
  }

  async #listenOnStdio(options: Exclude<SigilModuleOptions['stdio'], boolean | undefined>): Promise<void> {
    const input = options.input ?? process.stdin;
    // The process belongs to the application, whose providers want to be closed, too.
    await this.server.listen(new StdioTransport({ ...options, exit: false }));
    if (options.input === undefined) input.once('end', () => unawaited(this.#leave()));
  }

  /** The client is gone: the application ends as if it was asked to, and without hooks for that the process does. */
  async #leave(): Promise<void> {
    const failed = await this.server.close().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (failed) log.error('The server did not close cleanly', failed.error);
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(0);
  }
}

const log = new Logger('MCP');
