/** Guards of Nest in front of the endpoint: whom they let in, and as whom. */
import {
  UnauthorizedException,
  type BeforeApplicationShutdown,
  type CanActivate,
  type ExecutionContext,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { ContextIdFactory, type ModuleRef } from '@nestjs/core';
import { Caller, Denial } from '@sigil-mcp/core';
import { ANONYMOUS, WITHOUT_TOKEN } from '@sigil-mcp/core/adapter';
import { isObservable, lastValueFrom } from 'rxjs';
import { isHttpFailure, textOf } from './told-error';
import type { SigilModuleOptions } from './module-options';
import { isObject } from '@sigil-mcp/base';

const IDS = ['sub', 'id', 'userId', 'username', 'email'] as const;

/** Names of members that hold credentials. */
const CREDENTIAL = /passw|passphrase|secret|hash|salt|token|api_?key|private_?key|otp/i;

/** What Nest calls the two parts of a request on a route. */
export interface RouteArguments {
  readonly request: object;
  readonly response: object;
}

type Hooks = OnModuleInit &
  OnApplicationBootstrap &
  OnModuleDestroy &
  BeforeApplicationShutdown &
  OnApplicationShutdown;

/** Asks the guards of an application. */
export class EndpointGuards {
  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly options: Pick<SigilModuleOptions, 'endpointGuards' | 'callerOf' | 'withoutUser'>,
    private readonly host: Type,
  ) {}

  /** Builds the guards that no module provides. Rejects if a dependency of one is missing. */
  async build(): Promise<void> {
    for (const guard of this.options.endpointGuards ?? []) {
      if (typeof guard !== 'function' || this.#made.has(guard) || this.#provided(guard)) continue;
      const made = await this.moduleRef.create(guard);
      this.#made.set(guard, made);
      this.#own.push(made);
    }
  }

  /** Nest calls the hooks of providers only. Call it when the providers that such guards inject have been initialised. */
  async start(): Promise<void> {
    for (const guard of this.#own) await guard.onModuleInit?.();
    for (const guard of this.#own) await guard.onApplicationBootstrap?.();
  }

  /** Call it when no more requests come. */
  async stop(): Promise<void> {
    for (const guard of this.#own) await guard.onModuleDestroy?.();
    for (const guard of this.#own) await guard.beforeApplicationShutdown?.();
    for (const guard of this.#own) await guard.onApplicationShutdown?.();
  }

  /** The caller of a request. Rejects with a `Denial` for one that a guard refuses, and with what a guard throws that is no `HttpException`. */
  async admit({ request, response }: RouteArguments): Promise<Caller> {
    const { endpointGuards = [], callerOf = callerOfUser, withoutUser } = this.options;
    const context = new RouteContext([request, response], this.host);
    for (const guard of endpointGuards) {
      if (!(await this.#allows(guard, context))) throw new Denial('Forbidden resource', { status: 403 });
    }
    return callerOf(request) ?? (withoutUser === 'public' ? WITHOUT_TOKEN : ANONYMOUS);
  }

  async #allows(guard: Type<CanActivate> | CanActivate, context: RouteContext): Promise<boolean> {
    try {
      const instance = typeof guard === 'function' ? await this.#instanceOf(guard, context.request) : guard;
      const allowed = await instance.canActivate(context);
      // The last value counts, as on routes.
      return isObservable(allowed) ? await lastValueFrom(allowed) : allowed;
    } catch (error) {
      throw denialOf(error, context.response);
    }
  }

  /** That of the application, or the one that was built here. */
  async #instanceOf(guard: Type<CanActivate>, request: object): Promise<CanActivate> {
    const known = this.#made.get(guard);
    if (known) return known;
    const provided = this.#provided(guard);
    if (provided === 'per request') {
      const id = ContextIdFactory.getByRequest(request);
      this.moduleRef.registerRequestByContextId(request, id);
      return this.moduleRef.resolve(guard, id, { strict: false });
    }
    // `build` has made every guard that no module provides.
    const made = provided as CanActivate;
    this.#made.set(guard, made);
    return made;
  }

  readonly #made = new Map<Type<CanActivate>, CanActivate>();
  /** Those that were built here. */
  readonly #own: (CanActivate & Partial<Hooks>)[] = [];

  #provided(guard: Type<CanActivate>): CanActivate | 'per request' | undefined {
    try {
      if (!this.moduleRef.introspect(guard).scope) return this.moduleRef.get(guard, { strict: false });
      return 'per request';
    } catch {
      return undefined;
    }
  }
}

/** The execution context of a route, whose handler is the endpoint. */
class RouteContext implements ExecutionContext {
  constructor(
    private readonly args: [request: object, response: object],
    private readonly host: Type,
  ) {}

  get request(): object {
    return this.args[0];
  }

  get response(): object {
    return this.args[1];
  }

  getClass<T = unknown>(): Type<T> {
    return this.host as Type<T>;
  }

  getHandler(): () => void {
    return endpoint;
  }

  getArgs<T extends unknown[] = unknown[]>(): T {
    return [...this.args] as unknown[] as T;
  }

  getArgByIndex<T = unknown>(index: number): T {
    return this.args[index] as T;
  }

  getType<T extends string = string>(): T {
    return 'http' as T;
  }

  switchToHttp(): ReturnType<ExecutionContext['switchToHttp']> {
    return {
      getRequest: <T>() => this.args[0] as T,
      getResponse: <T>() => this.args[1] as T,
      getNext: <T>() => endpoint as T,
    };
  }

  switchToRpc(): ReturnType<ExecutionContext['switchToRpc']> {
    return { getData: <T>() => this.args[0] as T, getContext: <T>() => this.args[1] as T };
  }

  switchToWs(): ReturnType<ExecutionContext['switchToWs']> {
    return { getClient: <T>() => this.args[0] as T, getData: <T>() => this.args[1] as T, getPattern: () => '' };
  }
}

/** What guards see as the handler of the route: it has no metadata. */
function endpoint(): void {}

/** An exception of a guard as HTTP answers it; any error that is no `HttpException` stays as it is, and is masked. */
function denialOf(error: unknown, response: object): unknown {
  if (!isHttpFailure(error)) return error;
  const status = error.getStatus();
  if (status < 400 || status > 599) return error;
  const message =
    status < 500 ? (textOf(error.getResponse()) ?? error.message) : 'The request could not be authenticated.';
  return new Denial(message, {
    status,
    ...(status === UNAUTHORIZED && { challenge: challengeOn(response) ?? 'Bearer' }),
  });
}

const UNAUTHORIZED = new UnauthorizedException().getStatus();

/** The challenge that a guard has put on the response of the platform. */
function challengeOn(response: object): string | undefined {
  const read: unknown = Reflect.get(response, 'getHeader');
  const value: unknown = typeof read === 'function' ? Reflect.apply(read, response, ['www-authenticate']) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** @returns undefined for a request without a user; a user that has no id is known by none, so it counts as no user */
export function callerOfUser(request: object): Caller | undefined {
  const user: unknown = Reflect.get(request, 'user');
  if (user instanceof Caller) return user;
  if (!isObject(user)) return undefined;
  const id = IDS.map((name) => user[name]).find(isId);
  if (id === undefined) return undefined;
  return new Caller({
    id: String(id),
    scopes: wordsOf(user['scopes'] ?? user['scope']),
    roles: wordsOf(user['roles'] ?? user['role']),
    claims: claimsOf(user),
    ...(typeof user['iss'] === 'string' && { issuer: user['iss'] }),
    ...(typeof user['exp'] === 'number' && { expiresAt: user['exp'] * 1000 }),
  });
}

/** A database may count in `bigint`. An empty text names nobody. */
function isId(value: unknown): value is string | bigint | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'bigint' || Number.isFinite(value);
}

/** A list, or words in one text as tokens have their scopes. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(' ').filter((word) => word !== '');
  return Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : [];
}

/**
 * The members that JSON can hold: an entity may have methods. Claims are stored with tasks and are seen by every guard, so what an entity
 * knows to check its user stays out of them.
 */
function claimsOf(user: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = Object.entries(user).filter(
    ([name, value]) => ['string', 'number', 'boolean'].includes(typeof value) && !CREDENTIAL.test(name),
  );
  return Object.fromEntries(plain);
}
