/** The rules about hosts: what they refuse, and what they change. */
import { isObject } from '@sigil-mcp/base';
import type { OfferedEntry, OfferedServer } from '../../offer/offered-server';
import { textOfEntry, toolsOf, type RuleBreach, type WholeRule } from '../definition-rule';
import { ALL_HOSTS, HOST_FACTS, HOSTS, type HostName, type HostTest } from './host-facts';
import { loadMetaSchema, pointer, schemasIn, type PlacedSchema } from './meta-schema';

/** How many places a sentence has, unless hosts are named. */
const SHOWN = 3;

/** What is found of one row: the entry (left out for the server), what of it, and where. */
interface Broken {
  readonly entry?: OfferedEntry;
  readonly what: string;
  readonly at?: readonly string[];
}

/** The rule about what the chosen hosts refuse. */
export const refusedByHosts: WholeRule = {
  name: 'refused-by-host',
  asks: 'Every host can use every tool',
  severity: 'warning',
  dimension: 'usage',
  looksAt: 'server',
  find: (server, hosts) => breachesOf(server, 'refuses', hosts),
};

/** The rule about what the chosen hosts change. */
export const changedByHosts: WholeRule = {
  name: 'changed-by-host',
  asks: 'Models read what the server lists',
  severity: 'hint',
  dimension: 'usage',
  looksAt: 'server',
  find: (server, hosts) => breachesOf(server, 'changes', hosts),
};

/** @param named the hosts that the user names, of which every place is said; undefined for all hosts */
function* breachesOf(
  server: OfferedServer,
  effect: 'refuses' | 'changes',
  named: readonly HostName[] | undefined,
): Iterable<RuleBreach> {
  for (const { [effect]: hosts = [], test, says, seen, fix } of HOST_FACTS) {
    const asked = hosts.filter((host) => (named ?? ALL_HOSTS).includes(host));
    if (asked.length === 0) continue;
    const who = asked.map((host) => HOSTS[host]).join(' and ');
    for (const { entry, what, at } of TESTS[test.kind](server, test as never))
      yield {
        entry,
        problem: `${what}${placesOf(at, named ? Infinity : SHOWN)} (${who})`,
        // Said once for all that breaks the row.
        fix: `${who}: ${says} (${seen.join(', ')}). ${fix}`,
      };
  }
}

/** Such as ` uniqueItems at /inputSchema, const at /inputSchema and 2 more`. */
function placesOf(places: readonly string[] = [], most: number): string {
  const more = places.length > most ? ` and ${places.length - most} more` : '';
  return places.length === 0 ? '' : ` ${places.slice(0, most).join(', ')}${more}`;
}

type Find<T extends HostTest> = (server: OfferedServer, test: T) => readonly Broken[];
type Of<K extends HostTest['kind']> = Extract<HostTest, { readonly kind: K }>;

const TESTS: { readonly [K in HostTest['kind']]: Find<Of<K>> } = {
  keywords: (server, { words, at }) =>
    inSchemas(server, ({ schema, isRoot }) =>
      at === 'root' && !isRoot ? [] : words.filter((word) => Object.hasOwn(schema, word)),
    ),
  formats: (server, { known }) =>
    inSchemas(server, ({ schema: { format } }) =>
      typeof format === 'string' && !known.includes(format) ? [`format ${format}`] : [],
    ),
  items: (server) =>
    inSchemas(server, ({ schema }) =>
      isList(schema) && !Object.hasOwn(schema, 'items') ? ['a list without items'] : [],
    ),
  dialect: (server) =>
    inSchemas(
      server,
      ({ schema: { $schema } }) =>
        typeof $schema === 'string' && !$schema.includes('2020-12') ? ['another $schema'] : [],
      ['inputSchema', 'outputSchema'],
    ),
  invalid: (server) => {
    const judge = loadMetaSchema();
    return toolsOf(server).flatMap((entry) => {
      const { inputSchema } = entry.listed;
      const at = isObject(inputSchema) ? judge(inputSchema, '/inputSchema') : [];
      return at.length === 0 ? [] : [{ entry, what: 'the schema is not valid:', at }];
    });
  },
  types: (server) => inSchemas(server, ({ schema: { type } }) => (Array.isArray(type) ? ['a list of types'] : [])),
  results: (server, { member, most }) =>
    toolsOf(server).flatMap((entry) => {
      const { _meta } = entry.listed;
      const said = isObject(_meta) ? _meta[member] : undefined;
      return typeof said === 'number' && said > most ? [{ entry, what: `${member} is ${said}` }] : [];
    }),
  names: (server, { of, pattern, wanted }) =>
    toolsOf(server).flatMap((entry) => {
      if (of === 'tools') return pattern.test(entry.key) ? [] : [{ entry, what: `the name is not made of ${wanted}` }];
      const at = schemasIn(entry.listed['inputSchema'], '/inputSchema').flatMap(({ schema: { properties }, place }) =>
        Object.keys(isObject(properties) ? properties : {})
          .filter((name) => !pattern.test(name))
          .map((name) => pointer(place, 'properties', name)),
      );
      const what = `the names of these arguments are not made of ${wanted}:`;
      return at.length === 0 ? [] : [{ entry, what, at }];
    }),
  length: (server, { most, added }) =>
    tooLong(server, most, (entry) => entry.key.length + server.name.length + added).map(({ entry, length }) => ({
      entry,
      what: `the name has ${length} characters with that of the server`,
    })),
  tools: ({ audiences }, { most }) => {
    const sees = Math.max(0, ...audiences.map((each) => each.sees.filter(({ kind }) => kind === 'tool').length));
    return sees > most ? [{ what: `a caller sees ${sees} tools` }] : [];
  },
  texts: (server, { of, most }) => {
    if (of === 'descriptions')
      return tooLong(server, most, (entry) => textOfEntry(entry, 'description').length).map(({ entry, length }) => ({
        entry,
        what: `the description has ${length} characters`,
      }));
    const { length } = server.instructions ?? '';
    return length > most ? [{ what: `the instructions have ${length} characters` }] : [];
  },
};

/** The tools of which something is too long. */
function tooLong(server: OfferedServer, most: number, lengthOf: (entry: OfferedEntry) => number) {
  return toolsOf(server)
    .map((entry) => ({ entry, length: lengthOf(entry) }))
    .filter(({ length }) => length > most);
}

/** What is wrong with the schemas of tools. @param find what a schema has @param members of a tool with schemas */
function inSchemas(
  server: OfferedServer,
  find: (schema: PlacedSchema & { readonly isRoot: boolean }) => readonly string[],
  members: readonly string[] = ['inputSchema'],
): readonly Broken[] {
  return toolsOf(server).flatMap((entry) => {
    const schemas = members.flatMap((member) =>
      schemasIn(entry.listed[member], `/${member}`).map((each, index) => ({ ...each, isRoot: index === 0 })),
    );
    const at = schemas.flatMap((each) => find(each).map((what) => `${what} at ${each.place}`));
    return at.length === 0 ? [] : [{ entry, what: 'the schema has', at }];
  });
}

function isList({ type }: PlacedSchema['schema']): boolean {
  return type === 'array' || (Array.isArray(type) && (type as unknown[]).includes('array'));
}

/** Whether a name is that of a host. */
export function isHost(name: string): name is HostName {
  return Object.hasOwn(HOSTS, name);
}
