/** The container of an application as a server sees it: what Nest does not know is built by Sigil, with dependencies of Nest. */
import type { ApplicationConfig, ModuleRef, ModulesContainer } from '@nestjs/core';
import {
  McpContext,
  SingletonContainer,
  type CallScope,
  type Constructor,
  type Container,
  type Provider,
  type Token,
} from '@sigil-mcp/core';
import type { ReportProblem } from '@sigil-mcp/base';
import type { CallContexts } from './call-contexts';
import type { FeatureHost } from './feature-hosts';
import { constructorTypes } from './nest-metadata';

/** What the container works with. */
export interface ContainerParts {
  readonly modules: ModulesContainer;
  readonly moduleRef: ModuleRef;
  readonly config: ApplicationConfig;
  readonly hosts: ReadonlyMap<Constructor, FeatureHost>;
  /** Stands for what is no method of a provider. */
  readonly functions: FeatureHost;
  readonly contexts: CallContexts;
}

/** Finds the instances of Nest. Nest builds, starts and stops them. */
export class NestContainer implements Container {
  /** Guards, interceptors and providers of Sigil that are no providers of Nest. */
  readonly #own = new SingletonContainer();
  #ownTokens = new Set<Token>();

  constructor(private readonly parts: ContainerParts) {}

  prepare(providers: readonly Provider[], roots: readonly Token[], report: ReportProblem): void {
    const own = roots.filter((root) => !this.#isOfNest(root));
    this.#own.prepare([...this.#bridges(own, providers), ...providers], own, report);
    this.#ownTokens = new Set(this.#own.tokens());
  }

  async build(): Promise<void> {
    const { hosts, functions, config } = this.parts;
    for (const host of [...hosts.values(), functions]) host.addGlobalEnhancers(config);
    await this.#own.build();
  }

  get(token: Token): unknown {
    return this.#ownTokens.has(token) ? this.#own.get(token) : this.parts.moduleRef.get(token, { strict: false });
  }

  openScope(given: ReadonlyMap<Token, unknown>): CallScope {
    const scope = this.#own.openScope(given);
    // The only value that is given is the context of the call.
    const context = given.get(McpContext) as McpContext;
    return {
      get: async (token) => {
        if (given.has(token) || this.#ownTokens.has(token)) return scope.get(token);
        const { moduleRef, contexts } = this.parts;
        return moduleRef.resolve<unknown>(token, contexts.of(context).id, { strict: false });
      },
      close: () => scope.close(),
    };
  }

  start(): Promise<void> {
    return this.#own.start();
  }

  stop(): Promise<void> {
    return this.#own.stop();
  }

  #isOfNest(token: Token): boolean {
    return [...this.parts.modules.values()].some(
      ({ providers, controllers }) => providers.has(token) || controllers.has(token),
    );
  }

  /** Providers that hand on the instances of Nest which Sigil's own classes and factories inject. */
  #bridges(roots: readonly Token[], providers: readonly Provider[]): Provider[] {
    const wanted = new Set<Token>();
    const look = (token: Token): void => {
      if (wanted.has(token)) return;
      wanted.add(token);
      if (!this.#isOfNest(token)) dependenciesOf(token).forEach(look);
    };
    roots.forEach(look);
    for (const provider of providers) injectedBy(provider).forEach(look);
    const { moduleRef } = this.parts;
    return [...wanted]
      .filter((token) => this.#isOfNest(token))
      .map((provide) => ({ provide, useFactory: (): unknown => moduleRef.get(provide, { strict: false }) }));
  }
}

function injectedBy(provider: Provider): readonly Token[] {
  if (typeof provider === 'function') return dependenciesOf(provider);
  if ('useClass' in provider) return dependenciesOf(provider.useClass);
  return 'useFactory' in provider ? (provider.inject ?? []) : [];
}

function dependenciesOf(token: Token): readonly Token[] {
  if (typeof token !== 'function') return [];
  return constructorTypes(token);
}
