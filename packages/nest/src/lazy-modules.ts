/** Modules that an application loads while it runs: a server serves what they provide from the moment that they are loaded. */
import type { LazyModuleLoader, ModuleRef } from '@nestjs/core';
import type { Constructor, Server } from '@sigil-mcp/core';
import type { FeatureHost, NestModule } from './feature-hosts';

/** What is done with the modules that a loader loads. */
export interface LateModules {
  /** Called with a module whose imports are known, before anything of it is built. */
  readonly arrange: (module: NestModule) => void;
  /** Called when it is built. `load` rejects with what this rejects with. */
  readonly serve: (loaded: ModuleRef) => Promise<void>;
}

/** The part of the loader that builds modules. Nest declares it as private, and offers no other way between scanning and building. */
interface ModuleBuilder {
  createInstancesOfDependencies(modules: ReadonlyMap<string, NestModule>): Promise<void>;
}

/**
 * Calls back at each module that an application loads, and lets the caller of `load` wait for it; one after the other. Nest tells
 * nobody of such a module, so its loader, which is one object for the whole application, is the only place that knows.
 */
export function atEachLoad(loader: LazyModuleLoader, { arrange, serve }: LateModules): void {
  const load: LazyModuleLoader['load'] = loader.load.bind(loader);
  let serving = Promise.resolve();
  loader.load = async (...given) => {
    const loaded = await load(...given);
    const served = serving.then(() => serve(loaded));
    serving = served.catch(() => undefined);
    await served;
    return loaded;
  };
  const builder = Reflect.get(loader, 'instanceLoader') as ModuleBuilder | undefined;
  // A test may replace the loader.
  if (!builder) return;
  const build: ModuleBuilder['createInstancesOfDependencies'] = builder.createInstancesOfDependencies.bind(builder);
  builder.createInstancesOfDependencies = (modules) => {
    for (const module of modules.values()) arrange(module);
    return build(modules);
  };
}

/** A module and everything that it imports: Nest has built it whole, while others may still be in the making. */
export function withImports(module: NestModule): ReadonlySet<NestModule> {
  const all = new Set([module]);
  // A set goes on with what is added while it is read.
  for (const { imports } of all) for (const each of imports) all.add(each);
  return all;
}

/** A server, the providers that it serves, and those that it is to serve, too. */
export interface LateFeatures {
  readonly server: Server;
  readonly hosts: Map<Constructor, FeatureHost>;
  readonly found: Iterable<FeatureHost>;
}

/**
 * Adds the entries of providers to servers that do not serve their classes yet: all of them or, if one class cannot be added, none.
 * They are tried again when their module is loaded again.
 * @throws DefinitionError with what is wrong with them, such as a name that another class has
 */
export async function serveMore(servers: readonly LateFeatures[]): Promise<void> {
  const added: (() => void)[] = [];
  try {
    for (const { server, hosts, found } of servers) {
      for (const host of found) {
        const { feature } = host;
        if (hosts.has(feature)) continue;
        // The entries are compiled with the instance that is found here.
        hosts.set(feature, host);
        added.push(() => hosts.delete(feature));
        await server.registry.add(feature);
        added.push(() => server.registry.remove(feature));
      }
    }
  } catch (error) {
    for (const undo of added.reverse()) undo();
    throw error;
  }
}
