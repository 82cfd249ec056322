/** The servers of one application, and which of them serves which provider. */
import type { ModulesContainer } from '@nestjs/core';
import type { Constructor } from '@sigil-mcp/core';
import { nestError } from './errors';
import { findFeatureHosts, type FeatureHost, type NestModule } from './feature-hosts';

/** The classes whose modules tell where features belong: that which applications import, that behind it, and that of `forFeature`. */
export interface ModuleKinds {
  readonly imported: unknown;
  readonly server: unknown;
  readonly features: unknown;
  /** The token of a value that a server has in common with the module that applications import for it. */
  readonly key: symbol;
}

/** What one server of an application serves, and where. */
export interface ServedParts {
  readonly name: string;
  /** Providers of modules that import it. */
  readonly found: ReadonlyMap<Constructor, FeatureHost>;
  /** Classes in its option `features`. */
  readonly named: ReadonlySet<Constructor>;
  /** The path of its endpoint, and `stdin`; clients reach one server alone at a place. */
  readonly places: readonly string[];
}

/** The modules of the servers of an application. */
export function serverModules(modules: ModulesContainer, { server }: ModuleKinds): readonly NestModule[] {
  return [...modules.values()].filter(({ metatype }) => metatype === server);
}

/**
 * The modules whose providers a server serves: all of an application with one server, otherwise those that import the server, and those of
 * `forFeature` that they import.
 */
export function modulesServedBy(own: NestModule, modules: ModulesContainer, kinds: ModuleKinds): readonly NestModule[] {
  const all = [...modules.values()];
  if (serverModules(modules, kinds).length === 1) return all;
  const keyOf = ({ providers }: NestModule): unknown => providers.get(kinds.key)?.instance;
  const doors = all.filter((each) => each.metatype === kinds.imported && keyOf(each) === keyOf(own));
  const importing = all.filter(({ imports }) => doors.some((door) => imports.has(door)));
  const features = all.filter(
    (each) => each.metatype === kinds.features && importing.some(({ imports }) => imports.has(each)),
  );
  return [...new Set([...importing, ...features])];
}

/**
 * Checks that every provider with entries is served by one server, and that no two servers are at one place. Does nothing for an application
 * with one server.
 * @throws SigilError with what to write instead
 */
export function checkServers(modules: ModulesContainer, servers: readonly ServedParts[], kinds: ModuleKinds): void {
  if (servers.length < 2) return;
  for (const module of modules.values()) {
    for (const feature of findFeatureHosts([module]).keys()) {
      const finding = servers.filter(({ found }) => found.get(feature)?.module === module);
      const serving = servers.filter((each) => finding.includes(each) || each.named.has(feature));
      const values = { feature: feature.name, module: nameOfModule(module, modules, kinds) };
      if (serving.length === 0) throw nestError('SIGIL_NEST_SERVED_NOWHERE', { ...values, servers: namesOf(servers) });
      // Servers that all name a class have been told to.
      if (serving.length > 1 && finding.length > 0)
        throw nestError('SIGIL_NEST_SERVED_TWICE', { ...values, servers: namesOf(serving) });
    }
  }
  for (const place of new Set(servers.flatMap(({ places }) => places))) {
    const there = servers.filter(({ places }) => places.includes(place));
    if (there.length > 1) throw nestError('SIGIL_NEST_PATH_TAKEN', { servers: namesOf(there), place });
  }
}

/** Of features that `forFeature` has provided, the module that imports them: users know no other. */
function nameOfModule(module: NestModule, modules: ModulesContainer, kinds: ModuleKinds): string {
  if (module.metatype !== kinds.features) return module.name;
  return [...modules.values()].find(({ imports }) => imports.has(module))?.name ?? module.name;
}

function namesOf(servers: readonly ServedParts[]): string {
  return servers.map(({ name }) => JSON.stringify(name)).join(' and ');
}
