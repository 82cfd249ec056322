/** `@Complete`: suggests values for an argument of a prompt or a variable of a template. */
import { addMemberFact, factKind } from '@sigil-mcp/base/facts';
import type { MethodDecoratorOf } from './method-decorator';

/** A method that suggests values, synchronously or not. */
type CompleterMethod = (...args: never[]) => readonly string[] | Promise<readonly string[]>;

/** Written by `@Complete`. */
export interface CompleteFact {
  readonly argument: string;
  readonly target: string;
}

/** The completers of a class. */
export const COMPLETE = factKind<CompleteFact>('complete');

/**
 * Makes a method suggest values. It receives the typed text and returns strings, best first; at most 100 are sent. The context has the
 * arguments that were filled in before: `context.completion?.arguments`. Arguments with an enum or a boolean type need no such method:
 * they are completed automatically.
 * @param argument a prompt's argument or a template's variable
 * @param target the prompt's or template's method in the same class
 * @example
 * ```@Complete('city', 'today') cities(prefix: string) { return this.api.citiesStartingWith(prefix); }```
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
 */
export function Complete(argument: string, target: string): MethodDecoratorOf<CompleterMethod> {
  return (prototype, member) => addMemberFact(COMPLETE, prototype, member, { argument, target });
}
