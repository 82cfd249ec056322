/** `@Inject`: names the token of a constructor parameter whose type is not enough. */
import { INJECT } from '../container/injection';
import type { Token } from '../container/provider';
import { addMemberFact } from '@sigil-mcp/base/facts';
import type { Class } from '@sigil-mcp/base';

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
