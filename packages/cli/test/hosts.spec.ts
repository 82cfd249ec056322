/** What hosts refuse and change: each row of the table by a server that breaks it, and one that does not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ALL_HOSTS, HOST_FACTS, HOSTS, type HostFact, type HostName } from '../src/lint/hosts/host-facts';
import { describeFindings } from '../src/lint/describe-findings';
import { isHost, refusedByHosts } from '../src/lint/hosts/host-rules';
import { schemasIn } from '../src/lint/hosts/meta-schema';
import { lintServer } from '../src/lint/lint-server';
import type { OfferedEntry, OfferedServer } from '../src/offer/offered-server';
import { stylesFor } from '../src/terminal/styles';

const PLAIN = stylesFor({}, {});
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
        [
          serverOf([tool('take', { $schema: 'http://json-schema.org/draft-07/schema#' })]),
          serverOf([tool('take', { $schema: 'https://json-schema.org/draft/2020-12/schema' })]),
        ],
      ];
    case 'invalid':
      return [
        [withArgument({ items: [{}] }), withArgument({ prefixItems: [{}] })],
        [withArgument({ type: 'any' }), withArgument({ type: 'string', pattern: '[\\w-.]', own: 1 })],
        [withArgument({ minimum: 0, exclusiveMinimum: true }), withArgument({ exclusiveMinimum: 0 })],
        [withArgument({ required: true }), withArgument({ required: [] })],
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

const hostsOf = ({ refuses = [], changes = [] }: HostFact): readonly HostName[] => [...refuses, ...changes];
const named = HOST_FACTS.map((fact) => [`${hostsOf(fact).join(', ')} ${fact.says}`, fact] as const);

describe.each(named)('%s', (_, fact) => {
  it('is found in a server that it is about, and not at its border', () => {
    const [host] = hostsOf(fact);
    const rule = fact.refuses ? 'refused-by-host' : 'changed-by-host';
    const severity = fact.refuses ? 'warning' : 'hint';
    for (const [broken, fine] of examplesOf(fact)) {
      const about = (server: OfferedServer) =>
        found(server, host && [host]).filter(({ fix }) =>
          fix.endsWith(`${fact.says} (${fact.seen.join(', ')}). ${fact.fix}`),
        );
      expect(about(broken)).toEqual([
        expect.objectContaining({ rule, severity, problem: expect.stringContaining(HOSTS[host!]) as string }),
      ]);
      expect(about(fine)).toEqual([]);
    }
  });

  it('has a month, and a source that can be read', () => {
    expect(fact.seen[0]).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
    expect(new URL(fact.seen[1]).protocol).toBe('https:');
    expect(fact.fix).toMatch(/^[A-Z].*\.$/);
  });
});

it('says for which host, where in the schema, and only for the hosts that are asked for', () => {
  const server = withArgument({
    type: 'object',
    properties: { tags: { type: 'array', items: { uniqueItems: true } } },
  });
  const [finding, ...others] = found(server, ['gemini', 'claude']);
  expect(finding?.problem).toBe(
    'the schema has uniqueItems at /inputSchema/properties/value/properties/tags/items (Gemini, Vertex AI)',
  );
  expect(finding?.fix).toMatch(/^Gemini, Vertex AI: has no such field/);
  expect(others).toEqual([]);
  expect(found(server, ['claude', 'copilot'])).toEqual([]);
});

it('names the hosts of the table, each of which has a row', () => {
  expect(ALL_HOSTS.filter((host) => !HOST_FACTS.some((fact) => hostsOf(fact).includes(host)))).toEqual([]);
  for (const wrong of ['', 'clippy', 'Claude', 'constructor', '__proto__']) expect(isHost(wrong)).toBe(false);
  expect(Object.keys(HOSTS)).toEqual(ALL_HOSTS);
});

it('reads any JSON that stands where a schema should', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(Array.isArray(found(serverOf([tool('take', value as object)])))).toBe(true);
    }),
    { numRuns: 200 },
  );
});

it('looks at every member, whatever it is called, and at every depth', () => {
  const names = ['__proto__', 'constructor', 'a/b~c'];
  const members = names.map((name) => `${JSON.stringify(name)}:{"uniqueItems":true}`).join(',');
  const named = JSON.parse(`{"type":"object","properties":{${members}}}`) as object;
  expect(found(serverOf([tool('take', named)]), ['gemini'])[0]?.problem).toContain(
    'uniqueItems at /inputSchema/properties/__proto__, uniqueItems at /inputSchema/properties/constructor, ' +
      'uniqueItems at /inputSchema/properties/a~1b~0c',
  );
  const deep = (depth: number, inside: object): object => {
    let schema = inside;
    for (let level = 0; level < depth; level += 1) schema = { items: schema };
    return schema;
  };
  for (const depth of [40, 41, 100, 1000])
    expect(found(serverOf([tool('take', deep(depth, { uniqueItems: true }))]), ['gemini'])).toHaveLength(1);
  expect(schemasIn(deep(20_000, {}))).toHaveLength(20_001);
  expect([...refusedByHosts.find(serverOf([tool('take', deep(20_000, {}))]), ['codex'])][0]?.problem).toBe(
    'the schema is not valid: /inputSchema is nested too deeply to be checked (Codex)',
  );
});

it('says the first reason of each place where a schema is not valid, and which arguments have no such name', () => {
  const properties = { at: { type: 'int', minLength: '1' }, 'the title': { items: [{}], required: 'x' } };
  const problems = found(serverOf([tool('take', { type: 'object', properties })]), ['claude']).map(
    ({ problem }) => problem,
  );
  expect(problems).toEqual([
    'the schema is not valid: /inputSchema/properties/at/type must be equal to one of the allowed values, ' +
      '/inputSchema/properties/at/minLength must be integer, ' +
      '/inputSchema/properties/the title/items must be object,boolean, /inputSchema/properties/the title/required must be array (Claude)',
    'the names of these arguments are not made of at most 64 letters, digits, _, . and -: /inputSchema/properties/the title (Claude)',
  ]);
});

it('says what is wrong with an argument whose name has a line break, and with the one after it', () => {
  const properties = { a: { type: 'int' }, 'x\ny': { type: 'nope' }, z: { type: 'none' } };
  const [invalid] = found(serverOf([tool('take', { type: 'object', properties })]), ['claude']);
  const places = ['a', 'x\ny', 'z'].map((name) => `/inputSchema/properties/${name}/type must be`);
  for (const place of places) expect(invalid?.problem).toContain(place);
});

it('says everything about hosts that are named, and a part of it about all of them', () => {
  const every = (count: number, made: (index: number) => readonly [string, object]): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => made(index)));
  const properties = every(5, (index) => [`a${index}`, { uniqueItems: true }]);
  const server = serverOf(Array.from({ length: 12 }, (_, index) => tool(`t${index}`, { properties })));
  const [named] = found(server, ['gemini']);
  expect(named?.problem).toContain('uniqueItems at /inputSchema/properties/a4 (Gemini, Vertex AI)');
  const advice = lintServer(server, []).filter(({ rule }) => rule === 'refused-by-host');
  expect(advice[0]?.problem).toContain('uniqueItems at /inputSchema/properties/a2 and 2 more (Gemini, Vertex AI)');
  const lines = describeFindings(advice, PLAIN).join('\n');
  expect(lines).toContain('  t9: ');
  expect(lines).not.toContain('  t10: ');
  expect(lines).toMatch(/\n {2}→ Gemini, Vertex AI: has no such field.*\n {2}and 2 more$/);
  const whole = describeFindings(advice, PLAIN, ['refused-by-host']).join('\n');
  expect(whole).toContain('  t11: ');
  expect(whole).not.toContain('  and 2 more');
});

it('is listed in the documentation', () => {
  const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'context-budget.md'), 'utf8');
  const plain = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('\\', '');
  const rows = HOST_FACTS.map((fact) =>
    plain(
      `| ${hostsOf(fact)
        .map((host) => HOSTS[host])
        .join(', ')} | ${fact.says} | ${fact.fix} | [${fact.seen[0]}](${fact.seen[1]}) |`,
    ),
  );
  expect(rows.filter((row) => !plain(page).includes(row))).toEqual([]);
});
