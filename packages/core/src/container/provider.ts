/** Injectable values, and how they are made. */
import {
  checkOptions,
  DefinitionError,
  isClass,
  nameValue,
  OPTION_RULES,
  withOthers,
  type Class,
  type DefinitionProblem,
  type OptionRules,
  type ReportProblem,
} from '@sigil-mcp/base';
import { classFacts, constructorOwner, emittedConstructorTypes, factKind, memberFacts } from '@sigil-mcp/base/facts';
import { problem } from '../errors/catalogue';

/** Token of one constructor parameter. */
interface InjectFact {
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
function isToken(token: unknown): token is Token {
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

// How the value of one token is made: its dependencies, and the function that makes it.

/** A provider, read. */
export interface Recipe {
  readonly token: Token;
  readonly dependencies: readonly Token[];
  /** Whether there is one for each call that asks for it, and not one for the whole server. */
  readonly perCall: boolean;
  /** Makes the instance, or a promise of it, of the instances of the dependencies in their order. */
  readonly make: (dependencies: readonly unknown[]) => unknown;
}

/** Stands for a token that is not known, after that was reported. */
export const UNKNOWN: Token = Symbol('unknown');

/**
 * With another word for `scope`, all calls would share what is made for one of them. An instance of a class may have state of its own.
 */
const MEMBERS: OptionRules = withOthers(
  {
    provide: undefined,
    useValue: undefined,
    useClass: undefined,
    useFactory: undefined,
    inject: OPTION_RULES.list,
    scope: { wanted: "'request'", fits: (value) => value === 'request' },
  },
  { onlyInstances: true },
);

/** Provider -> recipe. */
export function readProvider(provider: Provider, report: ReportProblem): Recipe {
  const wrong = findWrongProvider(provider);
  if (wrong) {
    report(wrong);
    return { token: tokenOf(provider) ?? UNKNOWN, dependencies: [], perCall: false, make: () => undefined };
  }
  if (typeof provider === 'function') return classRecipe(provider, provider, report);
  // Those that have what they need and nothing else are most, at every start.
  if (Object.keys(provider).length > 2)
    checkOptions(`the provider of ${nameOfToken(provider.provide)}`, provider, MEMBERS, report);
  if ('useClass' in provider) return classRecipe(provider.provide, provider.useClass, report, provider.scope);
  if ('useValue' in provider)
    return { token: provider.provide, dependencies: [], perCall: false, make: () => provider.useValue };
  const { provide: token, inject: dependencies = [], useFactory, scope } = provider;
  // Parameters with a default, and those behind them, are not counted: they need nothing.
  const { length } = useFactory;
  if (length > dependencies.length)
    report(problem('SIGIL_FACTORY_INJECT', nameOfToken(token), { count: length, injected: dependencies.length }));
  // The factory's parameters are the user's promise that they match `inject`.
  const make = useFactory as (...args: readonly unknown[]) => unknown;
  return { token, dependencies, perCall: scope === 'request', make: (built) => make(...built) };
}

/** An element of the providers that is not a provider: JavaScript, or a cast, may put anything there. */
function findWrongProvider(provider: unknown): DefinitionProblem | undefined {
  const value = typeof provider === 'function' ? undefined : wrongness(provider);
  if (value === undefined) return undefined;
  const token = tokenOf(provider);
  return problem('SIGIL_PROVIDER', token === undefined ? 'createServer({ providers })' : nameOfToken(token), { value });
}

function wrongness(provider: unknown): string | undefined {
  if (typeof provider !== 'object' || provider === null) return nameValue(provider);
  if (tokenOf(provider) === undefined) return `${nameValue(provider)} without \`provide\``;
  if ('useValue' in provider) return undefined;
  if ('useClass' in provider)
    return isClass(provider.useClass) ? undefined : `an object whose useClass is ${nameValue(provider.useClass)}`;
  if (!('useFactory' in provider)) return 'an object without useClass, useValue and useFactory';
  const { useFactory } = provider;
  return typeof useFactory === 'function' ? undefined : `an object whose useFactory is ${nameValue(useFactory)}`;
}

/** Class -> recipe, from the types that the compiler emitted and from `@Inject`. Reports parameters that have neither. */
export function classRecipe(
  token: Token,
  target: Constructor,
  report: ReportProblem,
  scope = classFacts(SCOPE, target).at(-1)?.scope,
): Recipe {
  const dependencies = constructorTokens(target, report);
  return {
    token,
    dependencies,
    perCall: scope === 'request',
    make: (built): unknown => Reflect.construct(target, built),
  };
}

function constructorTokens(target: Constructor, report: ReportProblem): Token[] {
  const emitted = emittedConstructorTypes(target) ?? [];
  const owner = constructorOwner(target);
  const facts = memberFacts<InjectFact>(INJECT, target, 'constructor').filter(
    (fact) => fact.owner === owner || emitted.length === 0,
  );
  const injected = new Map(facts.map((fact) => [fact.index, fact.token]));
  const count = Math.max(target.length, emitted.length, ...[...injected.keys()].map((index) => index + 1));
  return Array.from({ length: count }, (_, index) => {
    const token = injected.get(index) ?? emitted[index];
    if (isToken(token)) return token;
    report(untypedParameter(target, index, emitted.length > 0));
    return UNKNOWN;
  });
}

function untypedParameter(target: Constructor, index: number, hasMetadata: boolean): DefinitionProblem {
  const where = `${nameOfToken(target)}.constructor, parameter ${index + 1}`;
  return problem(hasMetadata ? 'SIGIL_DEPENDENCY_WITHOUT_TYPE' : 'SIGIL_DEPENDENCY_WITHOUT_METADATA', where);
}
