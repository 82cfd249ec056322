/** The providers of the application whose methods are entries. */
import type { Type } from '@nestjs/common';
import { ModuleRef, type ApplicationConfig, type ContextId, type ModulesContainer } from '@nestjs/core';
import type { Constructor } from '@sigil-mcp/core';
import { loadFeatureMarks } from '@sigil-mcp/core/internal';

/** A module of the application. */
export type NestModule = ModulesContainer extends Map<string, infer M> ? M : never;
/** A provider, or a controller, as Nest holds it. */
export type ProviderHost = NestModule['providers'] extends Map<unknown, infer W> ? W : never;

/** One provider whose class has entries. */
export class FeatureHost {
  constructor(
    readonly feature: Constructor,
    private readonly wrapper: ProviderHost,
    readonly module: NestModule,
  ) {}

  /** The name under which enhancers of Nest know it. */
  get id(): string {
    return this.wrapper.id;
  }

  /** Whether a factory or a value supplies the instance, which may be of another class. */
  get isSupplied(): boolean {
    return this.wrapper.isNotMetatype;
  }

  /** Whether one instance serves all calls. */
  get isStatic(): boolean {
    return this.wrapper.isDependencyTreeStatic() && !this.wrapper.isTransient;
  }

  get isDurable(): boolean {
    return this.wrapper.isDependencyTreeDurable();
  }

  /** The one instance; call it only for a static host, once Nest has built it. */
  get instance(): object {
    return this.wrapper.instance as object;
  }

  /** Whether Nest has built an enhancer for this provider, or for another one of its module. */
  hasEnhancer(type: Type): boolean {
    return this.module.injectables.has(type);
  }

  /** The instance for a call. Rejects with what building it throws. */
  resolve(id: ContextId): Promise<object> {
    const { instance } = this.module.getProviderByKey<ModuleRef>(ModuleRef);
    return instance.resolve<object>(this.wrapper.token, id, { strict: true });
  }

  /**
   * Tells Nest that global guards, interceptors, pipes and filters which it builds for each request are around this provider, too; Nest
   * itself only knows of those around controllers.
   */
  addGlobalEnhancers(config: ApplicationConfig): void {
    const known = new Set(this.wrapper.getEnhancersMetadata());
    const all: ProviderHost[] = [
      ...config.getGlobalRequestGuards(),
      ...config.getGlobalRequestInterceptors(),
      ...config.getGlobalRequestPipes(),
      ...config.getGlobalRequestFilters(),
    ];
    for (const enhancer of all) if (!known.has(enhancer)) this.wrapper.addEnhancerMetadata(enhancer);
  }
}

/** The classes with entries in some modules. Of a class that several of them provide, the first one counts. */
export function findFeatureHosts(modules: Iterable<NestModule>): ReadonlyMap<Constructor, FeatureHost> {
  const hosts = new Map<Constructor, FeatureHost>();
  const { ensureFeature, isFeatureClass } = loadFeatureMarks();
  for (const module of modules) {
    for (const wrapper of [...module.providers.values(), ...module.controllers.values()] as ProviderHost[]) {
      const candidate = classOf(wrapper);
      if (!candidate || hosts.has(candidate) || !isFeatureClass(candidate)) continue;
      ensureFeature(candidate);
      hosts.set(candidate, new FeatureHost(candidate, wrapper, module));
    }
  }
  return hosts;
}

/** The module that a `ModuleRef` is of. */
export function moduleOfRef(modules: ModulesContainer, moduleRef: ModuleRef): NestModule {
  const all = [...modules.values()];
  // Each module has one of its own.
  return all.find(({ providers }) => providers.get(ModuleRef)?.instance === moduleRef) as NestModule;
}

/** The provider of a class in a module that has it. */
export function hostIn(module: NestModule, feature: Constructor): FeatureHost {
  return new FeatureHost(feature, module.providers.get(feature) as ProviderHost, module);
}

/** The class of a provider; of one that a factory or a value replaces, the class that is its token. */
function classOf({ isAlias, isNotMetatype, metatype, token }: ProviderHost): Constructor | undefined {
  if (isAlias) return undefined;
  const found: unknown = isNotMetatype ? token : metatype;
  // Nest has built an instance of it, or was given one.
  return typeof found === 'function' && found.prototype !== undefined ? (found as Constructor) : undefined;
}
