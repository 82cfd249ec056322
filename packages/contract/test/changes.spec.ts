/** What each change of a server means: the table. */
import {
  Roles,
  RateLimit,
  Authenticated,
  createServer,
  Example,
  prompt,
  resource,
  tool,
  type FeatureSource,
  type ServerOptions,
} from '@sigil-mcp/core';
import { IsBoolean } from 'class-validator';
import { ALL_REVISIONS, type Revision } from '@sigil-mcp/protocol';
import {
  askedStep,
  askedVersion,
  changesMarkdown,
  compareContracts,
  contractOf,
  isAtLeast,
  readContract,
  writeContract,
  type ServerContract,
} from '../src';
import { wireOf } from '../src/contract/contract-of';

type Json = Readonly<Record<string, unknown>>;

const object = (properties: Json, required: readonly string[] = [], closed = true): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  ...(closed && { additionalProperties: false }),
});

class Consent {
  @IsBoolean() ok!: boolean;
}

const since = (oldest: string): readonly Revision[] => ALL_REVISIONS.filter(({ version }) => version >= oldest);

const text = { type: 'string', description: 'A text' };
const PAGE = { type: 'integer', minimum: 1, maximum: 100, default: 10 };
const { default: _default, ...WITHOUT_DEFAULT } = PAGE;
const SORT = { enum: ['title', 'year'] };

/** Arguments with a list of trees, whose nodes have a name. */
const listOf = (name: Json): Json => ({
  ...object({ trees: { type: 'array', items: { $ref: '#/$defs/Tree' } } }),
  $defs: { Tree: object({ name, next: { $ref: '#/$defs/Tree' } }) },
});

/** A server with one tool. */
const withTool =
  (change: Json = {}, options: Partial<ServerOptions> = {}) =>
  (): ServerContract => {
    const data = {
      kind: 'tool',
      name: 'findBook',
      description: 'Finds a book by its title',
      input: object({ title: text, page: PAGE, sort: { enum: ['title', 'year'] } }, ['title']),
      handler: () => 'found',
      ...change,
    };
    return of([data as never], options);
  };

/** The server with one tool, as the extension of tasks lets it say. */
const withTask = (support: 'optional' | 'required') => (): ServerContract => {
  const contract = withTool()();
  const { tool: tools } = contract.entries;
  const all = Object.entries(tools).map(([key, entry]) => [key, { ...entry, task: { support } }]);
  return { ...contract, entries: { ...contract.entries, tool: Object.fromEntries(all) } };
};

function of(features: readonly FeatureSource[], options: Partial<ServerOptions> = {}): ServerContract {
  return contractOf(createServer({ name: 'shelf', version: '1.2.3', logger: false, ...options, features }).describe());
}

const input = (properties: Json, required: readonly string[] = ['title']): Json => ({
  input: object({ title: text, page: PAGE, sort: { enum: ['title', 'year'] }, ...properties }, required),
});
const output = (schema: Json): Json => ({ output: schema });
const scoped = (...scopes: string[]): Json => ({ scopes });
const guarded = (...guards: unknown[]): Json => ({ guards });

type Row = readonly [string, () => ServerContract, () => ServerContract, readonly string[]];

const [B, S, C] = ['breaking', 'security', 'compatible'];
const result = object({ title: text, year: { type: 'integer' } }, ['title']);
const plain = withTool();

