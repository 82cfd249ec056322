/** Values that nobody expects, as JSON texts: what `JSON.stringify` cannot write can still be sent. */
import fc from 'fast-check';

/** As much of JSON Schema as tools and forms use. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

const words = fc.constantFrom('a', 'word', 'test', '1', 'a@example.com', 'Ö', '😀', 'hostile://here', 'x'.repeat(30));

const nested = (open: string, close: string, depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`;

const texts = [
  '""', '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\u2028\\u2029"', '"\u2028"', '"\ufeff"', '"💥"', '"\\n\\r\\t"', '"\u202e"',
  '"__proto__"', '"constructor"', '"toString"', '"../../etc/passwd"', '"%00"', '"%ff%2f"', '"{key}"', '"file:///etc/passwd"',
  '"2026-07-28"', '"2025-11-25"', '"9999-99-99"', '"1999-01-01"', '"1"', '"a"', '"=?base64?!!?="', '"\\u001b[31m"',
]; // prettier-ignore
const numbers = [
  '0', '-0', '1.5', '-1', '1e300', '1e400', '-1e400', '9007199254740993', '12345678901234567890', '0.1e-400', '2147483648', '1E3',
]; // prettier-ignore
const others = [
  'null', 'true', 'false', '[]', '{}', '[null]', '[[]]', '{"":{}}', '{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":1,"a":2}', '{"toString":1,"valueOf":2,"toJSON":3}', '{"then":1}', '{"length":-1}',
]; // prettier-ignore
/** No JSON at all. */
const broken = [
  'undefined',
  'NaN',
  '+1',
  '01',
  '.5',
  "'x'",
  '',
  '[1,]',
  '{"a":1,}',
  '"\u0001"',
  '"\\x"',
  '"\\ud83',
  '{',
  ']',
  '/**/1',
];

/** The JSON text of an odd value; seldom one that is no JSON. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...texts) },
  { weight: 5, arbitrary: fc.constantFrom(...numbers) },
  { weight: 6, arbitrary: fc.constantFrom(...others) },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map((text) => JSON.stringify(text)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom<[string, string]>(['[', ']'], ['{"a":', '}']), fc.integer({ min: 2, max: 3000 }))
      .map(([[open, close], depth]) => nested(open, close, depth)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('x', 'ä', '\\u2028', '"'), fc.integer({ min: 1, max: 20_000 }))
      .map(([unit, length]) =>
        unit.startsWith('\\') ? `"${unit.repeat(length)}"` : JSON.stringify(unit.repeat(length)),
      ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...broken) },
);

/** Names of members that mean something to JavaScript, to JSON-RPC or to MCP. */
export const oddName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'then',
    'toJSON',
    'length',
    '',
    '0',
  ),
  fc.constantFrom(
    'id',
    'method',
    'params',
    'result',
    'error',
    'jsonrpc',
    '_meta',
    'name',
    'uri',
    'arguments',
    'cursor',
    'task',
  ),
  fc.constantFrom(
    'io.modelcontextprotocol/protocolVersion',
    'io.modelcontextprotocol/clientCapabilities',
    'io.modelcontextprotocol/logLevel',
    'progressToken',
    'inputResponses',
    'requestState',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
);

/** Ids of requests that are, or are not, ids. */
export const oddId: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'null',
    '1.5',
    '1e300',
    '1e400',
    '""',
    '{}',
    '[]',
    'true',
    '"1"',
    '1',
    '-1',
    '9007199254740991',
    '9007199254740992',
  ),
  fc.constantFrom('"\\ud800"', '"__proto__"', '"a\\u0000b"', '1.0', '-0', '"é"', `"${'i'.repeat(3000)}"`),
);

/** Values for a schema. */
export function valuesFor(schema: Schema, depth = 3): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fitting(schema, depth) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
  );
}

function fitting(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const choices = schema.oneOf ?? schema.anyOf;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  if (choices && depth > 0) return fc.oneof(...choices.map((choice) => valuesFor(choice, depth - 1)));
  switch (schema.type) {
    case 'object':
      return objectFor(schema, depth);
    case 'array':
      return fc.array(depth > 0 ? valuesFor(schema.items ?? {}, depth - 1) : words, { maxLength: 3 });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: Math.max(schema.minimum ?? -5, schema.maximum ?? 5) });
    case 'number':
      return fc.double({
        min: schema.minimum ?? -5,
        max: Math.max(schema.minimum ?? -5, schema.maximum ?? 5),
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    default:
      return words;
  }
}

function objectFor({ properties = {}, required = [] }: Schema, depth: number): fc.Arbitrary<object> {
  if (depth === 0) return fc.constant({});
  const members = Object.entries(properties).map(([name, inner]) => {
    const present = fc.tuple(fc.constant(name), valuesFor(inner, depth - 1)).map((entry) => [entry]);
    const weight = required.includes(name) ? 12 : 3;
    return fc.oneof({ weight, arbitrary: present }, { weight: 1, arbitrary: fc.constant([]) });
  });
  return fc.tuple(...members).map((entries) => Object.fromEntries(entries.flat()) as object);
}
