/** What can be injected, and how it is made. */
import type { Class } from '../values/class';

/** A name for something that has no class: a symbol, or a string. */
export type NamedToken = symbol | string;

/** What a constructor asks for. */
export type Token<T = unknown> = Class<T & object> | NamedToken;

/** A class that the container can build. */
export type Constructor<T = object> = new (...args: never[]) => T;

/** An object that is there already. */
export interface ValueProvider {
  readonly provide: Token;
  readonly useValue: unknown;
}

/** Another class in the place of the token. */
export interface ClassProvider {
  readonly provide: Token;
  readonly useClass: Constructor;
}

/** A function that makes the object, perhaps later; it is given what `inject` names. */
export interface FactoryProvider {
  readonly provide: Token;
  readonly useFactory: (...dependencies: never[]) => unknown;
  readonly inject?: readonly Token[];
}

/**
 * One entry of `createServer({ providers })`: a class by itself, or a token and what stands for it.
 * @example { provide: 'CONFIG', useValue: { city: 'Oslo' } }
 * @example { provide: Database, useFactory: (config: Config) => connect(config.url), inject: [Config] }
 */
export type Provider = Constructor | ValueProvider | ClassProvider | FactoryProvider;

/** Called on an instance, if it has it, after everything was built and before the first message is read. */
export interface OnStart {
  onStart(): void | Promise<void>;
}

/** Called on an instance, if it has it, when the server closes, dependents before what they depend on. */
export interface OnStop {
  onStop(): void | Promise<void>;
}

/** A token as a person knows it. */
export function nameOfToken(token: unknown): string {
  if (typeof token === 'function') return token.name || '(an unnamed class)';
  return typeof token === 'symbol' ? String(token) : (JSON.stringify(token) ?? String(token));
}
