/** The servers of one application, and which of them serves which provider. */
import type { ModulesContainer } from '@nestjs/core';
import { Server, type Constructor } from '@sigil-mcp/core';
import { nestError } from './errors';
import { findFeatureHosts, type NestModule } from './feature-hosts';
import { isBuiltWith } from './nest-metadata';

/** The classes whose modules tell where features belong: that which applications import, that behind it, and that of `forFeature`. */
export interface ModuleKinds {
  readonly imported: unknown;
  readonly server: unknown;
  readonly features: unknown;
  /** The token of the `BuiltServers` that a server has in common with the module that applications import for it. */
  readonly key: symbol;
}

/** What one server of an application serves, and where. */
export interface ServedParts {
  readonly name: string;
  /** The modules whose providers it serves. */
  readonly modules: readonly NestModule[];
  /** Classes in its option `features`. */
  readonly named: ReadonlySet<Constructor>;
  /** The path of its endpoint, and `stdin`; clients reach one server alone at a place. */
  readonly places: readonly string[];
}

/**
 * Puts servers behind the own imports of a module, as they are behind them in one that is there at the start: what it injects is then of the
 * server that it imports. Nest binds global modules to one that is loaded late before its imports.
 * @param known the servers of the application; another one, which is loaded late itself, is taken away from what does not import it
 */
export function serversLast(module: NestModule, known: readonly NestModule[], kinds: ModuleKinds): void {
  const { imports, metatype } = module;
  const bound = [...imports].filter((each) => each.metatype === kinds.server);
  const own = metatype === kinds.imported ? bound.filter((each) => keyOf(each, kinds) === keyOf(module, kinds)) : [];
  for (const each of bound) imports.delete(each);
  for (const each of [...own, ...known]) if (each !== module) imports.add(each);
}

/** Undefined for modules without a server, such as `SigilModule` without its `forRoot`. */
function keyOf({ providers }: NestModule, { key }: ModuleKinds): BuiltServers | undefined {
  return providers.get(key)?.instance as BuiltServers | undefined;
}

/** The modules of the servers of an application. */
export function serverModules(modules: ModulesContainer, { server }: ModuleKinds): readonly NestModule[] {
  return [...modules.values()].filter(({ metatype }) => metatype === server);
}

/** What each application has built of one server: its module, and the one that applications import for it, have this in common. */
export class BuiltServers {
  readonly #known = new WeakMap<ModulesContainer, { readonly built: Promise<Server>; tell(server: Server): void }>();

  /** Resolves when an application has built the server. */
  in(modules: ModulesContainer): Promise<Server> {
    return this.#of(modules).built;
  }

  tell(modules: ModulesContainer, server: Server): Server {
    this.#of(modules).tell(server);
    return server;
  }

  #of(modules: ModulesContainer): { readonly built: Promise<Server>; tell(server: Server): void } {
    let tell: (server: Server) => void = () => undefined;
    const known = this.#known.get(modules) ?? { built: new Promise<Server>((resolve) => (tell = resolve)), tell };
    this.#known.set(modules, known);
    return known;
  }
}

/**
 * The server of a module of `forFeature`: that which it imports, or a module that imports it; without either, the first one. Undefined in an
 * application without a server, such as a worker, or a test of the features alone.
 * @throws SigilError if a provider of the module requires a server, and the application has none
 */
export function serverOfFeatures(
  own: NestModule,
  modules: ModulesContainer,
  kinds: ModuleKinds,
): Promise<Server> | undefined {
  const importing = [...modules.values()].filter(({ imports }) => imports.has(own));
  const doors = [own, ...importing].flatMap(({ imports }) =>
    [...imports].filter((each) => each.metatype === kinds.imported),
  );
  const [first] = [...doors, ...serverModules(modules, kinds)].flatMap((each) => keyOf(each, kinds) ?? []);
  if (first) return first.in(modules);
  const needing = [...own.providers.values(), ...own.injectables.values()].find((each) => isBuiltWith(each, Server));
  if (needing) throw nestError('SIGIL_NEST_NO_SERVER', { provider: String(needing.name) });
  // So that Nest answers `get(Server)` as it does for every provider that does not exist.
  own.providers.delete(Server);
  return undefined;
}

/**
 * The modules whose providers a server serves: all of an application with one server, otherwise those that import the server, and those of
 * `forFeature` that they import.
 * @param isAlone whether the application has no other server; asked of its modules if left out
 */
export function modulesServedBy(
  own: NestModule,
  modules: ModulesContainer,
  kinds: ModuleKinds,
  isAlone = serverModules(modules, kinds).length === 1,
): readonly NestModule[] {
  const all = [...modules.values()];
  if (isAlone) return all;
  const doors = all.filter((each) => each.metatype === kinds.imported && keyOf(each, kinds) === keyOf(own, kinds));
  const importing = all.filter(({ imports }) => doors.some((door) => imports.has(door)));
  const features = all.filter(
    (each) => each.metatype === kinds.features && importing.some(({ imports }) => imports.has(each)),
  );
  return [...new Set([...importing, ...features])];
}

/** Modules to check, those of the whole application, and its servers. */
export interface CheckedModules {
  readonly checked: Iterable<NestModule>;
  readonly modules: ModulesContainer;
  readonly servers: readonly ServedParts[];
  readonly kinds: ModuleKinds;
}

/**
 * Checks that every provider with entries in some modules is served by one server, and that no two servers are at one place. Does nothing
 * for an application with one server.
 * @throws SigilError with what to write instead
 */
export function checkServers({ checked, modules, servers, kinds }: CheckedModules): void {
  if (servers.length < 2) return;
  for (const module of checked) {
    const finding = servers.filter((each) => each.modules.includes(module));
    for (const feature of findFeatureHosts([module]).keys()) {
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