const ARGUMENTS: readonly Row[] = [
  ['nothing', plain, plain, []],
  ['an optional argument more', plain, withTool(input({ year: { type: 'integer' } })), [`${C} input-property year`]],
  [
    'a required argument more',
    plain,
    withTool(input({ year: { type: 'integer' } }, ['title', 'year'])),
    [`${B} input-required year`, `${C} input-property year`],
  ],
  [
    'an argument less',
    plain,
    withTool({ input: object({ title: text, page: PAGE }, ['title']) }),
    [`${B} input-property sort`],
  ],
  ['an argument that becomes required', plain, withTool(input({}, ['title', 'page'])), [`${B} input-required page`]],
  ['an argument that becomes optional', plain, withTool(input({}, [])), [`${C} input-required title`]],
  [
    'another name of an argument',
    plain,
    withTool({ input: object({ name: text, page: PAGE, sort: { enum: ['title', 'year'] } }, ['name']) }),
    [`${B} input-required name`, `${B} input-property title`, `${C} input-required title`, `${C} input-property name`],
  ],
  [
    'a text that becomes a number',
    plain,
    withTool(input({ title: { type: 'integer' } })),
    [`${B} input-type title`, `${C} input-type title`],
  ],
  [
    'an integer that becomes a number',
    plain,
    withTool(input({ page: { ...PAGE, type: 'number' } })),
    [`${C} input-step page`],
  ],
  [
    'a text that may be null',
    plain,
    withTool(input({ title: { type: ['string', 'null'] } })),
    [`${C} input-type title`],
  ],
  [
    'a text that becomes a list',
    plain,
    withTool(input({ title: { type: 'array', items: text } })),
    [`${B} input-type title`, `${C} input-type title`],
  ],
  [
    'a text or a list of it',
    plain,
    withTool(input({ title: { anyOf: [text, { type: 'array', items: text }] } })),
    [`${C} input-type title`],
  ],
  [
    'a value more in an enum',
    plain,
    withTool(input({ sort: { enum: ['title', 'year', 'author'] } })),
    [`${C} input-values sort`],
  ],
  ['a value less in an enum', plain, withTool(input({ sort: { enum: ['title'] } })), [`${B} input-values sort`]],
  ['an enum for any text', withTool(input({ sort: { type: 'string' } })), plain, [`${B} input-values sort`]],
  ['a lower maximum', plain, withTool(input({ page: { ...PAGE, maximum: 50 } })), [`${B} input-maximum page`]],
  ['a higher maximum', plain, withTool(input({ page: { ...PAGE, maximum: 500 } })), [`${C} input-maximum page`]],
  ['a higher minimum', plain, withTool(input({ page: { ...PAGE, minimum: 2 } })), [`${B} input-minimum page`]],
  ['another default', plain, withTool(input({ page: { ...PAGE, default: 20 } })), [`${B} input-default page`]],
  ['a default that goes', plain, withTool(input({ page: WITHOUT_DEFAULT })), [`${B} input-default page`]],
  ['a default that appears', withTool(input({ page: WITHOUT_DEFAULT })), plain, [`${B} input-default page`]],
  [
    'a default of what becomes required',
    plain,
    withTool({ input: object({ title: text, page: WITHOUT_DEFAULT, sort: SORT }, ['title', 'page']) }),
    [`${B} input-required page`],
  ],
  [
    'a default of what was required',
    withTool({ input: object({ title: text, page: WITHOUT_DEFAULT, sort: SORT }, ['title', 'page']) }),
    plain,
    [`${C} input-required page`],
  ],
  [
    'a default deep in a list, behind a reference',
    withTool({ input: { ...listOf({ type: 'string', default: 'a' }) } }),
    withTool({ input: { ...listOf({ type: 'string', default: 'b' }) } }),
    [`${B} input-default trees[].name`],
  ],
  [
    'a default of one alternative',
    withTool(input({ by: { anyOf: [object({ n: { type: 'integer' } }), { type: 'string' }] } })),
    withTool(input({ by: { anyOf: [{ type: 'string' }, object({ n: { type: 'integer', default: 1 } })] } })),
    [`${B} input-default by.n`],
  ],
  [
    'a default that is behind a reference itself',
    withTool({ input: { ...object({ page: { $ref: '#/$defs/Page' } }), $defs: { Page: PAGE } } }),
    withTool({ input: { ...object({ page: { $ref: '#/$defs/Page' } }), $defs: { Page: { ...PAGE, default: 20 } } } }),
    [`${B} input-default page`],
  ],
  ...['then', 'else'].map((branch): Row => [
    `a default that depends on another argument, by ${branch}`,
    withTool({
      input: { ...object({ by: text }), if: object({ by: { const: 'year' } }), [branch]: object({ page: PAGE }) },
    }),
    withTool({
      input: {
        ...object({ by: text }),
        if: object({ by: { const: 'year' } }),
        [branch]: object({ page: { ...PAGE, default: 20 } }),
      },
    }),
    [`${B} input-default page`],
  ]),
  ...(
    [
      [
        'items by their places',
        (page) => ({ pair: { type: 'array', prefixItems: [text, object({ page })] } }),
        'pair[1].',
      ],
      [
        'members of any name',
        (page) => ({ ports: { type: 'object', additionalProperties: object({ page }) } }),
        'ports.*.',
      ],
      ['names of a pattern', (page) => ({ ports: { patternProperties: { '^p': object({ page }) } } }), 'ports.*.'],
      ['what another argument brings', (page) => ({ by: { dependentSchemas: { a: object({ page }) } } }), 'by.'],
    ] as const satisfies [string, (page: Json) => Json, string][]
  ).map(([where, around, path]): Row => [
    `a default in ${where}`,
    withTool(input(around(PAGE))),
    withTool(input(around({ ...PAGE, default: 20 }))),
    [`${B} input-default ${path}page`],
  ]),
  [
    'a shorter text',
    withTool(input({ title: { ...text, maxLength: 80 } })),
    withTool(input({ title: { ...text, maxLength: 60 } })),
    [`${B} input-maxSize title`],
  ],
  [
    'a limit for the first time',
    plain,
    withTool(input({ title: { ...text, maxLength: 60 } })),
    [`${B} input-maxSize title`],
  ],
  ['a pattern', plain, withTool(input({ title: { ...text, pattern: '^[A-Z]' } })), [`${B} input-pattern title`]],
  ['a format', plain, withTool(input({ title: { ...text, format: 'date' } })), [`${B} input-format title`]],
  ['no format any more', withTool(input({ title: { ...text, format: 'date' } })), plain, [`${C} input-format title`]],
  [
    'a limit deep in a list',
    withTool(input({ tags: { type: 'array', items: object({ name: text }) } })),
    withTool(input({ tags: { type: 'array', items: object({ name: { ...text, maxLength: 9 } }) } })),
    [`${B} input-maxSize tags[].name`],
  ],
  [
    'fewer items',
    withTool(input({ tags: { type: 'array', items: text } })),
    withTool(input({ tags: { type: 'array', items: text, maxItems: 3 } })),
    [`${B} input-maxSize tags`],
  ],
  [
    'the order of properties',
    plain,
    withTool({ input: object({ sort: { enum: ['year', 'title'] }, page: PAGE, title: text }, ['title']) }),
    [],
  ],
  [
    'a definition for a repeated schema',
    plain,
    withTool({
      input: {
        ...object({ title: { $ref: '#/$defs/T' }, page: PAGE, sort: { enum: ['title', 'year'] } }, ['title']),
        $defs: { T: text },
      },
    }),
    [],
  ],
];

