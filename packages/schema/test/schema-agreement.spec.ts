/** Schema and validator agree: for generated DTOs and values, ajv under the listed schema accepts what `read` accepts. */
import Ajv from 'ajv/dist/2020';
import fc from 'fast-check';
import { compileInput, compileOutput } from '../src/compile-shapes';
import type { JsonSchema, Reading } from '../src/value-plan';
import type { DefinitionProblem } from '@sigil-mcp/base';
import { generatedDto } from './generated-dto';
import { all, runs } from '../../../test/support/matrix';

const times = Number(process.env['AGREEMENT_RUNS'] ?? runs(400));
/** To see the same classes again: the seed of a failure. */
const seed = process.env['AGREEMENT_SEED'] === undefined ? {} : { seed: Number(process.env['AGREEMENT_SEED']) };
const ajvOptions = { strict: false, validateFormats: false, ownProperties: true, logger: false } as const;

type Accepts = (schema: JsonSchema, value: unknown) => boolean;

/** One ajv for all cases, because its meta-schemas cost more than a case; it forgets each schema by its identity. */
const judge = new Ajv({ ...ajvOptions, meta: false, validateSchema: false });

/** Compiles each schema once, however often it is asked. */
function accepts(): Accepts {
  const compiled = new Map<JsonSchema, (value: unknown) => unknown>();
  return (schema, value) => {
    const validate = compiled.get(schema) ?? judge.compile(schema);
    compiled.set(schema, validate);
    judge.removeSchema(schema);
    return validate(value) as boolean;
  };
}

/** A schema and the definitions that it refers to. */
interface Place {
  readonly root: JsonSchema;
  readonly isValid: Accepts;
}

const withDefinitions = (schema: JsonSchema, root: JsonSchema): JsonSchema =>
  '$defs' in root ? { ...schema, $defs: root['$defs'] } : schema;

const distinct = (items: readonly unknown[]): unknown[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

/** The one leniency: null for an optional property counts as absent. Removes such nulls, as the schema wants them. */
function withoutAbsentNulls(schema: JsonSchema, value: unknown, place: Place): unknown {
  const { $ref } = schema;
  const { root, isValid } = place;
  const at = typeof $ref === 'string' ? (root['$defs'] as Record<string, JsonSchema>)[$ref.split('/').pop()!]! : schema;
  if (typeof value !== 'object' || value === null) return value;
  const options = (at['anyOf'] ?? at['oneOf']) as JsonSchema[] | undefined;
  if (options) {
    const read = options.map((option) => [option, withoutAbsentNulls(option, value, place)] as const);
    const fitting = read.find(([option, wanted]) => isValid(withDefinitions(option, root), wanted));
    return fitting ? fitting[1] : value;
  }
  const { items, additionalProperties: others } = at;
  if (Array.isArray(value)) {
    if (!items) return value as unknown;
    const wanted = value.map((item) => withoutAbsentNulls(items as JsonSchema, item, place));
    // What is not the same as it was sent may be so without its nulls: of a Set both are read.
    return at['uniqueItems'] && distinct(value).length === value.length ? distinct(wanted) : wanted;
  }
  if (typeof others === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, withoutAbsentNulls(others as JsonSchema, each, place)]),
    );
  if (others !== false) return value;
  const properties = new Map(Object.entries((at['properties'] ?? {}) as Record<string, JsonSchema>));
  const required = (at['required'] ?? []) as string[];
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const property = properties.get(key);
    if (!property) return [[key, member]];
    const isAbsent = member === null && !required.includes(key) && !isValid(withDefinitions(property, root), null);
    return isAbsent ? [] : [[key, withoutAbsentNulls(property, member, place)]];
  });
  return Object.fromEntries(entries);
}

const cases = generatedDto(2).chain(({ dto, values }) =>
  fc.record({ dto: fc.constant(dto), values: fc.array(values, { minLength: 4, maxLength: 4 }) }),
);

/** fast-deep-equal, ajv's comparison, trips over such keys; what JSON Schema says about them is no question. */
const confusesAjv = (schema: JsonSchema, value: unknown): boolean =>
  JSON.stringify(schema).includes('uniqueItems') && /"(constructor|valueOf|toString)"/.test(JSON.stringify(value));

