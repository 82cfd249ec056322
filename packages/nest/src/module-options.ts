/** The options of `SigilModule`. */
import type { CanActivate, InjectionToken, ModuleMetadata, OptionalFactoryDependency, Type } from '@nestjs/common';
import type { Caller, ServerOptions } from '@sigil-mcp/core';
import type { StdioOptions } from '@sigil-mcp/core/stdio';
import type { NodeHandlerOptions } from '@sigil-mcp/http/node';

/** How the endpoint behaves in the HTTP server of the application. Health probes are off if left out. */
export type NestHttpOptions = Omit<NodeHandlerOptions, 'path' | 'address' | 'identify'>;

/** The options of the server, which is served by the application. Providers, and what builds them, are those of Nest. */
export interface SigilModuleOptions extends Omit<ServerOptions, 'container' | 'runner' | 'providers'> {
  /** The path of the endpoint in the HTTP server of the application, behind the global prefix; `/mcp` if left out. */
  readonly path?: string;
  /** Whether the global prefix of the application stands before the path, unless its `exclude` names the path; true if left out. */
  readonly globalPrefix?: boolean;
  /** The other options of the endpoint, such as `auth`, with their defaults if left out; `false` if the application does not serve it over HTTP. */
  readonly http?: NestHttpOptions | false;
  /**
   * Guards of Nest in front of the endpoint, as on a route: their context is that of the HTTP request, and what they refuse gets 401, 403 or
   * the status of their exception. `user` of the request becomes the caller. None if left out; they cannot be combined with `http.auth`.
   * @example endpointGuards: [JwtAuthGuard]
   */
  readonly endpointGuards?: readonly (Type<CanActivate> | CanActivate)[];
  /**
   * The caller of a request that `endpointGuards` let in; undefined for one without a user. If left out, `user` of the request: its `sub`, `id`,
   * `userId`, `username` or `email` is the id, `scopes` or `scope` and `roles` or `role` are its rights.
   */
  readonly callerOf?: (request: object) => Caller | undefined;
  /** What callers without a user may use whom `endpointGuards` let in: everything that needs no right (if left out), or only entries with `@Public`. */
  readonly withoutUser?: 'everything' | 'public';
  /** Whether the application serves one client over stdin and stdout; false if left out. */
  readonly stdio?: boolean | Omit<StdioOptions, 'exit'>;
}

/** Makes the options of `SigilModule`, for `useClass` and `useExisting`. */
export interface SigilOptionsFactory {
  createSigilOptions(): SigilModuleOptions | Promise<SigilModuleOptions>;
}

/** Options of `SigilModule` that are made by a provider: `useFactory`, `useClass` or `useExisting`. */
export interface SigilModuleAsyncOptions {
  /** Modules whose providers make the options; none if left out. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** What `useFactory` is called with; none if left out. */
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  /** Makes the options; `useClass` or `useExisting` does so if left out. */
  readonly useFactory?: (...dependencies: never[]) => SigilModuleOptions | Promise<SigilModuleOptions>;
  /** A class that Nest builds here, which makes the options; `useExisting` does so if left out. */
  readonly useClass?: Type<SigilOptionsFactory>;
  /** A provider of `imports` that makes the options; `useFactory` or `useClass` does so if left out. */
  readonly useExisting?: InjectionToken;
}

/** The providers and modules that features of `forFeature` need. */
export interface FeatureSurroundings {
  /** Modules whose exports the features inject; none if left out. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** Providers of their own; none if left out. */
  readonly providers?: NonNullable<ModuleMetadata['providers']>;
}
