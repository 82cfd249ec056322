/** Modules that an application loads while it runs: a server serves what they provide from the moment that they are loaded. */
import type { LazyModuleLoader, ModuleRef } from '@nestjs/core';
import type { Constructor, Server } from '@sigil-mcp/core';
import type { FeatureHost, NestModule } from './feature-hosts';

/**
 * Calls back each time that an application has loaded a module, and lets the caller of `load` wait for it; one after the other. Nest tells
 * nobody of such a module, so its loader, which is one object for the whole application, is the only place that knows.
 */
export function afterEachLoad(loader: LazyModuleLoader, serve: (loaded: ModuleRef) => Promise<void>): void {
  const load: LazyModuleLoader['load'] = loader.load.bind(loader);
  let serving = Promise.resolve();
  loader.load = async (...given) => {
    const loaded = await load(...given);
    const served = serving.then(() => serve(loaded));
    serving = served.catch(() => undefined);
    await served;
    return loaded;
  };
}

/** A module and everything that it imports: Nest has built it whole, while others may still be in the making. */
export function withImports(module: NestModule): ReadonlySet<NestModule> {
  const all = new Set([module]);
  // A set goes on with what is added while it is read.
  for (const { imports } of all) for (const each of imports) all.add(each);
  return all;
}

/**
 * Adds the entries of providers to a server that does not serve their classes yet. Of a class that cannot be added, none are, and it is
 * tried again when its module is loaded again.
 * @throws DefinitionError with what is wrong with them, such as a name that another class has
 */
export async function serveMore(
  server: Server,
  hosts: Map<Constructor, FeatureHost>,
  found: Iterable<FeatureHost>,
): Promise<void> {
  for (const host of found) {
    const { feature } = host;
    if (hosts.has(feature)) continue;
    // The entries are compiled with the instance that is found here.
    hosts.set(feature, host);
    try {
      await server.registry.add(feature);
    } catch (error) {
      hosts.delete(feature);
      throw error;
    }
  }
}
