/** Whether a schema is one of JSON Schema 2020-12, by its meta-schema. */
import { createRequire } from 'node:module';
import type * as Validators from '@modelcontextprotocol/client/validators/ajv' with { 'resolution-mode': 'require' };
import { isObject } from '@sigil-mcp/base';
import type { LooseSchema } from '../../arguments/json-schema';

/** A schema, and the way to it. */
export interface PlacedSchema {
  readonly schema: LooseSchema;
  /** A JSON pointer, such as `/inputSchema/properties/tags/items`. */
  readonly place: string;
}

/** Keywords with schemas by names. */
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Keywords with a schema, or a list of them. */
const NESTED = [
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'contentSchema'],
  ...['items', 'prefixItems', 'additionalItems', 'contains', 'unevaluatedItems'],
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames'],
];

const META_SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

/** Says what is wrong with a schema that stands at a place: each a JSON pointer and a reason; empty if nothing is. */
export type JudgeSchema = (schema: unknown, place: string) => readonly string[];

/** Loads the meta-schema, which the validator of the official client has: 0.1 s. */
export function loadMetaSchema(): JudgeSchema {
  const { AjvJsonSchemaValidator } = createRequire(__filename)(
    '@modelcontextprotocol/client/validators/ajv',
  ) as typeof Validators;
  const judge = new AjvJsonSchemaValidator().getValidator({ $ref: META_SCHEMA });
  return (schema, place) => {
    try {
      const { errorMessage = '' } = judge(schema);
      return firstOfEach(errorMessage, place);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return [`${pointer(place)} is nested too deeply to be checked`];
    }
  };
}

/** The first error of each place, which names the cause; ajv adds those of every branch of the meta-schema. A name may have line breaks. */
function firstOfEach(message: string, place: string): readonly string[] {
  const first = new Map<string, string>();
  for (const [, path = '', reason = ''] of message.matchAll(/(?:^|, )data(\/.*?)? (must .*?)(?=, data[/ ]|$)/gs))
    // Formats say what a text means, and make no schema invalid.
    if (!first.has(path) && !reason.startsWith('must match format')) first.set(path, `${place}${path} ${reason}`);
  return [...first.values()];
}

/** All schemas, the root first, and each before those within it. No depth is too much for it: any server may have written the schema. */
export function schemasIn(root: unknown, place = ''): readonly PlacedSchema[] {
  const found: PlacedSchema[] = [];
  const open: (readonly [schema: unknown, place: string])[] = [[root, place]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [schema, own] = next;
    if (!isObject(schema)) continue;
    found.push({ schema, place: own });
    open.push(...childrenOf(schema, own).reverse());
  }
  return found;
}

function childrenOf(schema: LooseSchema, place: string): (readonly [schema: unknown, place: string])[] {
  const named = NAMED.flatMap((word) => {
    const schemas = schema[word];
    return isObject(schemas)
      ? Object.entries(schemas).map(([name, each]) => [each, pointer(place, word, name)] as const)
      : [];
  });
  const nested = NESTED.flatMap((word) => {
    const value = schema[word];
    if (!isObject(value) && !Array.isArray(value)) return [];
    return Array.isArray(value)
      ? (value as unknown[]).map((each, index) => [each, pointer(place, word, String(index))] as const)
      : [[value, pointer(place, word)] as const];
  });
  return [...named, ...nested];
}

/** A JSON pointer to a part of a value. @see https://www.rfc-editor.org/rfc/rfc6901 */
export function pointer(place: string, ...names: readonly string[]): string {
  // Added one to the other, which copies none of a long place.
  return names.reduce((path, name) => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, place);
}
