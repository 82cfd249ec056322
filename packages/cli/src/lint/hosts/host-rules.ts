/** The rules about hosts: what they refuse, and what they change. */
import { isObject } from '@sigil-mcp/base';
import type { OfferedEntry, OfferedServer } from '../../offer/offered-server';
import { textOfEntry, toolsOf, type DefinitionRule, type RuleBreach } from '../definition-rule';
import { HOST_FACTS, HOSTS, type HostFact, type HostName, type HostTest } from './host-facts';
import { schemasIn, type PlacedSchema } from './schema-walk';

/** How many places a sentence has. */
const SHOWN = 3;

/** What is found of one row: the entry (left out for the server), and what of it. */
interface Broken {
  readonly entry?: OfferedEntry;
  readonly what: string;
}

/** The rule about what the chosen hosts refuse. */
export const refusedByHosts: DefinitionRule = {
  name: 'refused-by-host',
  asks: 'Every host can use every tool',
  severity: 'warning',
  dimension: 'usage',
  find: (server, hosts) => breachesOf(server, 'refuses', hosts),
};

/** The rule about what the chosen hosts change. */
export const changedByHosts: DefinitionRule = {
  name: 'changed-by-host',
  asks: 'Models read what the server lists',
  severity: 'hint',
  dimension: 'usage',
  find: (server, hosts) => breachesOf(server, 'changes', hosts),
};

function breachesOf(
  server: OfferedServer,
  effect: HostFact['effect'],
  hosts: readonly HostName[],
): readonly RuleBreach[] {
  return HOST_FACTS.filter((fact) => fact.effect === effect).flatMap((fact) => {
    const asked = fact.hosts.filter((host) => hosts.includes(host));
    if (asked.length === 0) return [];
    const who = asked.map((host) => HOSTS[host]).join(' and ');
    return TESTS[fact.test.kind](server, fact.test as never).map(({ entry, what }) => ({
      ...(entry && { entry }),
      problem: `${what} (${who})`,
      // Said once for all that breaks the row.
      fix: `${who}: ${fact.says} (${fact.seen}, ${fact.source}). ${fact.fix}`,
    }));
  });
}

type Find<T extends HostTest> = (server: OfferedServer, test: T) => readonly Broken[];
type Of<K extends HostTest['kind']> = Extract<HostTest, { readonly kind: K }>;

const TESTS: { readonly [K in HostTest['kind']]: Find<Of<K>> } = {
  keywords: (server, { words, at }) =>
    inSchemas(server, (found) => {
      const looked = at === 'root' ? found.slice(0, 1) : found;
      return looked.flatMap(({ schema, place }) =>
        words.filter((word) => Object.hasOwn(schema, word)).map((word) => wordAt(word, place)),
      );
    }),
  formats: (server, { known }) =>
    inSchemas(server, (found) =>
      found.flatMap(({ schema: { format }, place }) =>
        typeof format === 'string' && !known.includes(format) ? [wordAt(`format ${format}`, place)] : [],
      ),
    ),
  items: (server) =>
    inSchemas(server, (found) =>
      found.flatMap(({ schema, place }) =>
        isList(schema) && !Object.hasOwn(schema, 'items') ? [wordAt('a list without items', place)] : [],
      ),
    ),
  dialect: (server) =>
    inSchemas(
      server,
      (found) =>
        found.flatMap(({ schema: { $schema, items }, place }) => [
          ...(typeof $schema === 'string' && !$schema.includes('2020-12') ? [wordAt('$schema', place)] : []),
          ...(Array.isArray(items) ? [wordAt('a list of items', place)] : []),
        ]),
      ['inputSchema', 'outputSchema'],
    ),
  types: (server) =>
    inSchemas(server, (found) =>
      found.flatMap(({ schema: { type }, place }) => (Array.isArray(type) ? [wordAt('a list of types', place)] : [])),
    ),
  results: (server, { member, most }) =>
    toolsOf(server).flatMap((entry) => {
      const { _meta } = entry.listed;
      const said = isObject(_meta) ? _meta[member] : undefined;
      return typeof said === 'number' && said > most ? [{ entry, what: `${member} is ${said}` }] : [];
    }),
  names: (server, { of, pattern, wanted }) =>
    of === 'tools'
      ? toolsOf(server)
          .filter(({ key }) => !pattern.test(key))
          .map((entry) => ({ entry, what: `the name is not one of ${wanted}` }))
      : inSchemas(server, (found) =>
          found.flatMap(({ names }) =>
            names.filter((name) => !pattern.test(name)).map((name) => `the argument ${name} is not one of ${wanted}`),
          ),
        ),
  length: (server, { most, added }) =>
    toolsOf(server)
      .map((entry) => ({ entry, length: entry.key.length + server.name.length + added }))
      .filter(({ length }) => length > most)
      .map(({ entry, length }) => ({ entry, what: `the name has ${length} characters with that of the server` })),
  tools: ({ audiences }, { most }) => {
    const sees = Math.max(0, ...audiences.map((each) => each.sees.filter(({ kind }) => kind === 'tool').length));
    return sees > most ? [{ what: `a caller sees ${sees} tools` }] : [];
  },
  texts: (server, { of, most }) => {
    if (of === 'instructions') {
      const { length } = server.instructions ?? '';
      return length > most ? [{ what: `the instructions have ${length} characters` }] : [];
    }
    return toolsOf(server)
      .map((entry) => ({ entry, length: textOfEntry(entry, 'description').length }))
      .filter(({ length }) => length > most)
      .map(({ entry, length }) => ({ entry, what: `the description has ${length} characters` }));
  },
};

/** What is wrong with the input schemas of tools, or with others of their schemas. */
function inSchemas(
  server: OfferedServer,
  find: (schemas: readonly PlacedSchema[]) => readonly string[],
  members: readonly string[] = ['inputSchema'],
): readonly Broken[] {
  return toolsOf(server).flatMap((entry) => {
    const all = [...new Set(members.flatMap((member) => find(schemasIn(entry.listed[member]))))];
    if (all.length === 0) return [];
    const more = all.length > SHOWN ? ` and ${all.length - SHOWN} more` : '';
    return [{ entry, what: `the schema has ${all.slice(0, SHOWN).join(', ')}${more}` }];
  });
}

function wordAt(word: string, place: string): string {
  return place === '' ? word : `${word} at ${place}`;
}

function isList({ type }: PlacedSchema['schema']): boolean {
  return type === 'array' || (Array.isArray(type) && (type as unknown[]).includes('array'));
}

/** The hosts whose names are given, separated by commas; undefined where one is not known. */
export function readHosts(text: string): readonly HostName[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  return names.every(isHost) ? names : undefined;
}

function isHost(name: string): name is HostName {
  return Object.hasOwn(HOSTS, name);
}
