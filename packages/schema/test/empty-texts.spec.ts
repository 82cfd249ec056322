/** An empty text for an optional argument counts as left out, if the rules refuse it: hosts send it for a field that was left empty. */
import { Transform } from 'class-transformer';
import {
  ArrayNotEmpty, Contains, IsArray, IsBoolean, IsDate, IsDateString, IsEmail, IsIn, IsInt, IsNotEmpty, IsOptional, IsString, IsUrl, IsUUID,
  Length, Matches, ValidateBy, ValidateIf,
} from 'class-validator'; // prettier-ignore
import { z } from 'zod';
import type { Class } from '@sigil-mcp/base';
import { Shapes } from '../src';
import { compileForm } from '../src/forms/compile-form';
import { rawForm } from '../src/forms/read-form';
import { compile, read } from '../../../test/support/supplies/compiled-dto';

const filled = (validate: (value: unknown) => boolean | Promise<boolean>): PropertyDecorator =>
  ValidateBy({ name: 'filled', validator: { validate, defaultMessage: () => 'is empty' } });

/** A class with one property. */
function classOf(decorators: readonly PropertyDecorator[], initial?: unknown): Class<{ it: unknown }> {
  class Sent {
    it = initial;
  }
  for (const decorate of decorators) decorate(Sent.prototype, 'it');
  return Sent;
}

const RULES: readonly [string, readonly PropertyDecorator[]][] = [
  ['@IsIn()', [IsIn(['a', 'b'])]],
  ['@IsInt()', [IsInt()]],
  ['@IsBoolean()', [IsBoolean()]],
  ['@IsDate()', [IsDate()]],
  ['@IsEmail()', [IsEmail()]],
  ['@IsUUID()', [IsUUID()]],
  ['@IsDateString()', [IsDateString()]],
  ['@Length()', [Length(1, 5)]],
  ['@Matches()', [Matches(/^a/)]],
  ['@Contains()', [Contains('a')]],
  ['@IsUrl()', [IsUrl()]],
  ['@IsNotEmpty()', [IsNotEmpty(), IsString()]],
  ['@ArrayNotEmpty()', [IsArray(), ArrayNotEmpty(), IsString({ each: true })]],
  ['a custom rule', [IsString(), filled((value) => value !== '')]],
  ['an asynchronous rule', [IsString(), filled((value) => Promise.resolve(value !== ''))]],
  ['a rule with a condition', [IsString(), Length(1, 5, { validateIf: () => true })]],
  ['@Transform() that finds no value', [IsString(), Transform(({ value }) => new Date(String(value)))]],
];

describe.each(RULES)('an argument of a prompt with %s', (_, rules) => {
  it('counts as left out if it is empty', async () => {
    const shape = compile(classOf([IsOptional(), ...rules]), { strings: true });
    const reading = await shape.read({ it: '' });
    expect(reading.ok && Object.keys(reading.value as object)).toEqual([]);
  });

  it('is refused if it must be sent', async () => {
    expect(await compile(classOf(rules), { strings: true }).read({ it: '' })).toMatchObject({ ok: false });
  });
});

it('stays where its rules accept it', () => {
  expect(read(classOf([IsOptional(), IsString()]), { it: '' }, { strings: true })).toEqual({ it: '' });
  expect(read(classOf([IsOptional(), IsArray(), IsString({ each: true })]), { it: '' }, { strings: true }).it).toEqual(
    [],
  );
});

it('stands for the default, and for nothing that a condition asks for', () => {
  expect(read(classOf([IsIn(['a', 'b'])], 'a'), { it: '' }, { strings: true }).it).toBe('a');
  const asked = compile(classOf([ValidateIf(() => true), IsIn(['a', 'b'])]), { strings: true });
  expect(asked.read({ it: '' })).toEqual({ ok: false, failures: [{ path: 'it', message: 'is required' }] });
});

it('is left out for each argument, also where others are refused', () => {
  class Several {
    @IsOptional() @IsIn(['a']) first?: string;
    @IsOptional() @IsString() @filled((value) => value !== '') second?: string;
    @IsInt() third!: number;
  }
  const shape = compile(Several, { strings: true });
  expect(shape.read({ first: '', second: '', third: 'x' })).toMatchObject({ failures: [{ path: 'third' }] });
  expect(shape.read({ first: '', second: '', third: '1' })).toEqual({
    ok: true,
    value: Object.assign(new Several(), { third: 1 }),
  });
});

it('is an ordinary text in the arguments of a tool', () => {
  expect(compile(classOf([IsOptional(), IsIn(['a'])])).read({ it: '' })).toMatchObject({ ok: false });
});

describe('the answer to a form', () => {
  it('has left out what is empty and refused', async () => {
    class Form {
      @IsOptional() @IsEmail() mail?: string;
      @IsIn(['a', 'b']) mode: string = 'a';
      @IsString() name!: string;
    }
    const form = compileForm(Form, () => undefined, 'Test.method')!;
    expect(await form.read({ mail: '', mode: '', name: '' })).toEqual({
      ok: true,
      value: Object.assign(new Form(), { name: '' }),
    });
    expect(await form.read({ mail: '' })).toMatchObject({ failures: [{ path: 'name' }] });
  });

  it('has left it out where the form is given as a schema', () => {
    const form = rawForm(
      {
        type: 'object',
        properties: { mail: { type: 'string', format: 'email' }, mode: { type: 'string', enum: ['a'], default: 'a' }, note: { type: 'string' } },
        required: ['note'],
      },
      () => undefined,
      'Test.method',
    )!; // prettier-ignore
    expect(form.read({ mail: '', mode: '', note: '' })).toEqual({ ok: true, value: { mode: 'a', note: '' } });
  });
});

describe('a schema of another library', () => {
  const Trip = z.object({
    mode: z.enum(['train', 'boat']).default('train'),
    mail: z.email().optional(),
    nights: z.int().optional(),
    note: z.string().refine((text) => text !== '').optional(),
    free: z.string().optional(),
    city: z.string().min(1),
  }); // prettier-ignore
  const place = { where: 'Test.method', report: () => undefined };
  const blank = { mode: '', mail: '', nights: '', note: '', free: '' };

  it('reads arguments of a prompt without what is empty and refused', async () => {
    const shape = new Shapes().input(Trip, { strings: true }, place)!;
    expect(await shape.read({ ...blank, city: 'Oslo' })).toEqual({
      ok: true,
      value: { mode: 'train', free: '', city: 'Oslo' },
    });
    expect(await shape.read({ ...blank, city: '' })).toMatchObject({ failures: [{ path: 'city' }] });
  });

  it('reads a form without it', async () => {
    const Form = z.object({ mode: z.enum(['a', 'b']).default('a'), mail: z.email().optional() });
    const form = new Shapes().form(Form, place)!;
    expect(await form.read({ mode: '', mail: '' })).toEqual({ ok: true, value: { mode: 'a' } });
  });
});
