/** `@McpHeader`: mirrors an argument of a tool into an HTTP header, for proxies that route without reading bodies. */
import { listKeywords } from '@sigil-mcp/schema';
import { HEADER_KEYWORD } from '../mirrored-arguments/header-annotations';

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
