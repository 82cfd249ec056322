/** What `docs/dtos.md` says of the classes that it shows. */
import { compileInput } from '../src/schema/compile-input';
import type { InputShape, Reading } from '../src/schema/compiled-shape';
import type { Class } from '../src/values/class';
import {
  Author, BookChanges, BookPatch, Catalogue, Coordinates, Lent, NewBook, Paper, Recording, Search, TitledPatch,
} from './dto-guide'; // prettier-ignore

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

  it('makes Maps, Sets and records', () => {
    expect(compile(Catalogue).schema).toMatchObject({
      properties: {
        authors: { type: 'object', additionalProperties: { type: 'object', required: ['name'] } },
        tags: { type: 'array', uniqueItems: true, items: { type: 'string' } },
        copies: { type: 'object', additionalProperties: { type: 'number', minimum: 0 } },
        editors: { type: 'object', additionalProperties: { type: 'object', required: ['name'] } },
        years: { type: ['array', 'null'], uniqueItems: true, items: { type: 'integer' } },
      },
    });
    const author = { name: 'Jane' };
    const catalogue = read<Catalogue>(Catalogue, {
      authors: { jane: author },
      tags: ['old'],
      copies: { emma: 2 },
      editors: { ann: author },
      years: [1815],
    });
    expect(catalogue.authors.get('jane')).toBeInstanceOf(Author);
    expect([catalogue.tags, catalogue.years]).toEqual([new Set(['old']), new Set([1815])]);
    expect(catalogue.editors['ann']).toBeInstanceOf(Author);
  });

  it('chooses classes', () => {
    expect(compile(Lent).schema).toMatchObject({
      properties: {
        item: {
          oneOf: [{ properties: { kind: { const: 'paper' } } }, { properties: { kind: { const: 'recording' } } }],
        },
      },
    });
    expect(read<Lent>(Lent, { item: { kind: 'paper', pages: 3 } }).item).toEqual(
      Object.assign(new Paper(), { pages: 3 }),
    );
    expect(read<Lent>(Lent, { item: { kind: 'recording', minutes: 3 } }).item).toBeInstanceOf(Recording);
    expect(compile(Search).schema).toMatchObject({
      properties: {
        id: {
          anyOf: [
            { type: 'string', maxLength: 20 },
            { type: 'number', minimum: 1 },
          ],
        },
      },
    });
    const search = read<Search>(Search, { id: 1, near: { lat: 1, lng: 2 }, by: ['Jane', { name: 'Ann' }] });
    expect(search.near).toBeInstanceOf(Coordinates);
    expect(search.by[1]).toBeInstanceOf(Author);
  });
});
