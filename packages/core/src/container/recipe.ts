/** How the value of one token is made: its dependencies, and the function that makes it. */
import { classFacts, constructorOwner, emittedConstructorTypes, memberFacts } from '@sigil-mcp/base/facts';
import { problem } from '../errors/catalogue';
import {
  checkOptions,
  isClass,
  nameValue,
  OPTION_RULES,
  withOthers,
  type DefinitionProblem,
  type OptionRules,
  type ReportProblem,
} from '@sigil-mcp/base';
import {
  isToken,
  nameOfToken,
  tokenOf,
  type Constructor,
  type Provider,
  type Token,
  INJECT,
  SCOPE,
  type InjectFact,
} from './provider';

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
