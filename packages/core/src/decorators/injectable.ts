/** `@Injectable` and `@Feature`: they make the compiler emit the types of a constructor's parameters. */
import { SCOPE, type Token, INJECT } from '../container/provider';
import { addClassFact, factKind, addMemberFact } from '@sigil-mcp/base/facts';
import { requireOptions, type Class } from '@sigil-mcp/base';

/** Marks a class of tools, resources and prompts. */
export interface FeatureFact {
  readonly feature: true;
}

/** Written by `@Feature`. */
export const FEATURE = factKind<FeatureFact>('feature');

/** The options of `@Injectable`. */
export interface InjectableOptions {
  /**
   * `'request'`: one instance is made for each call that uses it (`await context.get(TheClass)`), and released after the call; its
   * constructor may inject the `McpContext` of the call. One instance for the whole server if left out.
   */
  readonly scope?: 'request';
}

/**
 * Marks a provider, guard or interceptor whose constructor has parameters: TypeScript emits the types of parameters for decorated
 * classes only, and the container reads these types.
 * @throws DefinitionError for options that do not exist
 * @example
 * ```@Injectable() export class WeatherApi { constructor(private readonly config: Config) {} }```
 * @example
 * ```@Injectable({ scope: 'request' }) export class Tenant { constructor(private readonly context: McpContext) {} }```
 */
export function Injectable(options: InjectableOptions = {}): ClassDecorator {
  requireOptions('Injectable', options, { scope: { wanted: "'request'", fits: (value) => value === 'request' } });
  const { scope } = options;
  return (target) => {
    // `Function` is the only type for a class in the built-in declaration.
    addClassFact(SCOPE, target as unknown as Class, { scope });
  };
}

/**
 * Marks a class whose methods are tools, resources and prompts. It is built once per server, with its constructor's
 * parameters injected.
 * @example
 * ```@Feature() export class WeatherFeature { constructor(private readonly api: WeatherApi) {} }```
 */
export function Feature(): ClassDecorator {
  return (target) => {
    // `Function` is the only type for a class in the built-in declaration.
    addClassFact(FEATURE, target as unknown as Class, { feature: true });
  };
}

/**
 * Injects the value of a token into a constructor parameter.
 * @param token the class, symbol or string that a provider names in `provide`
 * @example constructor(@Inject('CONFIG') private readonly config: Config) {}
 */
export function Inject(token: Token): ParameterDecorator {
  return (target, _member, index) => {
    // On a constructor parameter the target is the class itself.
    const owner = target as Class;
    // A prototype is always an object; the built-in type of a class declares `any`.
    addMemberFact(INJECT, owner.prototype as object, 'constructor', { owner, index, token });
  };
}
