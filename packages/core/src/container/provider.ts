/** What can be injected, and how it is made. */
import type { Class } from '../values/class';

/** A name for something that has no class: a symbol, or a string. */
export type NamedToken = symbol | string;

/** What a constructor asks for, and a provider provides: a class, or a name. */
export type Token<T = unknown> = Class<T & object> | NamedToken;

/** A class that the container can build. */
export type Constructor<T = object> = new (...args: never[]) => T;

/** Provides a value that is there already. */
export interface ValueProvider {
  readonly provide: Token;
  readonly useValue: unknown;
}

/** Provides an instance of a class under another token. */
export interface ClassProvider {
  readonly provide: Token;
  readonly useClass: Constructor;
  /** `'request'`: one for each call that asks for it; as the class says if left out. */
  readonly scope?: 'request';
}

/** Provides what a function makes. */
export interface FactoryProvider {
  readonly provide: Token;
  /** Makes the value, or a promise of it, of what `inject` names. */
  readonly useFactory: (...dependencies: never[]) => unknown;
  /** Tokens of the function's parameters, in their order; none if left out. */
  readonly inject?: readonly Token[];
  /** `'request'`: one for each call that asks for it; one for the whole server if left out. */
  readonly scope?: 'request';
}

/**
 * One entry of `createServer({ providers })`: a class by itself, or a token and what stands for it.
 * @example { provide: 'CONFIG', useValue: { city: 'Oslo' } }
 * @example { provide: Database, useFactory: (config: Config) => connect(config.url), inject: [Config] }
 */
export type Provider = Constructor | ValueProvider | ClassProvider | FactoryProvider;

/**
 * A hook that is called on an instance, if it has it, after everything was built and before the first message is read. What it
 * throws keeps the server from starting. On what is made for a call it is called before anybody gets it, and what it throws is
 * thrown to whoever asked.
 * @example class Database implements OnStart { async onStart() { await this.connect(); } }
 */
export interface OnStart {
  onStart(): void | Promise<void>;
}

/**
 * A hook that is called on an instance, if it has it, when the server closes, dependents before what they depend on. What it
 * throws keeps no other hook from running; `server.close` rejects with an AggregateError of all that was thrown. On what was made
 * for a call it is called when the call is over, and what it throws is logged.
 * @example class Database implements OnStop { async onStop() { await this.disconnect(); } }
 */
export interface OnStop {
  onStop(): void | Promise<void>;
}

/** The token that a provider provides; undefined for what is none, because JavaScript may put anything among the providers. */
export function tokenOf(provider: unknown): Token | undefined {
  if (typeof provider === 'function') return provider as Constructor;
  if (typeof provider !== 'object' || provider === null || !('provide' in provider)) return undefined;
  return isToken(provider.provide) ? provider.provide : undefined;
}

/** Whether something can name what is injected: a symbol, a string, or a class that is none of the language's own. */
export function isToken(token: unknown): token is Token {
  if (typeof token === 'function')
    return ![Object, String, Number, Boolean, Array, Function, Promise].includes(token as never);
  return typeof token === 'symbol' || typeof token === 'string';
}

/** A token as a person knows it. */
export function nameOfToken(token: unknown): string {
  if (typeof token === 'function') return token.name || '(an unnamed class)';
  return typeof token === 'symbol' ? String(token) : (JSON.stringify(token) ?? String(token));
}
