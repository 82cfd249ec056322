/** Values for a JSON Schema: mostly such that fit, sometimes such that nearly do. */
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