/** What stands at a path of a value. */
function at(value: unknown, path: string): unknown {
  const steps = path.split(/[.[\]"]+/).filter((step) => step !== '');
  return steps.reduce<unknown>((object, step) => (object as Record<string, unknown> | undefined)?.[step], value);
}

/** Whether all that was read was sent, and nothing was added by a default. */
function isSent(sent: unknown, read: unknown): boolean {
  if (sent === undefined || sent === null) return false;
  if (typeof read !== 'object' || read === null || typeof sent !== 'object') return true;
  return Object.entries(read).every(([name, member]) => {
    const before = (sent as Record<string, unknown>)[name];
    return member === undefined || (Object.hasOwn(sent, name) && (before === member || isSent(before, member)));
  });
}

describe('schema and validator', () => {
  it('accept the same arguments, for every class [TOOL-025]', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(cases, ({ dto, values }) => {
        const problems: DefinitionProblem[] = [];
        const shape = compileInput(dto, {}, (problem) => problems.push(problem), 'Generated');
        expect(problems.filter(({ code }) => code !== 'SIGIL_DTO_CONTRADICTION')).toEqual([]);
        if (!shape) return;
        const isValid = accepts();
        for (const value of values) {
          if (confusesAjv(shape.schema, value)) continue;
          const wanted = withoutAbsentNulls(shape.schema, value, { root: shape.schema, isValid });
          const expected = isValid(shape.schema, wanted);
          const reading = shape.read(value);
          if (!('ok' in reading)) throw new Error('expected a synchronous reading');
          seen[reading.ok ? 'accepted' : 'refused'] += 1;
          if (reading.ok !== expected)
            throw new Error(JSON.stringify({ expected, reading, schema: shape.schema, value }));
        }
      }),
      { numRuns: times, ...seed },
    );
    // A generator that only makes rubbish would prove nothing.
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(all ? times / 2 : 0);
  }, 3_600_000);

  it('agree on every output: what is written conforms to the listed schema [TOOL-010]', () => {
    fc.assert(
      fc.property(cases, ({ dto, values }) => {
        const shape = compileOutput(dto, () => undefined, 'Generated');
        if (!shape) return;
        const isValid = accepts();
        for (const value of values) {
          const before = JSON.stringify(value);
          const writing = shape.write(value);
          if (!('ok' in writing)) throw new Error('expected a synchronous writing');
          expect(JSON.stringify(value)).toBe(before);
          if (!writing.ok || confusesAjv(shape.schema, value)) continue;
          if (!isValid(shape.schema, writing.value))
            throw new Error(JSON.stringify({ writing, schema: shape.schema, value }));
        }
      }),
      { numRuns: times, ...seed },
    );
  }, 3_600_000);

  it('agree on what was read: it is written as it is listed, and read again', () => {
    let written = 0;
    fc.assert(
      fc.property(cases, ({ dto, values }) => {
        const input = compileInput(dto, {}, () => undefined, 'Generated');
        const output = compileOutput(dto, () => undefined, 'Generated');
        // Two items may differ in what was sent, and no longer after their defaults were added.
        if (!input || !output || JSON.stringify(input.schema).includes('uniqueItems')) return;
        const isValid = accepts();
        for (const value of values) {
          const reading = input.read(value) as Reading<unknown>;
          if (!reading.ok) continue;
          const writing = output.write(reading.value) as Reading<unknown>;
          // A default that its own rules refuse is kept where a condition asks nothing of it, and refused where it is written.
          const isKeptDefault = ({ path }: { readonly path: string }): boolean =>
            !isSent(at(value, path), at(reading.value, path));
          if (!writing.ok && writing.failures.every(isKeptDefault)) continue;
          const again = writing.ok && (input.read(writing.value) as Reading<unknown>);
          // Writing may not look into such a default, as with a plain object where a class is read.
          if (again && !again.ok && again.failures.every(isKeptDefault)) continue;
          if (!writing.ok || !again || !again.ok || !isValid(output.schema, writing.value))
            throw new Error(JSON.stringify({ writing, again, schema: output.schema, value }));
          written += 1;
        }
      }),
      { numRuns: times, ...seed },
    );
    expect(written).toBeGreaterThan(all ? times / 4 : 0);
  }, 3_600_000);

  it('publish only schemas that are valid in their dialect [BASE-040]', () => {
    const ajv = new Ajv(ajvOptions);
    fc.assert(
      fc.property(generatedDto(1), ({ dto }) => {
        const shape = compileInput(dto, {}, () => undefined, 'Generated');
        expect(shape === undefined || ajv.validateSchema(shape.schema)).toBe(true);
        expect(shape?.schema['type'] ?? 'object').toBe('object');
      }),
      { numRuns: times, ...seed },
    );
  }, 3_600_000);
});
