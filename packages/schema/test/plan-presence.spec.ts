/**
 * Absent and sent properties, in every combination of what has a say in them. Expected is what ajv finds in the value and
 * class-validator in the finished instance; only that an initialiser which breaks the property's own rules is none, unless a condition asks nothing of it.
 */
import Ajv from 'ajv/dist/2020';
import { Allow, IsNotEmpty, IsOptional, IsString, ValidateBy, ValidateIf, validateSync } from 'class-validator';
import { Nullable } from '../src/decorators/schema-decorators';
import { compileInput } from '../src/compile-shapes';
import type { InputShape } from '../src/value-plan';
import type { Class } from '@sigil-mcp/base';

/** What decorators and initialiser say about the one property, `p`. */
interface Said {
  readonly type: 'text' | 'anything';
  /** `[value]` where the class initialises it. */
  readonly initial: readonly unknown[];
  readonly optional: boolean;
  readonly nullable: boolean;
  /** What a `@ValidateIf()` answers; undefined for none. */
  readonly condition: boolean | undefined;
  /** What a custom validator answers; undefined for none. */
  readonly custom: boolean | undefined;
}

const judge = new Ajv({ strict: false, validateFormats: false });
const flags = [false, true];
const answers = [undefined, false, true];

const allSaid: readonly Said[] = (['text', 'anything'] as const).flatMap((type) =>
  [[], ['d'], [''], [null]].flatMap((initial) =>
    flags.flatMap((optional) =>
      flags.flatMap((nullable) =>
        answers.flatMap((condition) =>
          answers.map((custom) => ({ type, initial, optional, nullable, condition, custom })),
        ),
      ),
    ),
  ),
);
/** `[value]` where the property is sent. */
const allSent: readonly (readonly unknown[])[] = [[], ['x'], [''], [null], [5]];

/** @param asynchronous whether the custom validator answers with a promise */
function buildClass(said: Said, asynchronous = false): new () => { p?: unknown } {
  const { type, initial, optional, nullable, condition, custom } = said;
  const validate = (): boolean | Promise<boolean> =>
    asynchronous ? Promise.resolve(custom === true) : custom === true;

  class Combined {
    p?: unknown = structuredClone(initial[0]);
  }
  const decorators = [
    ...(type === 'text' ? [IsString(), IsNotEmpty()] : [Allow(), Reflect.metadata('design:type', Object)]),
    ...(optional ? [IsOptional()] : []),
    ...(nullable ? [Nullable()] : []),
    ...(condition === undefined ? [] : [ValidateIf(() => condition)]),
    ...(custom === undefined ? [] : [ValidateBy({ name: 'custom', validator: { validate } })]),
  ];
  for (const decorate of decorators) decorate(Combined.prototype, 'p');
  return Combined;
}

function compile(dto: Class): InputShape {
  const shape = compileInput(dto, {}, (problem) => expect(problem).toBeUndefined(), 'Test.method(query)');
  if (!shape) throw new Error('expected a shape');
  return shape;
}

function isExpected(
  said: Said,
  sent: readonly unknown[],
  shape: InputShape,
  dto: ReturnType<typeof buildClass>,
): boolean {
  const isRequired = (shape.schema['required'] as readonly string[] | undefined)?.includes('p') === true;
  const takesNull = said.nullable || said.type === 'anything';
  const isGiven = sent.length > 0 && (sent[0] !== null || takesNull || isRequired);
  const hasDefault =
    said.initial.length > 0 &&
    (said.type === 'anything' || (said.initial[0] === null ? said.nullable : said.initial[0] !== ''));
  const isListed = judge.validate(shape.schema, isGiven ? { p: sent[0] } : {});
  const instance = new dto();
  if (isGiven) instance.p = sent[0];
  else if (!hasDefault) delete instance.p;
  if (!isListed || (said.nullable && instance.p === null)) return isListed;
  // A condition that holds demands the property, also where none of its rules would.
  if (said.condition === true && !said.optional && !isGiven && !hasDefault) return false;
  return validateSync(instance, { forbidUnknownValues: false }).length === 0;
}

const toValue = (sent: readonly unknown[]): object => (sent.length > 0 ? { p: sent[0] } : {});

describe('a property', () => {
  it('is accepted as its schema and class-validator accept it, whatever is said about it [TOOL-025]', async () => {
    const wrong: unknown[] = [];
    let accepted = 0;
    for (const said of allSaid) {
      const dto = buildClass(said);
      const [shape, later] = [compile(dto), compile(buildClass(said, true))];
      for (const sent of allSent) {
        const [reading, readLater] = [await shape.read(toValue(sent)), await later.read(toValue(sent))];
        const expected = isExpected(said, sent, shape, dto);
        if (reading.ok !== expected || readLater.ok !== expected) wrong.push({ ...said, sent, expected });
        accepted += reading.ok ? 1 : 0;
      }
    }
    expect(wrong).toEqual([]);
    expect(accepted).toBeGreaterThan(allSaid.length);
  });

  it('with a default is left alone by a validator whose condition does not hold', async () => {
    const said = {
      type: 'text',
      initial: ['d'],
      optional: false,
      nullable: false,
      condition: false,
      custom: false,
    } as const;
    const shape = compile(buildClass(said));
    expect(shape.schema['properties']).toEqual({ p: { type: 'string', minLength: 1, default: 'd' } });
    expect(await shape.read({})).toEqual({ ok: true, value: { p: 'd' } });
    expect(await compile(buildClass({ ...said, condition: true })).read({})).toMatchObject({ ok: false });
  });

  it('with a default that its rules refuse has it where no condition asks, as after class-transformer', async () => {
    const said = { type: 'text', initial: [''], optional: false, nullable: false, custom: undefined } as const;
    expect(await compile(buildClass({ ...said, condition: false })).read({})).toEqual({ ok: true, value: { p: '' } });
    expect(await compile(buildClass({ ...said, condition: true })).read({})).toMatchObject({ ok: false });
    expect(await compile(buildClass({ ...said, condition: false, optional: true })).read({})).toEqual({
      ok: true,
      value: {},
    });
  });

  it('with a default does not keep null from a custom validator', async () => {
    const said = { type: 'anything', initial: ['d'], optional: false, nullable: false, condition: undefined } as const;
    const dto = buildClass({ ...said, custom: undefined });
    ValidateBy({ name: 'notNull', validator: { validate: (value) => value !== null } })(dto.prototype, 'p');
    expect(await compile(dto).read({ p: null })).toMatchObject({ ok: false, failures: [{ path: 'p' }] });
    expect(await compile(dto).read({})).toEqual({ ok: true, value: { p: 'd' } });
  });
});
