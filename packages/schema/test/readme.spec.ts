/** What the README shows. */
// #region class
import 'reflect-metadata';
import { Describe, formShape, inputShape, Title } from '@sigil-mcp/schema';
import { IsIn, IsInt, IsOptional, IsString, Length, Max } from 'class-validator';

class Search {
  @Describe('Words from the title') @IsString() @Length(1, 60) words!: string;
  @IsOptional() @IsInt() @Max(20) limit: number = 5;
}

const search = inputShape(Search);
const listed = search.schema; // { type: 'object', properties: { words: { type: 'string', minLength: 1, ...
// #endregion class

// #region read
async function find(sent: unknown): Promise<string> {
  const reading = await search.read(sent);
  if (!reading.ok) return reading.failures.map(({ path, message }) => `${path} ${message}`).join('; ');
  const { words, limit } = reading.value; // an instance of Search, with its defaults
  return `${limit} titles with ${words}`;
}
// #endregion read

// #region form
class Order {
  @Title('Your name') @IsString() name!: string;
  @Title('Size') @IsIn(['small', 'large']) size: string = 'small';
}

const order = formShape(Order);
const shown = order.schema; // { type: 'object', properties: { name: { type: 'string', title: 'Your name' }, ...
// #endregion form

it('a class is listed as JSON Schema', () => {
  expect(listed).toEqual({
    type: 'object',
    properties: {
      words: { type: 'string', description: 'Words from the title', minLength: 1, maxLength: 60 },
      limit: { type: 'integer', maximum: 20, default: 5 },
    },
    required: ['words'],
    additionalProperties: false,
  });
});

it('a value is read into an instance, or into everything that is wrong with it', async () => {
  expect(await find({ words: 'dog' })).toBe('5 titles with dog');
  expect(await find({ words: '', limit: 99 })).toBe(
    'words must have 1 to 60 characters; limit must not be greater than 20',
  );
  const reading = await search.read({ words: 'dog' });
  expect(reading.ok && reading.value).toBeInstanceOf(Search);
});

it('a form is what a user is shown, and reads the answer', async () => {
  expect(shown).toMatchObject({
    properties: {
      name: { type: 'string', title: 'Your name' },
      size: { type: 'string', title: 'Size', enum: ['small', 'large'], default: 'small' },
    },
    required: ['name'],
  });
  expect(await order.read({ name: 'Ann' })).toEqual({ ok: true, value: { name: 'Ann', size: 'small' } });
});
