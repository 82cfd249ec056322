/** What a search answers: the definitions of tools, as far as they have room. */
import type { EntryFacts, JsonObject, JsonValue } from '@sigil-mcp/core';
import { isObject } from '@sigil-mcp/core/internal';

/** A tool that was found. */
export interface FoundTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Left out where the answer has no room for it. */
  readonly inputSchema?: unknown;
  /** The output without its descriptions; left out where the tool declares none, or the answer has no room for it. */
  readonly outputSchema?: unknown;
  readonly annotations?: JsonObject;
}

/** An answer for the model. */
export interface FoundTools {
  readonly tools: readonly FoundTool[];
  /** What else there is to know. */
  readonly note?: string;
}

const NOTHING = 'No tool matches. Search with other words: what the tool does, or what it is about.';
const SHORTENED = 'Tools without inputSchema had no room here: search for their names.';

/**
 * Describes tools, the best first.
 * @param longest characters of JSON; the first tool is whole at any length, because its arguments are needed
 */
export function describeFound(tools: readonly EntryFacts<'tool'>[], longest: number): FoundTools {
  let room = longest;
  const found = tools.map((tool, index): FoundTool => {
    const whole = describeTool(tool);
    const { inputSchema: _input, outputSchema: _output, ...short } = whole;
    const described = index === 0 || lengthOf(whole) <= room ? whole : short;
    room -= lengthOf(described);
    return described;
  });
  if (found.length === 0) return { tools: [], note: NOTHING };
  const isShortened = found.some((tool) => tool.inputSchema === undefined);
  return isShortened ? { tools: found, note: SHORTENED } : { tools: found };
}

function describeTool({ key, definition }: EntryFacts<'tool'>): FoundTool {
  const { title, description, inputSchema, outputSchema, annotations } = definition;
  const { title: _title, ...hints } = annotations ?? {};
  return {
    name: key,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema: withoutWords(outputSchema) }),
    ...(Object.keys(hints).length > 0 && { annotations: hints }),
  };
}

function lengthOf(value: object): number {
  return JSON.stringify(value).length;
}

/** Keywords that describe a schema, and do not say what fits it. */
const WORDS: ReadonlySet<string> = new Set(['$schema', '$comment', 'title', 'description', 'examples', 'default']);
/** Keywords whose members are names of the author, and may be the same as a keyword. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
/** Keywords whose values are data. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'required']);

/** A schema without the words that describe it. */
function withoutWords(schema: unknown): JsonValue {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  // A schema is JSON.
  if (!isObject(schema)) return schema as JsonValue;
  const rest = Object.entries(schema).filter(([keyword]) => !WORDS.has(keyword));
  return Object.fromEntries(rest.map(([keyword, value]) => [keyword, valueOf(keyword, value)]));
}

function valueOf(keyword: string, value: unknown): JsonValue {
  if (DATA.has(keyword)) return value as JsonValue;
  if (!NAMED.has(keyword) || !isObject(value)) return withoutWords(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutWords(each)]));
}
