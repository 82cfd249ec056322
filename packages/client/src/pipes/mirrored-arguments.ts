/**
 * Tool arguments that are repeated in headers: learnt from the lists that a client received, as real clients do.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
import { isJsonObject, type JsonObject, type JsonValue } from '@sigil-mcp/protocol';

/** An argument, and the header that repeats it. */
interface Mirror {
  readonly header: string;
  /** The path from the arguments to the value. */
  readonly path: readonly string[];
}

/** The mirrored arguments of the tools that were listed so far. */
export class MirroredArguments {
  readonly #byTool = new Map<string, readonly Mirror[]>();

  /** Reads a result of `tools/list`. */
  learn({ tools }: JsonObject): void {
    for (const tool of Array.isArray(tools) ? (tools as readonly JsonValue[]) : []) {
      if (!isJsonObject(tool) || typeof tool['name'] !== 'string') continue;
      this.#byTool.set(tool['name'], mirrorsOf(tool['inputSchema'], []));
    }
  }

  /** The headers of a call, by name, for the arguments that are there. */
  headersOf(tool: string, args: JsonValue | undefined): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const { header, path } of this.#byTool.get(tool) ?? []) {
      const value = path.reduce<JsonValue | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), args);
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        headers[header] = String(value);
    }
    return headers;
  }
}

function mirrorsOf(schema: JsonValue | undefined, path: readonly string[]): Mirror[] {
  if (!isJsonObject(schema)) return [];
  const name = schema['x-mcp-header'];
  const own = typeof name === 'string' ? [{ header: `Mcp-Param-${name}`, path }] : [];
  const properties = schema['properties'];
  const nested = isJsonObject(properties) ? Object.entries(properties) : [];
  return [...own, ...nested.flatMap(([property, inner]) => mirrorsOf(inner, [...path, property]))];
}