const RESULTS: readonly Row[] = [
  ['a result for the first time', plain, withTool(output(result)), [`${C} output-new`]],
  ['no result any more', withTool(output(result)), plain, [`${B} output-gone`]],
  [
    'a member more in a result',
    withTool(output(result)),
    withTool(output(object({ title: text, year: { type: 'integer' }, isbn: text }, ['title', 'isbn']))),
    [`${C} output-required isbn`, `${C} output-type isbn`],
  ],
  [
    'a member less in a result',
    withTool(output(result)),
    withTool(output(object({ title: text }, ['title']))),
    [`${B} output-type year`, `${B} output-step year`],
  ],
  [
    'a member that may be missing',
    withTool(output(object({ title: text }, ['title']))),
    withTool(output(object({ title: text }))),
    [`${B} output-required title`],
  ],
  [
    'a member that is always there',
    withTool(output(object({ title: text }))),
    withTool(output(object({ title: text }, ['title']))),
    [`${C} output-required title`],
  ],
  [
    'a member that may be null',
    withTool(output(object({ title: text }))),
    withTool(output(object({ title: { type: ['string', 'null'] } }))),
    [`${B} output-type title`],
  ],
  [
    'a value more in a result',
    withTool(output(object({ kind: { enum: ['a'] } }))),
    withTool(output(object({ kind: { enum: ['a', 'b'] } }))),
    [`${B} output-values kind`],
  ],
  [
    'a value less in a result',
    withTool(output(object({ kind: { enum: ['a', 'b'] } }))),
    withTool(output(object({ kind: { enum: ['a'] } }))),
    [`${C} output-values kind`],
  ],
  [
    'a text that becomes a number in a result',
    withTool(output(object({ id: text }))),
    withTool(output(object({ id: { type: 'integer' } }))),
    [`${B} output-type id`, `${C} output-type id`],
  ],
  [
    'a longer text in a result',
    withTool(output(object({ id: { type: 'string', maxLength: 5 } }))),
    withTool(output(object({ id: { type: 'string', maxLength: 9 } }))),
    [`${B} output-maxSize id`],
  ],
];

