/** `@Inject`: says what a constructor parameter is, where its type cannot. */
import type { Token } from '../container/provider';
import { addMemberFact, factKind, type Class } from './facts';

/** Token of one constructor parameter. */
export interface InjectFact {
  readonly owner: Class;
  readonly index: number;
  readonly token: Token;
}

/** Written on the member `constructor`. */
export const INJECT = factKind<InjectFact>('inject');

/**
 * Injects what stands under a token.
 * @example constructor(@Inject('CONFIG') private readonly config: Config) {}
 */
export function Inject(token: Token): ParameterDecorator {
  return (target, _member, index) => {
    // On a constructor parameter the target is the class itself.
    const owner = target as Class;
    // A prototype is always an object; the built-in type of a class says `any`.
    addMemberFact(INJECT, owner.prototype as object, 'constructor', { owner, index, token });
  };
}
