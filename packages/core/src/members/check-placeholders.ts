/** Descriptions that begin with TODO, as `sigil add` writes them: they are for the author, and a model would read them. */
import { problem } from '../errors/catalogue';
import { isObject, nameValue } from '@sigil-mcp/base';
import type { Member } from './member';

const PLACEHOLDER = /^\s*TODO\b/;
/** Values of a schema: a description in them is data. */
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);
/** Members whose own members have names that the author chose. */
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs']);

/** Finds out with one search whether there is anything to find: most servers have no placeholder, and start quickly. */
const ANY_PLACEHOLDER = /"description":"(?:\s|\\[nrt])*TODO\b/;

/** The members of a definition whose descriptions a model reads. */
interface ModelTexts {
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly arguments?: unknown;
}

/** Adds a problem for each placeholder of an entry, which a strict server refuses. @param definition as clients list it */
export function checkPlaceholders({ shapes, report, where }: Member, definition: ModelTexts): void {
  const { description, inputSchema, outputSchema, arguments: named } = definition;
  const described = { description, inputSchema, outputSchema, named };
  if (!ANY_PLACEHOLDER.test(JSON.stringify(described))) return;
  for (const { names, text } of placeholdersIn(described, [])) {
    const part = names.length === 0 ? 'description' : `description of "${names.join('.')}"`;
    shapes.addVague(problem('SIGIL_PLACEHOLDER', where, { part, value: nameValue(text) }), report);
  }
}

interface PlaceholderText {
  readonly names: readonly string[];
  readonly text: string;
}

function placeholdersIn(value: unknown, names: readonly string[]): PlaceholderText[] {
  if (Array.isArray(value)) return value.flatMap((each) => placeholdersIn(each, [...names, ...nameOf(each)]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'description' && typeof inner === 'string')
      return PLACEHOLDER.test(inner) ? [{ names, text: inner }] : [];
    if (DATA.has(key)) return [];
    if (!NAMED.has(key) || !isObject(inner)) return placeholdersIn(inner, names);
    return Object.entries(inner).flatMap(([name, schema]) => placeholdersIn(schema, [...names, name]));
  });
}

/** The name of an argument of a prompt. */
function nameOf(value: unknown): string[] {
  return isObject(value) && typeof value['name'] === 'string' ? [value['name']] : [];
}
