/** Properties that say the same are planned once, and nobody can tell: what is listed, refused, read and written is as for a class alone. */
import { IsIn, IsInt, IsOptional, IsString, Max, Min, registerDecorator, ValidateBy } from 'class-validator';
import fc from 'fast-check';
import { Describe, Nullable } from '../src';
import type { Class, DefinitionProblem } from '@sigil-mcp/base';
import type { Reading } from '../src/value-plan';
import { compileInput, compileOutput } from '../src/compile-shapes';
import { DraftCache } from '../src/plan/draft-cache';
import { findMetadata } from '../src/rules/validator-metadata';
import { generatedDto } from './generated-dto';
import { runs } from '../../../test/support/matrix';

const times = Number(process.env['AGREEMENT_RUNS'] ?? runs(400));

/** All that can be seen of a class: as arguments, and as what is returned. */
function seen(dto: Class, values: readonly unknown[], known?: { input: DraftCache; output: DraftCache }) {
  const problems: DefinitionProblem[] = [];
  const report = (problem: DefinitionProblem): void => void problems.push(problem);
  const input = compileInput(dto, { known: known?.input }, report, 'Test.method');
  const output = compileOutput(dto, report, 'Test.method', { known: known?.output });
  const told = [input?.vague, input?.stricter, output?.vague, output?.stricter];
  const read = values.map((value) => input?.read(value) as Reading<unknown>);
  const written = values.map((value) => output?.write(value));
  return { problems, told, listed: JSON.stringify([input?.schema, output?.schema]), read, written };
}

const newKnown = () => ({ input: new DraftCache(), output: new DraftCache() });

function failuresOf(dto: Class, value: unknown, known: ReturnType<typeof newKnown>): unknown {
  const reading = seen(dto, [value], known).read[0];
  return reading?.ok === false ? reading.failures : reading;
}

it('shows of generated classes the same, whatever other classes were planned before', () => {
  const known = newKnown();
  const cases = generatedDto(2).chain(({ dto, values }) =>
    fc.record({ dto: fc.constant(dto), values: fc.array(values, { minLength: 4, maxLength: 4 }) }),
  );
  fc.assert(
    fc.property(cases, ({ dto, values }) => {
      expect(seen(dto, values, known)).toEqual(seen(dto, values));
      // Now all of its own properties are known, too.
      expect(seen(dto, values, known)).toEqual(seen(dto, values));
    }),
    { numRuns: times },
  );
}, 3_600_000);

it('plans what says the same once, and not again for another class', () => {
  const known = newKnown();
  class First {
    @Describe('How many') @IsOptional() @IsInt() @Max(9) count?: number;
  }
  class Second {
    @Describe('How often') @IsOptional() @IsInt() @Max(9) often?: number;
  }
  const placeOf = (dto: Class, name: string) => known.input.placeOf(Number, false, findMetadata(dto).get(name) ?? []);
  seen(First, [], known);
  const draft = placeOf(First, 'count')?.draft;
  expect(draft).toMatchObject({ name: 'count', optional: true });
  expect(placeOf(Second, 'often')?.draft).toBe(draft);
  expect(seen(Second, [], known).listed).toContain('"often":{"type":"integer","maximum":9,"description":"How often"}');
});

it('asks of each property its own validator, also where it bears the name of another one', () => {
  const only = (wanted: number): PropertyDecorator =>
    ValidateBy({ name: 'isInt', validator: { validate: (value) => value === wanted, defaultMessage: () => `be ${wanted}` } }); // prettier-ignore
  class One {
    @only(1) it!: number;
  }
  class Two {
    @only(2) it!: number;
  }
  const known = newKnown();
  expect(failuresOf(One, { it: 2 }, known)).toEqual([{ path: 'it', message: 'be 1' }]);
  expect(failuresOf(Two, { it: 1 }, known)).toEqual([{ path: 'it', message: 'be 2' }]);
  expect(failuresOf(Two, { it: 2 }, known)).toMatchObject({ ok: true });
});

it('takes no validator of the author that is called isOptional for the decorator', () => {
  const refuses = ValidateBy({ name: 'isOptional', validator: { validate: () => false, defaultMessage: () => 'no' } });
  class Optional {
    @IsOptional() @IsInt() it?: number;
  }
  class Asked {
    @refuses @IsInt() it!: number;
  }
  const known = newKnown();
  seen(Optional, [], known);
  expect(failuresOf(Asked, { it: 1 }, known)).toEqual([{ path: 'it', message: 'no' }]);
  expect(failuresOf(Asked, {}, known)).toEqual([{ path: 'it', message: 'is required' }]);
});

it('keeps apart what differs in the type of a parameter, in null, in the words, in a default or in a setter', () => {
  class Texts {
    @IsIn(['1', '2']) it!: string;
    @IsString() plain!: string;
    @Nullable() @IsString() empty!: string | null;
    @IsString({ message: 'say it' }) worded!: string;
    @IsString() given = 'here';
  }
  class Numbers {
    @IsIn([1, 2]) it!: number;
    @IsIn([1]) less!: number;
    @Min(1) least!: number;
    @Max(1) most!: number;
  }
  class ReadOnly {
    @IsString() get plain(): string {
      return 'a';
    }
  }
  const known = newKnown();
  for (const dto of [Texts, Numbers, ReadOnly, Texts]) expect(seen(dto, [{}], known)).toEqual(seen(dto, [{}]));
  expect(seen(ReadOnly, [], known).problems.map(({ code }) => code)).toContain('SIGIL_DTO_READ_ONLY');
});

it('tells of each class what says too little', () => {
  class First {
    @IsOptional() it?: unknown;
  }
  class Second {
    @IsOptional() that?: unknown;
  }
  const known = newKnown();
  const vague = [First, Second].map((dto) => seen(dto, [], known).told[0]);
  expect(vague).toMatchObject([[{ problem: expect.stringContaining('First.it') }], [{ problem: expect.stringContaining('Second.that') }]]); // prettier-ignore
});

it('compares nothing that it cannot compare: conditions, contexts, items, and parameters that are objects', () => {
  const { input } = newKnown();
  class Odd {
    @IsString({ each: true }) items!: string;
    @IsString({ context: {} }) context!: string;
    @IsString({ validateIf: () => true }) condition!: string;
    @IsString({ message: 'say it' }) words!: string;
    @ValidateBy({ name: 'min', constraints: [{}], validator: { validate: () => true } }) parameter!: string;
  }
  for (const [name, group] of findMetadata(Odd))
    expect({ name, place: input.placeOf(String, false, group) }).toEqual({ name, place: undefined });
  expect(input.placeOf(Odd, false, [])).toBeUndefined();
  expect(input.placeOf(String, false, [])).toBeDefined();
});

it('goes by the name that a constraint class has, not by that of its decorator', () => {
  class Refuses {
    validate = (): boolean => false;
  }
  class Named {
    it!: number;
  }
  registerDecorator({ name: 'isInt', target: Named, propertyName: 'it', options: {}, validator: Refuses });
  const { input } = newKnown();
  expect(input.placeOf(Number, false, findMetadata(Named).get('it') ?? [])).toBeUndefined();
});

it('forgets before it would grow without end', () => {
  const { input } = newKnown();
  const first = input.placeOf(String, false, []);
  expect(input.placeOf(String, false, [])).toBe(first);
  for (let least = 0; least < 10_000; least += 1) {
    class Many {
      @Min(least) it!: number;
    }
    input.placeOf(Number, false, findMetadata(Many).get('it') ?? []);
  }
  expect(input.placeOf(String, false, [])).not.toBe(first);
});
