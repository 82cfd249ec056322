/**
 * Tool arguments that are repeated in headers: learnt from the lists that a client received, as real clients do.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';

/** An argument, and the header that repeats it. */
interface ArgumentHeader {
  readonly header: string;
  readonly type: JsonValue | undefined;
  /** The path from the arguments to the value. */
  readonly path: readonly string[];
}

/** Characters of the name of a header. @see https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** The types of values that a header can carry. */
const MIRRORED_TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

/** The mirrored arguments of the tools that were listed so far. */
export class MirroredArguments {
  readonly #byTool = new Map<string, readonly ArgumentHeader[]>();

  /** Reads a result of `tools/list`. */
  learn({ tools }: JsonObject): void {
    for (const tool of Array.isArray(tools) ? (tools as readonly JsonValue[]) : []) {
      if (!isObject(tool) || typeof tool['name'] !== 'string') continue;
      this.#byTool.set(tool['name'], mirrorsOf(tool['inputSchema'], []));
    }
  }

  /** The headers of a call, by name, for the arguments that are there. */
  headersOf(tool: string, args: JsonValue | undefined): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const { header, path } of this.#byTool.get(tool) ?? []) {
      const value = path.reduce<JsonValue | undefined>((at, name) => (isObject(at) ? at[name] : undefined), args);
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        headers[`Mcp-Param-${header}`] = String(value);
    }
    return headers;
  }
}

/** What is wrong with the headers that the schema of a tool names; undefined if they are valid. Clients leave such a tool out. */
export function headerProblem(inputSchema: JsonValue | undefined): string | undefined {
  const mirrors = mirrorsOf(inputSchema, []);
  const names = mirrors.map(({ header }) => header.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `two arguments have the header ${JSON.stringify(twice)}`;
  const bad = mirrors.find(({ header }) => !TOKEN.test(header));
  if (bad) return `${JSON.stringify(bad.header)} is not the name of a header`;
  const mistyped = mirrors.find(({ type }) => !MIRRORED_TYPES.includes(type));
  return mistyped && `${JSON.stringify(mistyped.path.join('.'))} is neither a string, an integer nor a boolean`;
}

function mirrorsOf(schema: JsonValue | undefined, path: readonly string[]): ArgumentHeader[] {
  if (!isObject(schema)) return [];
  const { 'x-mcp-header': name, type, properties } = schema;
  const own =
    name === undefined || path.length === 0 ? [] : [{ header: typeof name === 'string' ? name : '', path, type }];
  const nested = isObject(properties) ? Object.entries(properties) : [];
  return [...own, ...nested.flatMap(([property, inner]) => mirrorsOf(inner, [...path, property]))];
}
