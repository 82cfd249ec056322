/** What `docs/dtos.md` says of the classes that it shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inputShape, type Reading } from '@sigil-mcp/schema';
import type { Class } from '@sigil-mcp/base';
import {
  Author, BookChanges, BookPatch, Catalogue, ClearLetter, Coordinates, Kinds, Lent, Letter, NewBook, Paper, Recording, Search, Shelving, Stay, TitledPatch,
} from './dto-guide'; // prettier-ignore

function read<T>(dto: Class<T & object>, value: unknown): T {
  const reading = inputShape(dto).read(value) as Reading<T>;
  if (!reading.ok) throw new Error(JSON.stringify(reading.failures));
  return reading.value;
}

/** `| decorators | type | schema |` of each property of `Kinds`, from its source and from what is listed. */
function rowsOfKinds(): string[] {
  const source = readFileSync(join(__dirname, 'dto-guide.ts'), 'utf8').split('export class Kinds {')[1] ?? '';
  const properties = inputShape(Kinds).schema['properties'] as Readonly<Record<string, unknown>>;
  return [...source.matchAll(/^ {2}(@.*\)) (\w+)([!?]?)(.*);$/gm)].map(
    ([, decorators = '', name = '', mark = '', rest = '']) => {
      const listed = JSON.stringify(properties[name]).replace(JSON.stringify(authorSchema), 'Author');
      const cell = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
      return `| ${cell(decorators)} | ${cell(`${name}${mark === '?' ? '?' : ''}${rest}`)} | ${cell(listed)} |`;
    },
  );
}

const authorSchema = inputShape(Author).schema;

describe('the guide to DTOs', () => {
  it('shows every kind of property with its schema', () => {
    const guide = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'dtos.md'), 'utf8');
    const rows = rowsOfKinds();
    expect(rows).toHaveLength(22);
    const shown = guide.split('\n');
    for (const row of rows) expect([row, shown.filter((line) => line.startsWith(row)).length]).toEqual([row, 1]);
  });

  it('tells what was sent from what was not', () => {
    const changes = read<BookChanges>(BookChanges, { title: 'Emma', shelf: null });
    expect('pages' in changes).toBe(false);
    const book = { title: '', pages: 500, shelf: 'A' };
    expect(Object.assign(book, changes)).toEqual({ title: 'Emma', pages: 500, shelf: null });
  });

  it('validates what was sent, and what was made of it where that is of the same type', () => {
    const sent = { shelf: '12', tags: 'old,rare', note: ' torn ' };
    expect(read(Shelving, sent)).toEqual({ shelf: 12, tags: ['old', 'rare'], note: 'torn' });
    expect(inputShape(Shelving).schema['properties']).toMatchObject({
      shelf: { type: 'string' },
      tags: { type: 'string' },
    });
    expect(inputShape(Shelving).read({ ...sent, shelf: 12, note: '  ' })).toMatchObject({
      failures: [{ path: 'shelf' }],
    });
    expect(inputShape(Shelving).read({ ...sent, note: '  ' })).toMatchObject({ failures: [{ path: 'note' }] });
  });

  it('gives functions of the author the text of a date, or what @Type makes of it', () => {
    const day = new Date('2026-02-03');
    const sent = { from: '2026-02-03', to: '2026-02-03', paid: '2026-02-03T10:00:00Z' };
    expect(read(Stay, sent)).toEqual(Object.assign(new Stay(), { from: day, to: day, paid: day }));
    expect(inputShape(Stay).read({ ...sent, from: sent.paid })).toMatchObject({ failures: [{ path: 'from' }] });
    expect(inputShape(Stay).read({ ...sent, to: '2026-02-07' })).toMatchObject({ failures: [{ path: 'to' }] });
  });

  it('makes classes of classes', () => {
    expect(inputShape(NewBook).schema).toMatchObject({ required: ['title'], properties: { pages: { default: 100 } } });
    expect(inputShape(BookPatch).schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer', description: 'Its number in the catalogue' },
        title: { type: 'string', maxLength: 200 },
        pages: { type: 'integer', minimum: 1 },
      },
      required: ['id'],
      additionalProperties: false,
    });
    expect(inputShape(TitledPatch).schema).toMatchObject({
      required: ['title'],
      properties: { title: { type: 'string' } },
    });
  });

  it('makes Maps, Sets and records', () => {
    expect(inputShape(Catalogue).schema).toMatchObject({
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
    expect(inputShape(Lent).schema).toMatchObject({
      properties: {
        item: {
          anyOf: [{ properties: { kind: { enum: ['paper'] } } }, { properties: { kind: { enum: ['recording'] } } }],
        },
      },
    });
    expect(read<Lent>(Lent, { item: { kind: 'paper', pages: 3 } }).item).toEqual(
      Object.assign(new Paper(), { pages: 3 }),
    );
    expect(read<Lent>(Lent, { item: { kind: 'recording', minutes: 3 } }).item).toBeInstanceOf(Recording);
    expect(inputShape(Search).schema).toMatchObject({
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

  it('knows what says too little', () => {
    const vague = (dto: Class): unknown =>
      inputShape(dto).vague?.map(({ code, problem }) => [code, problem.split(' ')[0]]);
    expect(vague(Letter)).toEqual([
      ['SIGIL_DTO_ANY_VALUE', 'Letter.payload'],
      ['SIGIL_DTO_ANY_VALUE', 'Letter.headers'],
      ['SIGIL_DTO_ANY_ITEMS', 'Letter.lines'],
    ]);
    expect([vague(ClearLetter), vague(Kinds)]).toEqual([[], []]);
    expect(inputShape(Letter).schema['properties']).toMatchObject({ headers: {}, lines: { type: 'array' } });
  });
});
