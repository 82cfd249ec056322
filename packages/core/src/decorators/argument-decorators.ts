/** Decorators about arguments: `@Complete` suggests values of one of a prompt or of a template, `@McpHeader` mirrors one of a tool. */
import { addMemberFact, factKind } from '@sigil-mcp/base/facts';
import { listKeywords } from '@sigil-mcp/schema';
import { HEADER_KEYWORD } from '../mirrored-arguments/header-annotations';
import type { MethodDecoratorOf } from './method-decorator';

/** A method that suggests values, synchronously or not. */
type CompleterMethod = (...args: never[]) => readonly string[] | Promise<readonly string[]>;

/** Written by `@Complete`. */
interface CompleteFact {
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

// `@McpHeader`: mirrors an argument of a tool into an HTTP header, for proxies that route without reading bodies.

/**
 * Makes clients send an argument of a tool in the header `Mcp-Param-{name}` as well, over Streamable HTTP; a call whose header and
 * argument differ is refused. For strings, integers and booleans; an argument that is left out has no header. Proxies and logs see the
 * value, so a property with `@Sensitive()` is refused at start.
 * @param name a token as defined by RFC 9110, unique within the input class ignoring case
 * @example
 * ```class Query { @McpHeader('Region') @IsString() region!: string; }```
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
 */
export function McpHeader(name: string): PropertyDecorator {
  return listKeywords('@McpHeader', { [HEADER_KEYWORD]: name });
}