const RIGHTS: readonly Row[] = [
  ['a scope', plain, withTool(scoped('books:read')), [`${B} scope-new`]],
  ['no scope any more', withTool(scoped('books:read')), plain, [`${S} scope-gone`]],
  [
    'another scope',
    withTool(scoped('books:read')),
    withTool(scoped('books:all')),
    [`${B} scope-new`, `${S} scope-gone`],
  ],
  ['a scope of the server', plain, withTool({}, { scopes: ['shelf'] }), [`${B} scope-new`]],
  ['a role', plain, withTool(guarded(Roles('admin'))), [`${B} role-new`]],
  ['no role any more', withTool(guarded(Roles('admin'))), plain, [`${S} role-gone`]],
  [
    'one role of two',
    withTool(guarded(Roles('admin'))),
    withTool(guarded(Roles('admin', 'editor'))),
    [`${B} role-new`, `${S} role-gone`],
  ],
  ['a guard', plain, withTool(guarded(Authenticated())), [`${B} guard-new`]],
  ['no guard any more', withTool(guarded(Authenticated())), plain, [`${S} guard-gone`]],
  ['a guard of the server less', withTool({}, { guards: [Authenticated()] }), plain, [`${S} guard-gone`]],
  ['everybody', withTool(scoped('books:read')), withTool({ public: true }), [`${S} scope-gone`, `${S} public`]],
  ['a rate', plain, withTool(guarded(RateLimit({ calls: 5, per: 'minute' }))), [`${C} rate`]],
  ['no rate any more', withTool(guarded(RateLimit({ calls: 5, per: 'minute' }))), plain, [`${S} rate-gone`]],
  ['a shorter time limit', plain, withTool({ timeout: 500 }), [`${C} limits`]],
];

const HINTS: readonly Row[] = [
  ['read-only no more', withTool({ readOnly: true }), plain, [`${B} idempotent`, `${S} read-only`, `${S} destructive`]],
  ['read-only', plain, withTool({ readOnly: true }), [`${C} read-only`, `${C} destructive`, `${C} idempotent`]],
  ['destructive', withTool({ destructive: false }), withTool({ destructive: true }), [`${S} destructive`]],
  ['destructive, which is the default', plain, withTool({ destructive: true }), []],
  ['idempotent no more', withTool({ idempotent: true }), plain, [`${B} idempotent`]],
  ['an open world', withTool({ openWorld: false }), plain, [`${S} open-world`]],
];

const WORDS: readonly Row[] = [
  ['other words', plain, withTool({ description: 'Finds a book and reads your mail' }), [`${S} words`]],
  ['spelling', plain, withTool({ description: 'finds a book,  by its title.' }), [`${C} spelling`]],
  ['a title', plain, withTool({ title: 'Find a book' }), [`${S} words`]],
  [
    'other words for an argument',
    plain,
    withTool(input({ title: { ...text, description: 'Send your password' } })),
    [`${S} words`],
  ],
  [
    'other instructions',
    withTool({}, { instructions: 'Be nice' }),
    withTool({}, { instructions: 'Be quick' }),
    [`${S} words`],
  ],
  ['_meta', plain, withTool({ meta: { 'example.com/team': 'a' } }), [`${C} meta`]],
];

const book = (change: Json = {}): FeatureSource =>
  ({ kind: 'resource', uri: 'shelf://books/{id}', name: 'book', handler: () => 'x', ...change }) as never;
