/** What was not sent is not there: the same for class fields that the compiler defines and for those that it leaves out. */
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import * as validator from 'class-validator';
import * as ts from 'typescript';
import { Nullable } from '../src/decorators/schema-decorators';
import { compileInput } from '../src/compile-shapes';
import type { Class, DefinitionProblem } from '@sigil-mcp/base';

const SOURCE = `
class Chapter {
  @IsString() title!: string;
  @IsOptional() @IsInt() pages?: number;
}
class Book {
  #read = 0;
  @IsString() title!: string;
  @IsOptional() @IsString() subtitle?: string;
  @IsOptional() @IsInt() pages?: number;
  @IsOptional() @IsBoolean() lent: boolean = false;
  @IsOptional() @IsNotEmpty() @IsString() author: string = '';
  @ValidateIf((book) => book.lent) @IsString() reader!: string;
  @IsOptional() @Nullable() @IsString() shelf?: string | null;
  @IsOptional() @Transform(({ value }) => value + '!') @IsString() note?: string;
  @IsOptional() @Expose({ name: 'first_chapter' }) @ValidateNested() @Type(() => Chapter) first?: Chapter;
  @IsOptional() @IsString() code!: string;
  @Exclude() kept: string | undefined;
  open() { return (this.#read += 1); }
}
exports.Book = Book;
`;

/** The class as a compiler with these options makes it. */
function compileBook(options: ts.CompilerOptions): Class {
  const { outputText } = ts.transpileModule(SOURCE, {
    compilerOptions: { experimentalDecorators: true, module: ts.ModuleKind.CommonJS, ...options },
  });
  const names = { ...validator, Exclude, Expose, Nullable, Transform, Type } as Readonly<Record<string, unknown>>;
  const made: { Book?: Class } = {};
  // oxlint-disable-next-line typescript/no-implied-eval -- it is the compiler's output for the source above
  new Function('exports', ...Object.keys(names), outputText)(made, ...Object.values(names));
  return made.Book!;
}

const compilers: readonly (readonly [string, ts.CompilerOptions])[] = [
  ['with fields that it defines', { target: ts.ScriptTarget.ES2022, useDefineForClassFields: true }],
  ['with fields that it leaves out', { target: ts.ScriptTarget.ES2022, useDefineForClassFields: false }],
  ['with metadata', { target: ts.ScriptTarget.ES2022, useDefineForClassFields: true, emitDecoratorMetadata: true }],
  ['for ES2017', { target: ts.ScriptTarget.ES2017, useDefineForClassFields: false }],
];

function readerOf(dto: Class): (value: unknown) => Record<string, unknown> {
  const problems: DefinitionProblem[] = [];
  const shape = compileInput(dto, {}, (problem) => problems.push(problem), 'Library.add(book)');
  expect(problems).toEqual([]);
  return (value) => {
    const reading = shape!.read(value);
    if (reading instanceof Promise || !reading.ok) throw new Error(JSON.stringify(reading));
    return reading.value as Record<string, unknown>;
  };
}

describe.each(compilers)('a class compiled %s', (_name, options) => {
  const Book = compileBook(options);
  const read = readerOf(Book);

  it('has as its own what was sent and what has a default, and nothing else', () => {
    const book = read({ title: 'Emma' });
    expect(
      Object.keys(book)
        .filter((name) => name !== 'kept')
        .sort(),
    ).toEqual(['lent', 'title']);
    expect('pages' in book).toBe(false);
    expect({ ...book }).toEqual({ title: 'Emma', lent: false });
  });

  it('leaves other properties as they were when it is assigned to them', () => {
    const kept = { title: 'Emma', pages: 500, author: 'Jane Austen', shelf: 'A' };
    Object.assign(kept, read({ title: 'Emma (1815)' }));
    expect(kept).toEqual({ title: 'Emma (1815)', pages: 500, author: 'Jane Austen', shelf: 'A', lent: false });
  });

  it('has what was sent, also null where null is a value', () => {
    const book = read({ title: 'Emma', pages: 3, shelf: null, note: 'mine', first_chapter: { title: 'I' } });
    expect(Object.keys(book).filter((name) => name !== 'kept').sort()).toEqual(
      ['first', 'lent', 'note', 'pages', 'shelf', 'title'],
    ); // prettier-ignore
    expect(book).toMatchObject({ pages: 3, shelf: null, note: 'mine!', first: { title: 'I' } });
    expect(Object.keys(book['first'] as object)).toEqual(['title']);
  });

  it('takes null for nothing sent where null is no value', () => {
    expect('pages' in read({ title: 'Emma', pages: null })).toBe(false);
  });

  it('stays an instance with its private fields', () => {
    const book = read({ title: 'Emma' }) as unknown as { open: () => number };
    expect(book).toBeInstanceOf(Book);
    expect([book.open(), book.open()]).toEqual([1, 2]);
  });
});
