/** The words of a schema: the names of arguments, and what is said about them. */
import { isObject } from '@sigil-mcp/core/adapter';

/** Names and texts, each in one text. */
export interface SchemaWords {
  readonly names: string;
  readonly texts: string;
}

/** Objects within objects, beyond which nothing is read. */
const DEEPEST = 6;
/** Characters of each text that are indexed at most. */
const LONGEST = 20_000;

/** Reads a schema of any shape. */
export function schemaWords(schema: unknown): SchemaWords {
  const names: string[] = [];
  const texts: string[] = [];
  collect(schema, DEEPEST, { names, texts });
  return { names: names.join(' ').slice(0, LONGEST), texts: texts.join(' ').slice(0, LONGEST) };
}

function collect(schema: unknown, depth: number, found: { readonly names: string[]; readonly texts: string[] }): void {
  if (!isObject(schema) || depth === 0) return;
  const { title, description, properties, items, anyOf, oneOf, allOf, $defs, enum: choices } = schema;
  for (const text of [title, description]) if (typeof text === 'string') found.texts.push(text);
  if (Array.isArray(choices)) found.texts.push(...choices.filter((each) => typeof each === 'string'));
  if (isObject(properties)) found.names.push(...Object.keys(properties));
  const within = [properties, $defs].flatMap((named) => (isObject(named) ? Object.values(named) : []));
  const lists = [items, anyOf, oneOf, allOf].flatMap((part) => (Array.isArray(part) ? (part as unknown[]) : [part]));
  for (const part of [...within, ...lists]) collect(part, depth - 1, found);
}