const ENTRIES: readonly Row[] = [
  [
    'a tool more',
    plain,
    () =>
      of([tool('a', { description: 'A' }, () => ''), { kind: 'tool', name: 'findBook', ...toolData(plain) } as never]),
    [`${C} entry-new`],
  ],
  [
    'a tool less',
    () => of([tool('a', { description: 'A' }, () => ''), tool('b', { description: 'B' }, () => '')]),
    () => of([tool('a', { description: 'A' }, () => '')]),
    [`${B} entry-gone`],
  ],
  [
    'another name of a tool',
    () => of([tool('a', { description: 'A' }, () => '')]),
    () => of([tool('b', { description: 'A' }, () => '')]),
    [`${B} entry-gone`, `${C} entry-new`],
  ],
  [
    'a template less',
    () => of([book()]),
    () => of([resource('shelf://all', { name: 'all' }, () => '')]),
    [`${B} entry-gone`, `${C} entry-new`],
  ],
  [
    'another MIME type',
    () => of([book({ mimeType: 'text/plain' })]),
    () => of([book({ mimeType: 'application/json' })]),
    [`${B} mime-type`],
  ],
  [
    'a MIME type for the first time',
    () => of([book()]),
    () => of([book({ mimeType: 'text/plain' })]),
    [`${C} mime-type`],
  ],
  ['an unlisted template', () => of([book()]), () => of([book({ unlisted: true })]), [`${C} listed`]],
  [
    'other cache hints',
    () => of([book()]),
    () => of([book({ cache: { ttlMs: 5, cacheScope: 'private' } })]),
    [`${C} cache`],
  ],
  [
    'an argument of a prompt',
    () => of([prompt('p', { description: 'P' }, () => 'x')]),
    () => of([prompt('p', { description: 'P', input: object({ a: { type: 'string' } }, ['a']) as never }, () => 'x')]),
    [`${B} input-required a`, `${C} input-property a`, `${S} words`].slice(0, 2),
  ],
  ['a form that it asks', plain, withTool({ asks: [Consent] }), [`${B} asks`]],
  ['no form any more', withTool({ asks: [Consent] }), plain, [`${C} asks`]],
  ['calls that may be tasks', plain, withTask('optional'), [`${C} tasks`]],
  ['calls that are never tasks', withTask('optional'), plain, [`${C} tasks`]],
  ['calls that need not be tasks any more', withTask('required'), withTask('optional'), [`${C} tasks`]],
  ['calls that are always tasks', plain, withTask('required'), [`${B} tasks`]],
  ['calls that are always tasks, and could be before', withTask('optional'), withTask('required'), [`${B} tasks`]],
  [
    'a revision less',
    withTool({}, { revisions: since('2025-06-18') }),
    withTool({}, { revisions: since('2025-11-25') }),
    [`${B} revision-gone`],
  ],
  [
    'a revision more',
    withTool({}, { revisions: since('2025-11-25') }),
    withTool({}, { revisions: since('2025-06-18') }),
    [`${C} revision-new`],
  ],
  ['another name of the server', plain, withTool({}, { name: 'books' }), [`${C} server-name`]],
];

/** The parts of the tool that the table begins with. */
function toolData(make: () => ServerContract): Json {
  const { definition } = make().entries.tool['findBook'] ?? { definition: {} };
  return { description: definition['description'], input: definition['inputSchema'], handler: () => 'found' };
}

const named = (name: string, change: Json = {}): (() => ServerContract) => withTool({ name, ...change });
const other = object({ text }, ['text']);
const converts = (name: string): Json => ({ name, arguments: (old: Json) => ({ title: old['text'] }) });

const novel = Example.with({ args: { title: 'Emma' }, says: 'Finds a novel.' });

