/** Mistakes in classes of arguments. */
import { Expose, Transform, Type } from 'class-transformer';
import { IsArray, IsDefined, IsOptional, IsString, Matches, ValidateNested } from 'class-validator';
import { AnyOf, OmitType, PartialType, RecordOf } from '../../src';
import { emits, taking, type Mistake } from './mistake';

class Author {
  @IsString() name!: string;
}

interface Shape {
  readonly any: string;
}

/** A class of an ORM, without a word for class-validator. */
class Entity {
  declare id: string;
}

class Chapter {
  @IsString() title!: string;
}

/** Each with a class called Book, which the tool Library.add takes. */
export const DTO_MISTAKES: readonly Mistake[] = [
  {
    title: 'a property without a decorator',
    make: () => {
      class Book {
        title!: string;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.title has no decorator, so clients cannot send it. Decorate it, for example with @IsString() or @Allow(), or make it a #private field. [SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR]',
  },
  {
    title: 'an async @Transform',
    make: () => {
      class Book {
        @IsString() @Transform(async ({ value }) => Promise.resolve(value)) author!: string;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.author has an async @Transform, which is not awaited: its value would be a promise. Convert synchronously, or keep the value and look it up in the handler. [SIGIL_DTO_ASYNC_TRANSFORM]',
  },
  {
    title: 'a class without @ValidateNested, in a strict server',
    make: () => {
      class Book {
        @IsOptional() author?: Author;
      }
      return taking(Book, { strict: true });
    },
    says: 'Library.add: Book.author holds Author without @ValidateNested(), which `strict` requires. Without `strict` it is validated anyway. Add @ValidateNested(), with { each: true } for an array. For a Record, use @RecordOf() instead of both. [SIGIL_DTO_NESTED_WITHOUT_VALIDATION]',
  },
  {
    title: 'a list of a class without its class',
    make: () => {
      class Book {
        @ValidateNested({ each: true }) chapters!: Chapter[];
      }
      return taking(Book);
    },
    says: 'Library.add: Book.chapters is nested, but its class is not known at run time: nothing can validate it, and models see no schema for it. Add @Type(() => TheClass), and import the class as a value (not with `import type`). For a Record of instances, use @RecordOf(TheClass) alone. [SIGIL_DTO_NESTED_WITHOUT_TYPE]',
  },
  {
    title: 'a list of a class with @Type and without @ValidateNested',
    make: () => {
      class Book {
        @IsArray() @Type(() => Chapter) chapters!: Chapter[];
      }
      return taking(Book, { strict: true });
    },
    says: 'Library.add: Book.chapters holds Chapter without @ValidateNested(), which `strict` requires. Without `strict` it is validated anyway. Add @ValidateNested(), with { each: true } for an array. For a Record, use @RecordOf() instead of both. [SIGIL_DTO_NESTED_WITHOUT_VALIDATION]',
  },
  {
    title: 'a class that is imported as a type',
    make: () => {
      class Book {
        @IsDefined() author: unknown;
      }
      emits(Book, 'author', 'design:type', Function);
      return taking(Book);
    },
    says: 'Library.add: Book.author has a type that does not exist at run time: a class imported with `import type`, or a function, which JSON cannot carry. Import the class with a plain `import`. Keep functions in the handler. [SIGIL_DTO_TYPE_ERASED]',
  },
  {
    title: 'a nested class that is imported as a type',
    make: () => {
      class Book {
        @ValidateNested() author: unknown;
      }
      emits(Book, 'author', 'design:type', Function);
      return taking(Book);
    },
    says: 'Library.add: Book.author is nested, but its class is not known at run time: nothing can validate it, and models see no schema for it. Add @Type(() => TheClass), and import the class as a value (not with `import type`). For a Record of instances, use @RecordOf(TheClass) alone. [SIGIL_DTO_NESTED_WITHOUT_TYPE]',
  },
  {
    title: 'two files that import each other',
    make: () => {
      class Book {
        @IsArray() @Type(() => undefined as never) chapters!: Chapter[];
      }
      return taking(Book);
    },
    says: 'Library.add: Book.chapters has a @Type() or @RecordOf() that returns undefined: the class does not exist yet when the file is loaded. Move the class to its own file and import it as a value (not with `import type`). Two files that import each other leave one class undefined. [SIGIL_DTO_PROPERTY_WITHOUT_TYPE]',
  },
  {
    title: 'a class that JSON does not have',
    make: () => {
      class Book {
        @IsOptional() cover?: Buffer;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.cover is declared as Buffer, which does not exist in JSON, so the handler would never receive one. Declare the JSON type (a string, a number, an object), or convert it to Buffer with @Transform(). [SIGIL_DTO_TYPE_WITHOUT_JSON]',
  },
  {
    title: 'a constructor with a required parameter',
    make: () => {
      class Book {
        @IsString() title: string;
        constructor(given: { title: string }) {
          this.title = given.title;
        }
      }
      return taking(Book);
    },
    says: 'Library.add: Book cannot be constructed without arguments: its constructor throws. Use a constructor that works without arguments, or none. [SIGIL_DTO_NOT_CONSTRUCTIBLE]',
  },
  {
    title: 'a getter in an input',
    make: () => {
      class Book {
        @IsString() get title(): string {
          return 'Emma';
        }
      }
      return taking(Book);
    },
    says: 'Library.add: Book.title has a getter but no setter, so no value can be assigned to it. Make it a plain property, or exclude it with @Exclude({ toClassOnly: true }). [SIGIL_DTO_READ_ONLY]',
  },
  {
    title: 'two properties under one name',
    make: () => {
      class Book {
        @IsString() title!: string;
        @IsString() @Expose({ name: 'title' }) name!: string;
      }
      return taking(Book);
    },
    says: "Library.add: Book.name is exposed as 'title', the name of another property. Give each property its own name. [SIGIL_DTO_NAME_TWICE]",
  },
  {
    title: 'a pattern that takes exponential time',
    make: () => {
      class Book {
        @Matches(/^(a+)+$/) title!: string;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.title is matched against /^(a+)+$/, which can take exponential time: a text of thirty letters can stop the server. Rewrite it so that a text inside a repetition can match in only one way: ^a+$ instead of ^(a+)+$. If you are sure that it is safe, add @Matches(..., { context: { trusted: true } }). [SIGIL_DTO_RUNAWAY_PATTERN]',
  },
  {
    title: 'a union of one type',
    make: () => {
      class Book {
        @AnyOf(String) id!: string;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.id has @AnyOf, which needs at least two types that are there. Name each type of the property once, as in @AnyOf(String, Number) or @AnyOf(() => [City, Coordinates], { each: true }). [SIGIL_DTO_UNION]',
  },
  {
    title: 'a union with a type that JSON does not have',
    make: () => {
      class Book {
        @AnyOf(String, Map) id!: string | Map<string, string>;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.id has @AnyOf, which cannot hold Map, only String, Number, Boolean, Date and classes. Name each type of the property once, as in @AnyOf(String, Number) or @AnyOf(() => [City, Coordinates], { each: true }). [SIGIL_DTO_UNION]',
  },
  {
    title: '@RecordOf on a list',
    make: () => {
      class Book {
        @RecordOf(String) tags!: string[];
      }
      return taking(Book);
    },
    says: 'Library.add: Book.tags has @RecordOf, but its type is Array. Use @RecordOf on a Record or a Map, and rules with { each: true } or @Type on an array or a Set. [SIGIL_DTO_NO_RECORD]',
  },
  {
    title: 'a discriminator without classes',
    make: () => {
      class Book {
        @ValidateNested() @Type(() => Author, { discriminator: { property: 'kind', subTypes: [] } }) author!: Author;
      }
      return taking(Book);
    },
    says: "Library.add: Book.author chooses its class by a discriminator, but it has no subTypes. Write @Type(() => Base, { discriminator: { property: 'kind', subTypes: [{ value: TheClass, name: 'its-name' }, ...] } }), with a different name for each class. [SIGIL_DTO_DISCRIMINATOR]",
  },
  {
    title: 'a discriminator with one name for two classes',
    make: () => {
      const name = 'person';
      const subTypes = [
        { value: Author, name },
        { value: Chapter, name },
      ];
      class Book {
        @ValidateNested()
        @Type(() => Author, { discriminator: { property: 'kind', subTypes } })
        author!: Author;
      }
      return taking(Book);
    },
    says: "Library.add: Book.author chooses its class by a discriminator, but it has the name 'person' twice. Write @Type(() => Base, { discriminator: { property: 'kind', subTypes: [{ value: TheClass, name: 'its-name' }, ...] } }), with a different name for each class. [SIGIL_DTO_DISCRIMINATOR]",
  },
  {
    title: 'a name that the mapped class does not have',
    make: () => {
      class Book extends OmitType(Author, ['nam' as 'name']) {}
      return taking(Book);
    },
    says: "Library.add: Book names 'nam', which the class does not have. Use the property names of the class, not the names in JSON. TypeScript reports a wrong name. [SIGIL_MAPPED_UNKNOWN]",
  },
  {
    title: 'a mapped class of undefined',
    make: () => PartialType(undefined as never),
    says: 'PartialType() was called without a class. Pass a class that is already defined. Two files that import each other leave one class undefined: move the class to its own file and import it as a value (not with `import type`). [SIGIL_MAPPED_NO_CLASS]',
  },
  {
    title: 'only @IsOptional, in a strict server',
    make: () => {
      class Book {
        @IsOptional() data?: Shape;
      }
      return taking(Book, { strict: true });
    },
    says: 'Library.add: Book.data has no decorator that gives its type: models see no schema for it, and the handler receives any JSON value. Add one: @IsString(), @IsInt(), @IsObject(), @AnyOf(...), @RecordOf(...), or for a class @ValidateNested() and @Type(). A compiler that reads each file alone (jest with isolatedModules, for example) does not know imported type aliases and enums, so such a property needs a decorator. If any value is fine, use @Allow(). [SIGIL_DTO_ANY_VALUE]',
  },
  {
    title: 'a list of anything, in a strict server',
    make: () => {
      class Book {
        @IsArray() tags!: string[];
      }
      return taking(Book, { strict: true });
    },
    says: 'Library.add: Book.tags does not give the type of its items: models see no schema for them, and the handler receives any JSON values. Add the type of the items: @IsString({ each: true }), or @ValidateNested({ each: true }) with @Type(() => TheClass). If any value is fine, use @Allow(). [SIGIL_DTO_ANY_ITEMS]',
  },
  {
    title: 'an entity of a database, in a strict server',
    make: () => {
      class Book {
        @IsDefined() entity!: Entity;
      }
      return taking(Book, { strict: true });
    },
    says: 'Library.add: Book.entity holds Entity, a class without decorators: models see no schema for its properties, and the handler receives any object, unchanged. Decorate the properties of Entity, and add @ValidateNested() here. If any object is fine, use @Allow(). [SIGIL_DTO_ANY_MEMBERS]',
  },
  {
    title: 'a record with the decorators of a list, in a strict server',
    make: () => {
      class Book {
        @ValidateNested({ each: true }) @Type(() => Author) authors!: Record<string, Author>;
      }
      return taking(Book, { strict: true });
    },
    says: 'Library.add: Book.authors is read as a list of Author, because of { each: true }. The compiler gives only Object as its type, as for a record. For a list, add @IsArray(). For a Record<string, Author>, use @RecordOf(Author) instead of @ValidateNested() and @Type(). [SIGIL_DTO_LIST_OR_RECORD]',
  },
  {
    title: 'a rule of a group, in a strict server',
    make: () => {
      class Book {
        @IsString({ groups: ['create'] }) title!: string;
      }
      return taking(Book, { strict: true });
    },
    says: 'Library.add: Book.title has @IsString() with groups. No group is ever requested, so they apply to every value. Remove the groups, or write one class for each use: PickType, OmitType and PartialType derive them. [SIGIL_DTO_GROUPS]',
  },
  {
    title: 'a @Transform of a group, in a strict server',
    make: () => {
      class Book {
        @IsString() @Transform(({ value }: { value: string }) => value.trim(), { groups: ['create'] }) title!: string;
      }
      return taking(Book, { strict: true });
    },
    says: 'Library.add: Book.title has @Transform() with groups. No group is ever requested, so they never run. Remove the groups, or write one class for each use: PickType, OmitType and PartialType derive them. [SIGIL_DTO_GROUPS]',
  },
  {
    title: 'a rule about items of one value, in a strict server',
    make: () => {
      class Book {
        @IsString({ each: true }) title!: string;
      }
      return taking(Book, { strict: true });
    },
    says: 'Library.add: Book.title has @IsString() with { each: true }, but is sent as one value, so they apply to that value. Remove { each: true }. For a list, declare it as one (string[], with @IsArray() if the compiler does not know it). [SIGIL_DTO_EACH_OF_ONE]',
  },
];
