/** The server in the life of an application: it listens when the application has started, and is drained before it shuts down. */
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { unawaited } from '@sigil-mcp/base';
import type { ModulesContainer } from '@nestjs/core';
import type { Constructor, Server } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { nestError } from './errors';
import type { FeatureHost, NestModule } from './feature-hosts';
import type { HttpMount } from './http-mount';
import type { SigilModuleOptions } from './module-options';
import { unusedOptions } from './unused-pipe-options';
import { serveMore } from './lazy-modules';
import { checkServers, type ModuleKinds, type ServedParts } from './servers-of-application';

/** All servers of one application. */
export interface ServersOfApplication {
  readonly modules: ModulesContainer;
  readonly served: readonly ServedApplication[];
  readonly kinds: ModuleKinds;
}

/** What one of them works with. */
export interface ApplicationParts {
  readonly mount: HttpMount;
  /** The providers, by now, of the modules whose providers it serves. */
  readonly found: () => ReadonlyMap<Constructor, FeatureHost>;
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
  #isClosed = false;

  constructor(
    private readonly server: Server,
    private readonly options: SigilModuleOptions,
    private readonly application: ApplicationParts,
  ) {
    this.mount = application.mount;
    if (options.http !== false) this.mount.placeEarly();
  }

  async onModuleInit(): Promise<void> {
    // By now every application has its platform.
    if (this.options.http !== false) this.mount.place();
    this.#initialised = this.application.all().served;
    this.#checkServers();
    if (this.#isOnHttp) await this.mount.build();
  }

  /**
   * Serves what modules that were loaded late provide, too.
   * @param hosts what is served already, and will be
   * @throws DefinitionError if an entry cannot be added, SigilError if the modules have no server, or one of their own
   */
  async serveMore(hosts: Map<Constructor, FeatureHost>, modules: ReadonlySet<NestModule>): Promise<void> {
    if (this.#isClosed) return;
    if (this.#initialised) this.#checkServers();
    const found = [...this.application.found().values()].filter(({ module }) => modules.has(module));
    await serveMore(this.server, hosts, found);
  }

  /** Checks what no server knows alone; the first one does so for all. */
  #checkServers(): void {
    const { modules, served, kinds } = this.application.all();
    if (served[0] !== this) return;
    const late = served.find((each) => this.#initialised?.includes(each) === false);
    if (late) throw nestError('SIGIL_NEST_LAZY_SERVER', { server: JSON.stringify(late.options.name) });
    checkServers(
      modules,
      served.map((each) => each.#parts()),
      kinds,
    );
  }

  #parts(): ServedParts {
    const { name, features = [], stdio = false } = this.options;
    const named = new Set(features.filter((feature) => typeof feature === 'function'));
    const places = [
      ...(this.#isOnHttp ? [`path ${this.mount.path.replace(/(?<=[^/])\/+$/, '')}`] : []),
      ...(stdio === false || (stdio !== true && stdio.input) ? [] : ['stdin and stdout']),
    ];
    return { name, found: this.application.found(), named, places };
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
