/** Injectable values, and how they are made. */
import { type Class, DefinitionError, type DefinitionProblem } from '@sigil-mcp/base';
import { problem } from '../errors/catalogue';
import { factKind } from '@sigil-mcp/base/facts';

/** Token of one constructor parameter. */
export interface InjectFact {
  /** The class that has the constructor; a subclass may have another one. */
  readonly owner: Class;
  /** Position of the parameter, from 0. */
  readonly index: number;
  readonly token: Token;
}

/** What `@Inject` writes, on the member `constructor`. */
export const INJECT = factKind<InjectFact>('inject');

/** How long an instance lives. */
interface ScopeFact {
  /** `'request'`: as long as one call; undefined: as long as the server. */
  readonly scope: 'request' | undefined;
}

/** What `@Injectable` writes. */
export const SCOPE = factKind<ScopeFact>('scope');

/** A name for something that has no class: a symbol, or a string. */
export type NamedToken = symbol | string;

/** The key under which a provider provides a value and a constructor asks for it: a class, or a name. */
export type Token<T = unknown> = Class<T & object> | NamedToken;

/** A class that the container can build. */
export type Constructor<T = object> = new (...args: never[]) => T;

/** Provides an existing value. */
export interface ValueProvider {
  readonly provide: Token;
  readonly useValue: unknown;
}

/** Provides an instance of a class under another token. */
export interface ClassProvider {
  readonly provide: Token;
  readonly useClass: Constructor;
  /** `'request'`: one for each call that asks for it; the scope of the class if left out. */
  readonly scope?: 'request';
}

/** Provides the return value of a function. */
export interface FactoryProvider {
  readonly provide: Token;
  /** Makes the value, or a promise of it, from the values of `inject`. */
  readonly useFactory: (...dependencies: never[]) => unknown;
  /** Tokens of the function's parameters, in their order; none if left out. */
  readonly inject?: readonly Token[];
  /** `'request'`: one for each call that asks for it; one for the whole server if left out. */
  readonly scope?: 'request';
}

/**
 * One entry of `createServer({ providers })`: a class, or a token and the source of its value.
 * @example { provide: 'CONFIG', useValue: { city: 'Oslo' } }
 * @example { provide: Database, useFactory: (config: Config) => connect(config.url), inject: [Config] }
 */
export type Provider = Constructor | ValueProvider | ClassProvider | FactoryProvider;

/**
 * A hook that is called on an instance, if it has it, after everything was built and before the first message is read. If it throws,
 * the server does not start. On an instance made for a call it is called before any code receives the instance, and an error is thrown
 * to the code that asked for it.
 * @example class Database implements OnStart { async onStart() { await this.connect(); } }
 */
export interface OnStart {
  onStart(): void | Promise<void>;
}

/**
 * A hook that is called on an instance, if it has it, when the server closes, dependents before their dependencies. If it throws, the
 * other hooks run anyway, and `server.close` rejects with an AggregateError of all errors. On an instance made for a call it is called
 * when the call has ended, and an error is logged.
 * @example class Database implements OnStop { async onStop() { await this.disconnect(); } }
 */
export interface OnStop {
  onStop(): void | Promise<void>;
}

/** The token that a provider provides; undefined for a value that is not a provider, because JavaScript may pass any value. */
export function tokenOf(provider: unknown): Token | undefined {
  if (typeof provider === 'function') return provider as Constructor;
  if (typeof provider !== 'object' || provider === null || !('provide' in provider)) return undefined;
  return isToken(provider.provide) ? provider.provide : undefined;
}

/** Whether a value is a valid token: a symbol, a string, or a class that is not built into the language. */
export function isToken(token: unknown): token is Token {
  if (typeof token === 'function')
    return ![Object, String, Number, Boolean, Array, Function, Promise].includes(token as never);
  return typeof token === 'symbol' || typeof token === 'string';
}

/** A token in readable form. */
export function nameOfToken(token: unknown): string {
  if (typeof token === 'function') return token.name || '(an unnamed class)';
  return typeof token === 'symbol' ? String(token) : (JSON.stringify(token) ?? String(token));
}

/**
 * Refuses overrides that would change nothing, because nothing in the definition knows their token.
 * @param tokens what the container of the definition was prepared for; undefined if the container is the user's
 * @throws DefinitionError with every such override, or because the container is the user's
 */
export function checkOverrides(tokens: Iterable<Token> | undefined, overrides: readonly Provider[]): void {
  if (!tokens) throw new DefinitionError([problem('SIGIL_OVERRIDE_FOREIGN_CONTAINER', 'server.override')]);
  const known = new Set(tokens);
  const unknown = overrides.map(tokenOf).filter((token) => token === undefined || !known.has(token));
  if (unknown.length > 0) throw new DefinitionError(unknown.map((token) => unknownToken(token, [...known])));
}

function unknownToken(wanted: Token | undefined, known: readonly Token[]): DefinitionProblem {
  const token = nameOfToken(wanted);
  const where = `server.override(${token})`;
  const names = known.map(nameOfToken);
  if (names.includes(token)) return problem('SIGIL_OVERRIDE_LOADED_TWICE', where, { token });
  return problem('SIGIL_UNKNOWN_OVERRIDE', where, { token, known: names.join(', ') });
}
