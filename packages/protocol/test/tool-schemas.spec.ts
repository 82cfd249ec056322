import { findRevision, isObjectRooted } from '@sigil-mcp/protocol';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import { wrapOutputSchema, writePropertySchemas } from '../src/writing/tool-schemas';
import { deepFreeze, server } from './rich-values';

const tree = (leaf: string) => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }],
  $defs: { node: { type: 'object', properties: { [leaf]: { $ref: '#' } }, additionalProperties: false } },
});

describe('the schemas of a tool', () => {
  it('count as object-rooted by their root type alone [TOOL-008]', () => {
    expect(isObjectRooted({ type: 'object' })).toBe(true);
    const others = [{}, { type: 'array' }, { type: ['object'] }, { anyOf: [{ type: 'object' }] }, { properties: {} }];
    for (const schema of others) {
      expect(isObjectRooted(schema)).toBe(false);
    }
  });

  it('are listed as they are where their root is an object', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    expect(wrapOutputSchema(schema, 'a')).toBe(schema);
    expect(writePropertySchemas(schema)).toBe(schema);
  });

  it('are wrapped otherwise [TOOL-008]', () => {
    expect(wrapOutputSchema({ type: 'array', items: { type: 'string' } }, 'a')).toEqual({
      type: 'object',
      properties: { result: { type: 'array', items: { type: 'string' } } },
      required: ['result'],
    });
  });

  it.each([
    ['draft-07', () => new Ajv({ strict: false })],
    ['2020-12', () => new Ajv2020({ strict: false })],
  ])('keep their references when wrapped, several in one %s validator', (dialect, validator) => {
    const ajv = validator();
    const schemas = ['left', 'right down'].map((leaf) => {
      const { $schema, ...rest } = deepFreeze(tree(leaf));
      return [leaf, wrapOutputSchema(dialect === 'draft-07' ? { $schema, ...rest } : rest, leaf)] as const;
    });
    const compiled = schemas.map(([leaf, schema]) => [leaf, ajv.compile(schema)] as const);
    for (const [leaf, validate] of compiled) {
      expect(validate({ result: { [leaf]: { [leaf]: null } } })).toBe(true);
      expect(validate({ result: { [leaf]: { other: null } } })).toBe(false);
      expect(validate({ [leaf]: null })).toBe(false);
    }
  });

  it('keep an $id of their own, and lift $schema to the new root', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    const root = { $id: 'https://example.com/a', $ref: '#/$defs/a', $defs: { a: {} } };
    expect(wrapOutputSchema({ $schema, ...root }, 'a')).toEqual({
      $schema,
      type: 'object',
      properties: { result: root },
      required: ['result'],
    });
  });

  it('have objects for properties until 2025-11-25, and any schema since', () => {
    const inputSchema = deepFreeze({ type: 'object', properties: { yes: true, no: false, a: { type: 'string' } } });
    const list = (version: string) =>
      findRevision(version)!
        .writerFor(server)
        .writeResult('tools/list', { tools: [{ name: 'a', inputSchema }] })['tools'];
    expect(list('2025-11-25')).toEqual([
      { name: 'a', inputSchema: { type: 'object', properties: { yes: {}, no: { not: {} }, a: { type: 'string' } } } },
    ]);
    expect(list('2026-07-28')).toEqual([{ name: 'a', inputSchema }]);
  });

  it('may have any root in 2026-07-28 [TOOL-009]', () => {
    const tool = { name: 'a', inputSchema: { type: 'object' }, outputSchema: { type: 'array' } };
    expect(
      findRevision('2026-07-28')!
        .writerFor(server)
        .writeResult('tools/list', { tools: [tool] })['tools'],
    ).toEqual([tool]);
  });
});
