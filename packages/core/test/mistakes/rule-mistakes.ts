/** Mistakes in rules: they contradict each other, or the type of what they are about. */
import { Type } from 'class-transformer';
import {
  ArrayMaxSize, ArrayMinSize, IsDate, IsEnum, IsIn, IsInt, IsNotIn, IsNumberString, IsString, Length, Max, MaxDate, MaxLength, Min, MinDate, MinLength,
} from 'class-validator'; // prettier-ignore
import { taking, type Mistake } from './mistake';

enum Format {
  Paper = 'paper',
  Audio = 'audio',
}

/** Each with a class called Book, which the tool Library.add takes. */
export const RULE_MISTAKES: readonly Mistake[] = [
  {
    title: '@IsString on a number',
    make: () => {
      class Book {
        @IsString() pages!: number;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.pages is declared as Number, but @IsString() lets only a string pass. Make both agree: say @IsNumber() or @IsInt(), or declare what travels; @Transform() converts one into the other. [SIGIL_DTO_WRONG_TYPE]',
  },
  {
    title: '@IsInt on a text',
    make: () => {
      class Book {
        @IsInt() title!: string;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.title is declared as String, but @IsInt() lets only a number pass. Make both agree: say @IsString() or another rule for texts, or declare what travels; @Transform() converts one into the other. [SIGIL_DTO_WRONG_TYPE]',
  },
  {
    title: 'a number that arrives as text, as in a query string',
    make: () => {
      class Book {
        @IsNumberString() pages!: number;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.pages is declared as Number, but @IsNumberString() lets only a string pass. Make both agree: say @IsNumber() or @IsInt(), or declare what travels; @Transform() converts one into the other. [SIGIL_DTO_WRONG_TYPE]',
  },
  {
    title: '@IsString on a Date that @Type makes',
    make: () => {
      class Book {
        @IsString() @Type(() => Date) printed!: Date;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.printed is declared as Date, but @IsString() lets only a string pass. Make both agree: say @IsDate() @Type(() => Date), which is a text on the wire and a Date in the handler, or declare a string; @Transform() converts one into the other. [SIGIL_DTO_WRONG_TYPE]',
  },
  {
    title: 'a rule about items without { each: true }',
    make: () => {
      class Book {
        @IsString() tags!: string[];
      }
      return taking(Book);
    },
    says: 'Library.add: Book.tags is declared as Array, but @IsString() lets only a string pass. Make both agree: say rules about what the array holds with { each: true }, or declare what travels; @Transform() converts one into the other. [SIGIL_DTO_WRONG_TYPE]',
  },
  {
    title: 'rules about different types',
    make: () => {
      class Book {
        @IsString() @Min(3) title!: string;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.title accepts no value at all: @IsString() lets only a string pass, and @Min() lets only a number pass. Change or remove one of the decorators. On an array, decorators for the items need { each: true }. [SIGIL_DTO_CONTRADICTION]',
  },
  {
    title: 'a minimum above the maximum',
    make: () => {
      class Book {
        @Min(5) @Max(3) pages!: number;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.pages accepts no value at all: nothing is at least 5 (@Min()) and at most 3 (@Max()). Change or remove one of the decorators. On an array, decorators for the items need { each: true }. [SIGIL_DTO_CONTRADICTION]',
  },
  {
    title: 'lengths in the wrong order',
    make: () => {
      class Book {
        @Length(5, 2) title!: string;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.title accepts no value at all: nothing is at least 5 characters long (@Length()) and at most 2 characters long (@Length()). Change or remove one of the decorators. On an array, decorators for the items need { each: true }. [SIGIL_DTO_CONTRADICTION]',
  },
  {
    title: 'lengths of two decorators that exclude each other',
    make: () => {
      class Book {
        @MinLength(5) @MaxLength(2) title!: string;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.title accepts no value at all: nothing is at least 5 characters long (@MinLength()) and at most 2 characters long (@MaxLength()). Change or remove one of the decorators. On an array, decorators for the items need { each: true }. [SIGIL_DTO_CONTRADICTION]',
  },
  {
    title: 'sizes of a list that exclude each other',
    make: () => {
      class Book {
        @IsString({ each: true }) @ArrayMinSize(3) @ArrayMaxSize(1) tags!: string[];
      }
      return taking(Book);
    },
    says: 'Library.add: Book.tags accepts no value at all: nothing is at least 3 items long (@ArrayMinSize()) and at most 1 items long (@ArrayMaxSize()). Change or remove one of the decorators. On an array, decorators for the items need { each: true }. [SIGIL_DTO_CONTRADICTION]',
  },
  {
    title: 'dates that exclude each other',
    make: () => {
      class Book {
        @IsDate() @Type(() => Date) @MinDate(new Date('2026-02-01')) @MaxDate(new Date('2026-01-01')) printed!: Date;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.printed accepts no value at all: nothing is at least 2026-02-01T00:00:00.000Z (@MinDate()) and at most 2026-01-01T00:00:00.000Z (@MaxDate()). Change or remove one of the decorators. On an array, decorators for the items need { each: true }. [SIGIL_DTO_CONTRADICTION]',
  },
  {
    title: 'values that are both allowed and refused',
    make: () => {
      class Book {
        @IsIn([1]) @IsNotIn([1]) rating!: number;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.rating accepts no value at all: @IsIn() and @IsNotIn() leave none. Change or remove one of the decorators. On an array, decorators for the items need { each: true }. [SIGIL_DTO_CONTRADICTION]',
  },
  {
    title: 'an enum in the syntax of another library',
    make: () => {
      class Book {
        @IsEnum({ enum: Format }) format!: Format;
      }
      return taking(Book);
    },
    says: 'Library.add: Book.format accepts no value at all: @IsEnum() is given no values; it takes the enum itself, as in @IsEnum(Format). Change or remove one of the decorators. On an array, decorators for the items need { each: true }. [SIGIL_DTO_CONTRADICTION]',
  },
];
