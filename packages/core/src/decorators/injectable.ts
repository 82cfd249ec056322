/** `@Injectable` and `@Feature`: they make the compiler emit the types of a constructor's parameters. */
import { addClassFact, factKind } from '../facts/facts';
import type { Class } from '../values/class';

/** Marks a class of tools, resources and prompts. */
export interface FeatureFact {
  readonly feature: true;
}

/** Written by `@Feature`. */
export const FEATURE = factKind<FeatureFact>('feature');

/**
 * Marks a provider, guard or interceptor whose constructor has parameters. It writes nothing: TypeScript emits parameter
 * types for decorated classes only, and that is what the container reads.
 * @example @Injectable() export class WeatherApi { constructor(private readonly config: Config) {} }
 */
export function Injectable(): ClassDecorator {
  return () => undefined;
}

/**
 * Marks a class whose methods are tools, resources and prompts. It is built once per server, with its constructor's
 * parameters injected.
 * @example @Feature() export class WeatherFeature { constructor(private readonly api: WeatherApi) {} }
 */
export function Feature(): ClassDecorator {
  return (target) => {
    // `Function` is all that the built-in type says of a class.
    addClassFact(FEATURE, target as unknown as Class, { feature: true });
  };
}
