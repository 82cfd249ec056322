/** Every text of a definition that a model may read, with its place in the definition. */
import { isObject } from '@sigil-mcp/base';
import type { OfferedEntry, OfferedServer } from '../offer/offered-server';

/** A text. */
export interface DefinitionText {
  /** Undefined for the instructions of the server. */
  readonly entry: OfferedEntry | undefined;
  /** Such as `the description`, `the description of title`, or `the name of a property`. */
  readonly where: string;
  readonly text: string;
  /** Whether it is a description, a title or the instructions, and no value or name. */
  readonly isProse: boolean;
}

/** Members that are no text for models. */
const SKIPPED = new Set(['_meta', 'icons', '$schema', '$id', '$ref']);
const PROSE = new Set(['description', 'title', '$comment']);
/** Members of schemas and items, which are not part of the path of a property. */
const SILENT = new Set(['inputSchema', 'outputSchema', 'properties', 'arguments', 'items', 'annotations', '$defs']);

/** The texts of a server. */
export function textsOf({ instructions, entries }: OfferedServer): readonly DefinitionText[] {
  const own =
    instructions === undefined
      ? []
      : [{ entry: undefined, where: 'the instructions', text: instructions, isProse: true }];
  return [...own, ...entries.flatMap((entry) => textsIn(entry, entry.listed, []))];
}

function textsIn(entry: OfferedEntry, value: unknown, path: readonly string[]): readonly DefinitionText[] {
  const last = path.at(-1) ?? '';
  if (typeof value === 'string') return [{ entry, where: placeOf(path), text: value, isProse: PROSE.has(last) }];
  if (Array.isArray(value)) return (value as unknown[]).flatMap((each) => textsIn(entry, each, path));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    if (SKIPPED.has(name)) return [];
    const names =
      last === 'properties' ? [{ entry, where: 'the name of an argument', text: name, isProse: false }] : [];
    return [...names, ...textsIn(entry, each, [...path, name])];
  });
}

/** Such as `the description of filter.state`. */
function placeOf(path: readonly string[]): string {
  const member = path.at(-1) ?? '';
  const of = path.slice(0, -1).filter((name) => !SILENT.has(name));
  return `the ${member}${of.length === 0 ? '' : ` of ${of.join('.')}`}`;
}
