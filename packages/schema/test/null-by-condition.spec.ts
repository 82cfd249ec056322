/** `@ValidateIf` that is about null: the nullable property of class-validator. */
import { IsIn, IsInt, IsOptional, IsString, Min, ValidateIf } from 'class-validator';
import type { Class, DefinitionProblem } from '@sigil-mcp/base';
import { Nullable } from '../src/decorators/schema-decorators';
import { compileForm } from '../src/forms/compile-form';
import { compileInput, compileOutput } from '../src/compile-shapes';
import type { InputShape } from '../src/value-plan';

function compile(dto: Class): InputShape {
  const problems: DefinitionProblem[] = [];
  const shape = compileInput(dto, {}, (problem) => problems.push(problem), 'Library.add');
  expect(problems).toEqual([]);
  return shape!;
}

async function told(dto: Class, sent: unknown): Promise<unknown> {
  const reading = await compile(dto).read(sent);
  return reading.ok
    ? { ...(reading.value as object) }
    : reading.failures.map(({ path, message }) => `${path} ${message}`);
}

class Loan {
  @ValidateIf((_, value) => value !== null) @IsString() shelf!: string | null;
  @ValidateIf((loan: Loan) => loan.reader !== null) @IsInt() @Min(1) reader!: number | null;
}

describe('a property whose @ValidateIf lets null pass', () => {
  it('may be null, and is listed so', async () => {
    expect(await told(Loan, { shelf: null, reader: null })).toEqual({ shelf: null, reader: null });
    expect(await told(Loan, { shelf: 'A', reader: 3 })).toEqual({ shelf: 'A', reader: 3 });
    expect(compile(Loan).schema['properties']).toEqual({
      shelf: { type: ['string', 'null'] },
      reader: { type: ['integer', 'null'], minimum: 1 },
    });
  });

  it('must be there, and be nothing else', async () => {
    expect(await told(Loan, { shelf: null })).toEqual(['reader is required']);
    expect(await told(Loan, { shelf: 5, reader: null })).toEqual(['shelf must be a string or null, not 5']);
  });

  it('may be null by default', async () => {
    class Free {
      @ValidateIf((_, value) => value !== null) @IsString() shelf: string | null = null;
      @IsOptional() @ValidateIf((_, value) => value !== null) @IsString() note?: string | null;
    }
    expect(await told(Free, {})).toEqual({ shelf: null });
    expect(await told(Free, { note: null })).toEqual({ shelf: null, note: null });
    expect(compile(Free).schema['properties']).toMatchObject({ shelf: { type: ['string', 'null'], default: null } });
  });

  it('is refused null in the words of its type where the condition depends on more', async () => {
    class Parcel {
      @IsIn(['sent', 'here']) state!: string;
      @ValidateIf((parcel: Parcel, value) => parcel.state === 'sent' || value !== null) @IsString() to!: string | null;
      @Nullable() @ValidateIf((parcel: Parcel) => parcel.state === 'sent') @IsString() from!: string | null;
    }
    expect(await told(Parcel, { state: 'here', to: null, from: null })).toEqual({
      state: 'here',
      to: null,
      from: null,
    });
    expect(await told(Parcel, { state: 'sent', to: null, from: null })).toEqual(['to must be a string']);
  });

  it('is written as null in an output', async () => {
    const shape = compileOutput(Loan, (problem) => expect(problem).toBeUndefined(), 'Library.add')!;
    expect(await shape.write({ shelf: null, reader: null })).toMatchObject({
      ok: true,
      value: { shelf: null, reader: null },
    });
  });

  it('is asked for in a form, which has no null', () => {
    class Asked {
      @ValidateIf((_, value) => value !== null) @IsString() shelf!: string | null;
      @IsOptional() @ValidateIf((_, value) => value !== null) @IsString() note?: string | null;
      @ValidateIf((_, value) => value !== null) @IsString() free: string | null = null;
    }
    const shape = compileForm(Asked, (problem) => expect(problem).toBeUndefined(), 'Library.add');
    expect(JSON.stringify(shape?.schema)).not.toContain('null');
    expect(shape?.schema).toMatchObject({
      properties: { shelf: { type: 'string' }, note: { type: 'string' }, free: { type: 'string' } },
    });
  });
});

describe('a property whose @ValidateIf is about others', () => {
  class Ride {
    @IsIn(['car', 'bike']) kind!: string;
    @ValidateIf((ride: Ride) => ride.kind === 'car') @IsString() plate?: string;
    @IsOptional() @ValidateIf((ride: Ride) => ride.kind.length > 3) @IsString() note?: string;
    @ValidateIf((ride: Ride, value) => ride.kind === 'car' && value !== null) @IsString() owner?: string | null;
  }

  it('is listed without null', () => {
    expect(compile(Ride).schema['properties']).toMatchObject({ plate: { type: 'string' }, note: { type: 'string' } });
  });

  it('is left out by null where its condition does not hold, and refuses it elsewhere', async () => {
    expect(await told(Ride, { kind: 'bike', plate: null })).toEqual({ kind: 'bike' });
    expect(await told(Ride, { kind: 'car', plate: null, owner: null })).toEqual(['plate must be a string']);
    expect(await told(Ride, { kind: 'car', owner: 'Ann' })).toEqual(['plate is required']);
  });
});
