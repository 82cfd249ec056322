/** What `docs/dtos.md` says of the classes that it shows. */
import { compileInput } from '../src/schema/compile-input';
import type { InputShape, Reading } from '../src/schema/compiled-shape';
import type { Class } from '../src/values/class';
import { BookChanges, BookPatch, NewBook, TitledPatch } from './dto-guide';

function compile(dto: Class): InputShape {
  const problems: unknown[] = [];
  const shape = compileInput(dto, {}, (problem) => problems.push(problem), 'Library.change(book)');
  expect(problems).toEqual([]);
  return shape!;
}

function read<T>(dto: Class<T & object>, value: unknown): T {
  const reading = compile(dto).read(value) as Reading<T>;
  if (!reading.ok) throw new Error(JSON.stringify(reading.failures));
  return reading.value;
}

describe('the guide to DTOs', () => {
  it('tells what was sent from what was not', () => {
    const changes = read<BookChanges>(BookChanges, { title: 'Emma', shelf: null });
    expect('pages' in changes).toBe(false);
    const book = { title: '', pages: 500, shelf: 'A' };
    expect(Object.assign(book, changes)).toEqual({ title: 'Emma', pages: 500, shelf: null });
  });

  it('makes classes of classes', () => {
    expect(compile(NewBook).schema).toMatchObject({ required: ['title'], properties: { pages: { default: 100 } } });
    expect(compile(BookPatch).schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer', description: 'Its number in the catalogue' },
        title: { type: 'string', maxLength: 200 },
        pages: { type: 'integer', minimum: 1 },
      },
      required: ['id'],
      additionalProperties: false,
    });
    expect(compile(TitledPatch).schema).toMatchObject({
      required: ['title'],
      properties: { title: { type: 'string' } },
    });
  });
});