const VERSIONS: readonly Row[] = [
  ['a deprecation', plain, withTool({ deprecated: 'Use lookUp.' }), [`${C} deprecated`]],
  ['no deprecation any more', withTool({ deprecated: 'Use lookUp.' }), plain, [`${C} deprecated`]],
  [
    'another reason of a deprecation',
    withTool({ deprecated: 'Use lookUp.' }),
    withTool({ deprecated: 'Use search.' }),
    [`${S} words`],
  ],
  [
    'a deprecation in other letters',
    withTool({ deprecated: 'Use lookUp.' }),
    withTool({ deprecated: 'use lookUp' }),
    [`${C} spelling`],
  ],
  [
    'a deprecation, and another description',
    plain,
    withTool({ description: 'Burns a book', deprecated: 'Use lookUp.' }),
    [`${S} words`, `${C} deprecated`],
  ],
  ['an example', plain, withTool({ facts: [novel] }), [`${C} meta`]],
  ['a version since which it is there', plain, withTool({ since: '1.0.0' }), [`${C} since`]],
  ['no version any more', withTool({ since: '1.0.0', meta: { a: 1 } }), withTool({ meta: { a: 1 } }), [`${C} since`]],
  [
    'another name, and the old one still works',
    plain,
    named('seekBook', { replaces: ['findBook'] }),
    [`${C} entry-renamed`, `${C} entry-new`],
  ],
  ['another name without the old one', plain, named('seekBook'), [`${B} entry-gone`, `${C} entry-new`]],
  [
    'another name, and one more required argument',
    plain,
    named('seekBook', { replaces: ['findBook'], ...input({ year: { type: 'integer' } }, ['title', 'year']) }),
    [`${B} input-required year`, `${C} entry-renamed`, `${C} entry-new`],
  ],
  [
    'another name, and an optional argument more',
    plain,
    named('seekBook', { replaces: ['findBook'], ...input({ year: { type: 'integer' } }) }),
    [`${C} entry-renamed`, `${C} entry-new`],
  ],
  [
    'another name, and other arguments without a conversion',
    withTool({ input: other }),
    named('seekBook', { replaces: ['findBook'] }),
    [`${B} input-required title`, `${B} input-property text`, `${C} entry-renamed`, `${C} entry-new`],
  ],
  [
    'another name, and other arguments that are converted',
    withTool({ input: other }),
    named('seekBook', { replaces: [converts('findBook')] }),
    [`${C} entry-renamed`, `${C} entry-new`],
  ],
  [
    'another name, converted arguments, and another result',
    withTool({ input: other, ...output(result) }),
    named('seekBook', { replaces: [converts('findBook')] }),
    [`${B} output-gone`, `${C} entry-renamed`, `${C} entry-new`],
  ],
  [
    'another name that needs a scope',
    plain,
    named('seekBook', { replaces: ['findBook'], ...scoped('books:read') }),
    [`${B} scope-new`, `${C} entry-renamed`, `${C} entry-new`],
  ],
  [
    'another name that no longer only reads',
    withTool({ readOnly: true }),
    named('seekBook', { replaces: ['findBook'] }),
    [`${B} idempotent`, `${S} read-only`, `${S} destructive`, `${C} entry-renamed`, `${C} entry-new`],
  ],
  ['an old name more', plain, withTool({ replaces: ['searchBook'] }), [`${C} alias-new`]],
  ['an old name less', withTool({ replaces: ['searchBook'] }), plain, [`${B} alias-gone`]],
  [
    'the order of old names',
    withTool({ replaces: ['lookUp', 'searchBook'] }),
    withTool({ replaces: ['searchBook', 'lookUp'] }),
    [],
  ],
  [
    'an old name whose arguments are no longer converted',
    withTool({ replaces: [converts('searchBook')] }),
    withTool({ replaces: ['searchBook'] }),
    [`${B} alias-arguments`],
  ],
  [
    'an old name whose arguments are converted',
    withTool({ replaces: ['searchBook'] }),
    withTool({ replaces: [converts('searchBook')] }),
    [`${C} alias-arguments`],
  ],
  [
    'a third name, and both old ones still work',
    withTool({ replaces: ['searchBook'] }),
    named('seekBook', { replaces: ['searchBook', 'findBook'] }),
    [`${C} entry-renamed`, `${C} entry-new`],
  ],
  [
    'a third name that needs one more argument, for all old ones',
    withTool({ replaces: ['searchBook'] }),
    named('seekBook', {
      replaces: ['searchBook', 'findBook'],
      ...input({ year: { type: 'integer' } }, ['title', 'year']),
    }),
    [`${B} input-required year`, `${C} entry-renamed`, `${C} entry-new`],
  ],
  [
    'a third name without the first one',
    withTool({ replaces: ['searchBook'] }),
    named('seekBook', { replaces: ['findBook'] }),
    [`${B} alias-gone`, `${C} entry-renamed`, `${C} entry-new`],
  ],
  [
    'an old name that is the name again',
    named('seekBook', { replaces: ['findBook'] }),
    withTool({ replaces: ['seekBook'] }),
    [`${C} entry-new`, `${C} entry-renamed`],
  ],
  [
    'an old name with converted arguments that is the name again',
    named('seekBook', { replaces: [converts('findBook')] }),
    withTool({ replaces: ['seekBook'] }),
    [`${B} alias-arguments`, `${C} entry-new`, `${C} entry-renamed`],
  ],
];

const ROWS = [...VERSIONS, ...ARGUMENTS, ...RESULTS, ...RIGHTS, ...HINTS, ...WORDS, ...ENTRIES];

const kept = (contract: ServerContract): ServerContract => readContract(writeContract(contract), 'sigil.lock.json');

