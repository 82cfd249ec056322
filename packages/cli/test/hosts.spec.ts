/** What hosts refuse and change: each row of the table by a server that breaks it, and one that does not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ALL_HOSTS, HOST_FACTS, HOSTS, type HostFact, type HostName } from '../src/lint/hosts/host-facts';
import { readHosts } from '../src/lint/hosts/host-rules';
import { schemasIn } from '../src/lint/hosts/schema-walk';
import { lintServer } from '../src/lint/lint-server';
import type { OfferedEntry, OfferedServer } from '../src/offer/offered-server';

const DESCRIPTION = 'Takes a note under a title, and returns its number.';

function tool(key: string, inputSchema: object = { type: 'object' }, description = DESCRIPTION): OfferedEntry {
  return { kind: 'tool', key, listed: { name: key, description, inputSchema } };
}
function serverOf(entries: readonly OfferedEntry[], more: Partial<OfferedServer> = {}): OfferedServer {
  const audiences = [{ name: 'everybody', sees: entries }];
  return { name: 'notes', instructions: undefined, revision: undefined, entries, audiences, ...more };
}
const withArgument = (schema: object): OfferedServer =>
  serverOf([tool('take', { type: 'object', properties: { value: schema } })]);
function withMeta(member: string, value: unknown): OfferedServer {
  const plain = tool('take');
  return serverOf([{ ...plain, listed: { ...plain.listed, _meta: { [member]: value } } }]);
}
const tools = (count: number): OfferedServer =>
  serverOf(Array.from({ length: count }, (_, index) => tool(`t${index}`)));

/** The findings of the two rules for some hosts. */
const found = (server: OfferedServer, hosts: readonly HostName[] = ALL_HOSTS) =>
  lintServer(server, [], hosts).filter(({ rule }) => rule === 'refused-by-host' || rule === 'changed-by-host');

/** A server that breaks a row, and one at its border that does not. */
function examplesOf({ test }: HostFact): readonly (readonly [broken: OfferedServer, fine: OfferedServer])[] {
  switch (test.kind) {
    case 'keywords':
      return test.words.map((word) =>
        test.at === 'root'
          ? [serverOf([tool('take', { type: 'object', [word]: [{}] })]), withArgument({ [word]: [{}] })]
          : [withArgument({ type: 'string', [word]: 1 }), serverOf([tool('take', { properties: { [word]: {} } })])],
      );
    case 'formats':
      return [
        [withArgument({ type: 'string', format: 'email' }), withArgument({ type: 'string', format: 'date-time' })],
      ];
    case 'items':
      return [
        [withArgument({ type: 'array' }), withArgument({ type: 'array', items: {} })],
        [withArgument({ type: ['array', 'null'], prefixItems: [{}] }), withArgument({ type: ['string', 'null'] })],
      ];
    case 'dialect':
      return [
        [withArgument({ items: [{}] }), withArgument({ prefixItems: [{}] })],
        [
          serverOf([tool('take', { $schema: 'http://json-schema.org/draft-07/schema#' })]),
          serverOf([tool('take', { $schema: 'https://json-schema.org/draft/2020-12/schema' })]),
        ],
      ];
    case 'types':
      return [[withArgument({ type: ['string', 'null'] }), withArgument({ type: 'string' })]];
    case 'results':
      return [[withMeta(test.member, test.most + 1), withMeta(test.member, test.most)]];
    case 'names':
      return test.of === 'tools'
        ? [[serverOf([tool('notes.take')]), serverOf([tool('notes_Take-1')])]]
        : [
            [
              serverOf([tool('take', { properties: { 'the title': {} } })]),
              serverOf([tool('take', { properties: { 'the.title': {} } })]),
            ],
          ];
    case 'length': {
      const longest = test.most - 'notes'.length - test.added;
      return [[serverOf([tool('x'.repeat(longest + 1))]), serverOf([tool('x'.repeat(longest))])]];
    }
    case 'tools':
      return [[tools(test.most + 1), tools(test.most)]];
    case 'texts':
      return test.of === 'instructions'
        ? [
            [
              serverOf([], { instructions: 'x'.repeat(test.most + 1) }),
              serverOf([], { instructions: 'x'.repeat(test.most) }),
            ],
          ]
        : [
            [
              serverOf([tool('take', {}, 'x'.repeat(test.most + 1))]),
              serverOf([tool('take', {}, 'x'.repeat(test.most))]),
            ],
          ];
  }
}

const named = HOST_FACTS.map((fact) => [`${fact.hosts.join(', ')} ${fact.says}`, fact] as const);

describe.each(named)('%s', (_, fact) => {
  it('is found in a server that it is about, and not at its border', () => {
    const [host] = fact.hosts;
    const rule = fact.effect === 'refuses' ? 'refused-by-host' : 'changed-by-host';
    const severity = fact.effect === 'refuses' ? 'warning' : 'hint';
    for (const [broken, fine] of examplesOf(fact)) {
      const about = (server: OfferedServer) =>
        found(server, host && [host]).filter(({ fix }) =>
          fix.endsWith(`${fact.says} (${fact.seen}, ${fact.source}). ${fact.fix}`),
        );
      expect(about(broken)).toEqual([
        expect.objectContaining({ rule, severity, problem: expect.stringContaining(HOSTS[host!]) as string }),
      ]);
      expect(about(fine)).toEqual([]);
    }
  });

  it('has a month, and a source that can be read', () => {
    expect(fact.seen).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
    expect(new URL(fact.source).protocol).toBe('https:');
    expect(fact.fix).toMatch(/^[A-Z].*\.$/);
  });
});

it('says for which host, where in the schema, and only for the hosts that are asked for', () => {
  const server = withArgument({
    type: 'object',
    properties: { tags: { type: 'array', items: { uniqueItems: true } } },
  });
  const [finding, ...others] = found(server, ['gemini', 'claude']);
  expect(finding?.problem).toBe('the schema has uniqueItems at value.tags[] (Gemini, Vertex AI)');
  expect(finding?.fix).toMatch(/^Gemini, Vertex AI: has no such field/);
  expect(others).toEqual([]);
  expect(found(server, ['claude', 'copilot'])).toEqual([]);
});

it('names the hosts of the table, each of which has a row', () => {
  expect(ALL_HOSTS.filter((host) => !HOST_FACTS.some(({ hosts }) => hosts.includes(host)))).toEqual([]);
  expect(readHosts('claude, gemini')).toEqual(['claude', 'gemini']);
  for (const wrong of ['', 'clippy', 'claude,', 'constructor']) expect(readHosts(wrong)).toBeUndefined();
  expect(Object.keys(HOSTS)).toEqual(ALL_HOSTS);
});

it('reads any JSON that stands where a schema should', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(Array.isArray(found(serverOf([tool('take', value as object)])))).toBe(true);
    }),
    { numRuns: 200 },
  );
  let deep: object = {};
  for (let depth = 0; depth < 1000; depth += 1) deep = { items: deep };
  expect(schemasIn(deep).length).toBeLessThan(100);
});

it('is listed in the documentation', () => {
  const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'context-budget.md'), 'utf8');
  const plain = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('\\', '');
  const rows = HOST_FACTS.map(({ hosts, says, fix, seen, source }) =>
    plain(`| ${hosts.map((host) => HOSTS[host]).join(', ')} | ${says} | ${fix} | [${seen}](${source}) |`),
  );
  expect(rows.filter((row) => !plain(page).includes(row))).toEqual([]);
});
