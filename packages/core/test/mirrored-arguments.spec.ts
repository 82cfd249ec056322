/** Input schemas -> the arguments that travel in headers, or every reason why they cannot. */
import fc from 'fast-check';
import type { DefinitionProblem } from '@sigil-mcp/base';
import type { JsonSchema } from '@sigil-mcp/schema';
import { readMirroredArguments, type MirroredArgument } from '../src/mirrored-arguments/mirrored-arguments';

interface Outcome {
  readonly mirrored: readonly MirroredArgument[] | undefined;
  readonly problems: readonly DefinitionProblem[];
}

function read(schema: JsonSchema): Outcome {
  const problems: DefinitionProblem[] = [];
  return { mirrored: readMirroredArguments({ schema }, (problem) => problems.push(problem), 'Tools.run'), problems };
}

const codesOf = (schema: JsonSchema): string[] => read(schema).problems.map(({ code }) => code);
const annotated = (header: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': header });
const objectWith = (properties: JsonSchema) => ({ type: 'object', properties });

const tokenCharacters = [..."!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const token = fc.string({ unit: fc.constantFrom(...tokenCharacters), minLength: 1, maxLength: 20 });

describe('mirrored arguments', () => {
  it('are none without an annotation', () => {
    expect(read(objectWith({ region: { type: 'string' } }))).toEqual({ mirrored: [], problems: [] });
  });

  it('may have any token as their header, standard names included [TOOL-027]', () => {
    expect(read(objectWith({ method: annotated('Method') })).mirrored).toEqual([
      { header: 'mcp-param-method', path: ['method'], type: 'string' },
    ]);
    fc.assert(
      fc.property(token, (header) => {
        const [mirrored] = read(objectWith({ region: annotated(header) })).mirrored ?? [];
        expect(mirrored?.header).toBe(`mcp-param-${header.toLowerCase()}`);
      }),
    );
  });

  it('have no header that is empty, no token, or no string [TOOL-027]', () => {
    const bad = [
      '',
      'My Region',
      'Region:Primary',
      'Région',
      'Region\t1',
      'Region\r\n',
      'a(b)',
      'a/b',
      '日本',
      7,
      null,
      {},
      ['A'],
    ];
    for (const header of bad) expect(codesOf(objectWith({ region: annotated(header) }))).toEqual(['SIGIL_HEADER_NAME']);
    const stranger = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((text) => [...text].some((unit) => !tokenCharacters.includes(unit)));
    fc.assert(
      fc.property(stranger, (header) => {
        expect(codesOf(objectWith({ region: annotated(header) }))).toEqual(['SIGIL_HEADER_NAME']);
      }),
    );
  });

  it('share no header, whatever its case and depth [TOOL-028]', () => {
    const schema = objectWith({
      region: annotated('Region'),
      filter: objectWith({ area: annotated('REGION') }),
      city: annotated('City'),
    });
    const { mirrored, problems } = read(schema);
    expect(mirrored).toBeUndefined();
    expect(problems).toEqual([
      {
        code: 'SIGIL_HEADER_TWICE',
        where: 'Tools.run',
        problem: 'The arguments region and filter.area use the same header "REGION". Header names ignore case.',
        fix: expect.any(String) as string,
      },
    ]);
  });

  it('are strings, integers and booleans, enums among them included [TOOL-029]', () => {
    const schema = objectWith({
      a: annotated('A', 'string'),
      b: annotated('B', 'integer'),
      c: annotated('C', 'boolean'),
      d: { ...annotated('D'), enum: ['x', 'y'] },
    });
    expect(read(schema).mirrored?.map(({ type }) => type)).toEqual(['string', 'integer', 'boolean', 'string']);
  });

  it('are of no other type, and of one only, because clients drop a tool whose mirrored type is a list [TOOL-029]', () => {
    const lists = [['string', 'integer'], ['string', 'null'], ['null', 'integer'], ['string'], ['null'], []];
    const bad = ['number', 'object', 'array', 'null', ...lists, 'String', 1, null];
    for (const type of bad)
      expect(codesOf(objectWith({ region: annotated('R', type) }))).toEqual(['SIGIL_HEADER_TYPE']);
    expect(codesOf(objectWith({ region: { enum: ['a', 'b'], 'x-mcp-header': 'R' } }))).toEqual(['SIGIL_HEADER_TYPE']);
    expect(codesOf(objectWith({ region: { $ref: '#/$defs/region', 'x-mcp-header': 'R' } }))).toEqual([
      'SIGIL_HEADER_TYPE',
    ]);
  });

  it('lie at any depth of nested objects [TOOL-030]', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 8 }), (path) => {
        const schema = path.reduceRight<JsonSchema>(
          (inner, name) => objectWith(Object.fromEntries([[name, inner]])),
          annotated('Deep'),
        );
        expect(read(schema).mirrored).toEqual([{ header: 'mcp-param-deep', path, type: 'string' }]);
      }),
    );
  });

  it('are not behind anything but properties [TOOL-030]', () => {
    const region = annotated('Region');
    const inside = objectWith({ region });
    const places: JsonSchema[] = [
      ...[
        'items',
        'contains',
        'additionalProperties',
        'unevaluatedProperties',
        'unevaluatedItems',
        'additionalItems',
      ].map((keyword) => ({ [keyword]: region })),
      ...['not', 'if', 'then', 'else', 'propertyNames', 'contentSchema', 'x-anything'].map((keyword) => ({
        [keyword]: inside,
      })),
      ...['oneOf', 'anyOf', 'allOf', 'prefixItems', 'items'].map((keyword) => ({ [keyword]: [{}, inside] })),
      ...['$defs', 'definitions', 'patternProperties', 'dependentSchemas', 'dependencies'].map((keyword) => ({
        [keyword]: { region },
      })),
    ];
    for (const place of places) {
      expect(codesOf({ type: 'object', ...place })).toEqual(['SIGIL_HEADER_PLACE']);
      expect(codesOf(objectWith({ nested: place }))).toEqual(['SIGIL_HEADER_PLACE']);
    }
    expect(codesOf({ type: 'object', 'x-mcp-header': 'Root' })).toEqual(['SIGIL_HEADER_PLACE']);
  });

  it('are told from data and from names that only look like the keyword [TOOL-030]', () => {
    const data = { 'x-mcp-header': 'Not a token' };
    const schema = {
      ...objectWith({
        'x-mcp-header': { type: 'string' },
        mode: { const: data, enum: [data], default: data, examples: [data] },
      }),
      $defs: { 'x-mcp-header': { type: 'string' } },
      required: ['x-mcp-header'],
    };
    expect(read(schema)).toEqual({ mirrored: [], problems: [] });
  });

  it.each([
    ['itself', objectWith({ key: { ...annotated('Key'), format: 'password' } })],
    ['within an object', objectWith({ login: objectWith({ key: { ...annotated('Key'), writeOnly: true } }) })],
    ['as a part of an object', objectWith({ login: { ...objectWith({ key: annotated('Key') }), writeOnly: true } })],
    [
      'where a rule that it refers to says so',
      { ...objectWith({ key: { ...annotated('Key'), $ref: '#/$defs/key' } }), $defs: { key: { writeOnly: true } } },
    ],
  ])('are no secrets: a property that is one %s', (_how, schema) => {
    expect(codesOf(schema)).toEqual(['SIGIL_HEADER_SENSITIVE']);
  });

  it('may stand beside a secret', () => {
    const schema = objectWith({ key: { type: 'string', writeOnly: true }, region: annotated('Region') });
    expect(read(schema)).toMatchObject({ mirrored: [{ path: ['region'] }], problems: [] });
  });

  it('are all judged, however many are wrong', () => {
    const schema = objectWith({
      a: annotated(''),
      b: annotated('B', 'number'),
      c: { items: annotated('C') },
      d: annotated('D'),
    });
    expect(codesOf(schema)).toEqual(['SIGIL_HEADER_NAME', 'SIGIL_HEADER_TYPE', 'SIGIL_HEADER_PLACE']);
  });

  it('are not looked for in a schema that contains itself or is too large', () => {
    const cyclic: Record<string, unknown> = { type: 'object' };
    cyclic['properties'] = { again: cyclic };
    expect(codesOf(cyclic)).toEqual(['SIGIL_SCHEMA_TOO_LARGE']);
    const deep = Array.from({ length: 5000 }).reduce<JsonSchema>((inner) => objectWith({ a: inner }), {});
    expect(codesOf(deep)).toEqual(['SIGIL_SCHEMA_TOO_LARGE']);
  });
});
