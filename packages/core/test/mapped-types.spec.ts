/** The static types of mapped classes: these lines compile, or are marked as lines that do not. */
import { IsInt, IsOptional, IsString } from 'class-validator';
import { IntersectionType, OmitType, PartialType, PickType, Tool } from '../src';

class Book {
  #read = 0;
  @IsString() title!: string;
  @IsOptional() @IsInt() pages?: number;
  open(): number {
    return (this.#read += 1);
  }
}
class Loan {
  @IsString() reader!: string;
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <T extends true>(): T => true as T;
/** What two object types have, written as one. */
type Flat<T> = { [Name in keyof T]: T[Name] };

class BookChanges extends PartialType(Book) {
  words(): string {
    return `${this.title ?? 'no title'} ${this.pages ?? 0}`;
  }
}
const Title = PickType(Book, ['title']);
const Rest = OmitType(Book, ['title']);
const LentBook = IntersectionType(Book, Loan);

describe('the type of a mapped class', () => {
  it('is that of its properties, without its methods', () => {
    yes<Same<Flat<InstanceType<ReturnType<typeof PartialType<Book>>>>, { title?: string; pages?: number }>>();
    yes<Same<Flat<InstanceType<typeof Title>>, { title: string }>>();
    yes<Same<Flat<InstanceType<typeof Rest>>, { pages?: number }>>();
    yes<Same<Flat<InstanceType<typeof LentBook>>, { title: string; pages?: number; reader: string }>>();
    expect([Rest.name, LentBook.name]).toEqual(["OmitType(Book, ['title'])", 'IntersectionType(Book, Loan)']);
    expect(new BookChanges().words()).toBe('no title 0');
  });

  it('knows the names of the properties', () => {
    // @ts-expect-error there is no such property
    PickType(Book, ['titel']);
    // @ts-expect-error a method is no property
    OmitType(Book, ['open']);
    // @ts-expect-error it is no class
    expect(() => PartialType({ title: 'Emma' })).toThrow();
  });

  it('is what a tool returns', () => {
    class Library {
      @Tool('A title', { output: Title })
      title(): InstanceType<typeof Title> {
        return { title: 'Emma' };
      }
      // @ts-expect-error a number is no title
      @Tool('Pages', { output: Title })
      pages(): { title: number } {
        return { title: 3 };
      }
      @Tool('Changes a book', { input: PartialType(Book) })
      change(changes: Partial<Book>): string {
        return changes.title ?? '';
      }
    }
    expect(new Library().change({})).toBe('');
  });
});
