/** The files of types that `sigil types` writes: valid for every schema, and right for those that types can say. */
import { join } from 'node:path';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import ts from 'typescript';
import { libraryHost, type Declarations } from '../../../test/support/library-host';
import { writeApiFile } from '../src/types/api-file';

type Seen = Parameters<typeof writeApiFile>[0];
type Schema = Readonly<Record<string, unknown>>;

function seen(parts: Partial<Record<'tools' | 'prompts' | 'resources' | 'resourceTemplates', unknown>>): Seen {
  const none = { tools: [], prompts: [], resources: [], resourceTemplates: [], suggestions: {} };
  const server = { name: 'shop', version: '1.0.0' };
  // A server may send anything: what the official client has let through arrives here.
  return { ...none, server, ...parts } as unknown as Seen;
}

const withTool = (inputSchema: unknown, more: Schema = {}): string =>
  writeApiFile(seen({ tools: [{ name: 'buy', inputSchema, ...more }] }), 'Api');

const declarations: Declarations = new Map();

/** The errors of the compiler in a file, with lines that use it. */
function problemsIn(text: string, ...uses: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-types-'));
  const file = join(folder, 'api.ts');
  try {
    writeFileSync(file, `${text}\n${uses.join('\n')}\n`);
    const options = { strict: true, noEmit: true, lib: ['lib.es2022.d.ts'], types: [], skipLibCheck: true };
    const program = ts.createProgram([file], options, libraryHost(options, declarations));
    return ts.getPreEmitDiagnostics(program).map((each) => {
      const line = each.file?.getLineAndCharacterOfPosition(each.start ?? 0).line ?? 0;
      return `${line - text.split('\n').length + 1}: ${ts.flattenDiagnosticMessageText(each.messageText, ' ')}`;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const use = (name: string, value: string): string =>
  `export const ${name}: Api['tools']['buy']['arguments'] = ${value};`;

it('say which arguments there are, which may be left out, and what they are', () => {
  const text = withTool({
    type: 'object',
    properties: {
      'book-id': { type: 'string', description: 'Its number' },
      count: { type: ['integer', 'null'] },
      kind: { enum: ['new', 'used', 7, null] },
      place: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: false },
      rates: { type: 'object', additionalProperties: { type: 'number' } },
      both: { allOf: [{ properties: { a: { const: 1 } }, required: ['a'] }, { properties: { b: true } }] },
      anything: true,
    },
    required: ['book-id'],
  });
  const right = `{ 'book-id': 'x', count: null, kind: 7, place: [1], pair: ['a', true], rates: { eur: 1 }, both: { a: 1, b: [] }, anything: {} }`;
  expect(problemsIn(text, use('right', right), use('least', `{ 'book-id': 'x' }`))).toEqual([]);
  const wrong = [
    '{}',
    `{ 'book-id': 1 }`,
    `{ 'book-id': 'x', kind: 'old' }`,
    `{ 'book-id': 'x', place: ['a'] }`,
    `{ 'book-id': 'x', both: { b: 1 } }`,
    `{ 'book-id': 'x', other: 1 }`,
  ];
  const problems = problemsIn(text, ...wrong.map((value, index) => use(`wrong${index}`, value)));
  expect(problems.map((problem) => problem.split(':')[0])).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(text).toContain('/** Its number */');
});

it('name what refers to itself, and declare the same type once', () => {
  const tree = {
    type: 'object',
    properties: { leaf: { $ref: '#/$defs/Leaf' }, children: { type: 'array', items: { $ref: '#' } } },
    $defs: { Leaf: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] } },
  };
  const copy = JSON.parse(JSON.stringify(tree)) as Schema;
  const text = writeApiFile(
    seen({
      tools: [
        { name: 'buy', inputSchema: tree },
        { name: 'sell', inputSchema: copy },
      ],
    }),
    'Api',
  );
  expect(text.match(/^export type \w+/gm)).toEqual([
    'export type Leaf',
    'export type BuyArguments',
    'export type SellArguments',
  ]);
  const leaf = `{ leaf: { colour: 'red' } }`;
  expect(problemsIn(text, use('right', `{ children: [{ children: [${leaf}] }] }`))).toEqual([]);
  expect(problemsIn(text, use('wrong', `{ children: [{ children: [{ leaf: {} }] }] }`))).toHaveLength(1);
});

it.each<[string, unknown, Schema?]>([
  ['a reference that leads nowhere', { properties: { a: { $ref: '#/$defs/none' } } }],
  ['a reference that cannot be decoded', { properties: { a: { $ref: '#/%E0%A4%A' } } }],
  ['a reference to another document', { properties: { a: { $ref: 'https://example.com/schema' } } }],
  ['a reference to its prototype', { properties: { a: { $ref: '#/__proto__/constructor' } } }],
  ['no schema', undefined],
  ['a list as a schema', [1]],
  ['odd members', { type: 7, properties: [], required: 'a', enum: {}, anyOf: 3, items: 'x' }],
  ['a description that ends the comment', { properties: { a: { description: '*/ process.exit(1); /*' } } }],
  ['lines in a description', { properties: { a: { description: 'one\n}\r\n*/ {\u2028three' } } }, { description: '{' }],
  ['odd names', { properties: { 'a"b': {}, '\n': {}, ['__proto__']: {}, '${x}': {}, '`': {} } }],
])('are valid TypeScript with %s', (_what, inputSchema, more = {}) => {
  expect(problemsIn(withTool(inputSchema, more))).toEqual([]);
});

it('stop where a schema is deeper than anybody reads', () => {
  let schema: Schema = { type: 'string' };
  for (let depth = 0; depth < 5000; depth += 1) schema = { properties: { next: schema } };
  expect(withTool(schema).length).toBeLessThan(20_000);
});

it('are valid TypeScript for any schema', () => {
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
    const words = fc.oneof(fc.constantFrom('a', '$ref', 'type', '__proto__', '*/', '{'), fc.string());
    const type = fc.constantFrom('string', 'object', 'array', 'null', 'integer', 'odd');
    const members = fc.dictionary(words, tie('schema'), { maxKeys: 3 });
    return {
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.boolean(),
        fc.record(
          {
            type: fc.oneof(type, fc.array(type, { maxLength: 2 })),
            description: fc.oneof(words, fc.jsonValue()),
            properties: members,
            required: fc.array(words, { maxLength: 2 }),
            items: tie('schema'),
            prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
            additionalProperties: tie('schema'),
            anyOf: fc.array(tie('schema'), { maxLength: 2 }),
            allOf: fc.array(tie('schema'), { maxLength: 2 }),
            enum: fc.array(fc.jsonValue(), { maxLength: 2 }),
            const: fc.jsonValue(),
            $defs: members,
            $ref: fc.oneof(fc.constantFrom('#', '#/$defs/a', '#/properties/a'), words),
          },
          { requiredKeys: [] },
        ),
      ),
    };
  });
  fc.assert(
    fc.property(schema, (inputSchema) => {
      const text = withTool(inputSchema);
      const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
      expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it('give the same text for the same server, in the order of names', () => {
  const [one, two] = ['zebra', 'ant'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  expect(writeApiFile(seen({ tools: [one, two] }), 'Api')).toBe(writeApiFile(seen({ tools: [two, one] }), 'Api'));
});

it('have the variables of templates, and the arguments of prompts', () => {
  const text = writeApiFile(
    seen({
      resourceTemplates: [{ name: 'page', uriTemplate: 'book://{title}{/rest*}{?page,size:3}' }],
      prompts: [
        { name: 'ask', arguments: [{ name: 'what', required: true, description: 'A thing' }, { name: 'how' }] },
      ],
    }),
    'Shop',
  );
  const lines = [
    `export const page: Shop['resources']['page']['arguments'] = { title: 'Emma', rest: ['a', 1], page: 2, size: 'abc' };`,
    `export const ask: Shop['prompts']['ask']['arguments'] = { what: 'x' };`,
  ];
  expect(problemsIn(text, ...lines)).toEqual([]);
  expect(problemsIn(text, `export const ask: Shop['prompts']['ask']['arguments'] = { how: 'x' };`)).toHaveLength(1);
});