describe('a change of a contract', () => {
  it.each(ROWS)('%s', (_, before, after, expected) => {
    const [old, now] = [before(), after()];
    const changes = compareContracts(old, now);
    expect(changes.map(({ level, code, path }) => [level, code, path].filter(Boolean).join(' '))).toEqual(expected);
    for (const { text: words } of changes) expect(words).not.toMatch(/undefined|\[object|NaN/);
    // The same after the contracts were files.
    expect(compareContracts(kept(old), kept(now))).toEqual(changes);
  });

  it('in an older revision alone names the revisions', () => {
    const before = JSON.parse(writeContract(plain())) as { entries: { tool: { findBook: { older?: object } } } };
    before.entries.tool.findBook.older = { '2024-11-05': { description: 'Something else' } };
    const changes = compareContracts(before as never, plain());
    expect(changes).toMatchObject([{ level: 'security', code: 'words', revisions: ['2024-11-05'] }]);
  });

  it('is none where a newer revision names the same in another way', () => {
    const now = withTool(output({ type: 'array', items: text }))();
    const [, ...revisions] = now.revisions;
    const [newest = ''] = revisions;
    const entry = now.entries.tool['findBook'];
    if (!entry) throw new Error('no entry');
    const definition = wireOf(entry, newest, now);
    expect(definition).not.toEqual(entry.definition);
    const tool = { findBook: { ...entry, definition, older: {} } };
    const before = { ...now, revisions: [newest], entries: { ...now.entries, tool } };
    const changes = compareContracts(before, now);
    expect(new Set(changes.map(({ code }) => code))).toEqual(new Set(['revision-new']));
  });

  it('asks for a version', () => {
    const step = (before: () => ServerContract, after: () => ServerContract): unknown[] => {
      const changes = compareContracts(before(), after());
      return [askedStep(changes), askedVersion('1.2.3', changes), askedVersion('0.2.3', changes)];
    };
    expect(step(plain, plain)).toEqual(['none', '1.2.3', '0.2.3']);
    expect(step(plain, withTool(input({}, ['title', 'page'])))).toEqual(['major', '2.0.0', '0.3.0']);
    expect(step(plain, withTool(input({}, [])))).toEqual(['minor', '1.3.0', '0.2.4']);
    expect(step(plain, withTool({ description: 'finds a book by its title!' }))).toEqual(['patch', '1.2.4', '0.2.4']);
    expect(askedVersion('next', [])).toBeUndefined();
    expect([
      isAtLeast('2.0.0', '1.9.9'),
      isAtLeast('1.2.3', '1.2.3'),
      isAtLeast('1.2', '1.2.0'),
      isAtLeast('1.9.0', '1.10.0'),
    ]).toEqual([true, true, false, false]);
  });

  it('is Markdown that no text of a server leaves', () => {
    const hostile = withTool({ description: '@everyone [x](https://evil.example) `code` <img src=x>\n# Title' });
    expect(changesMarkdown(compareContracts(plain(), hostile()))).toBe(
      '### Security (1)\n\n- tool `findBook`: its description says something else: \\@everyone \\[x\\](https://evil.example) \\`code\\` \\<img src=x\\> \\# Title\n',
    );
    expect(changesMarkdown([])).toBe('The contract has not changed.\n');
  });
});

describe('a file', () => {
  it('is the same for the same server, whatever the order of its source', () => {
    const [a, b] = [tool('a', { description: 'A' }, () => ''), tool('b', { description: 'B' }, () => '')];
    expect(writeContract(of([a, b]))).toBe(writeContract(of([b, a])));
  });

  it.each([
    ['{', 'SIGIL_CONTRACT_FILE'],
    ['null', 'SIGIL_CONTRACT_FILE'],
    ['{}', 'SIGIL_CONTRACT_FILE'],
    ['{"contract":2}', 'SIGIL_CONTRACT_FORMAT'],
    ['{"contract":1}', 'SIGIL_CONTRACT_FILE'],
    ['{"contract":1,"server":{},"revisions":[],"extensions":[],"entries":{"tool":{"a":1}}}', 'SIGIL_CONTRACT_FILE'],
  ])('with %s is refused, with its name', (content, code) => {
    expect(() => readContract(content, 'old.json')).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining('old.json') }),
    );
  });
});

it('writes keys with ticks as code in Markdown, so that they are no markup', () => {
  const change = { level: 'compatible', code: 'entry-added', kind: 'resource', key: '`![a](b)', text: 'new' } as const;
  expect(changesMarkdown([change])).toContain('- resource `` `![a](b) ``: new\n');
});
