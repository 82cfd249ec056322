/** The classes that `docs/dtos.md` shows; `dto-guide.spec.ts` proves what it says of them. */
import { Transform, Type } from 'class-transformer';
import {
  Allow, ArrayMaxSize, IsArray, IsBoolean, IsDate, IsDateString, IsDefined, IsEnum, IsIn, IsInstance, IsInt, IsNumber, IsNumberString, IsObject, IsOptional, IsString, IsUrl, Length, Matches, MaxLength, Min,
  ValidateBy, ValidateNested,
} from 'class-validator'; // prettier-ignore
import { AnyOf, Describe, IntersectionType, Nullable, OmitType, PartialType, PickType, RecordOf } from '../src';

// #region sent
export class BookChanges {
  @IsOptional() @IsString() title?: string;
  @IsOptional() @IsInt() pages?: number;
  @IsOptional() @Nullable() @IsString() shelf?: string | null;
}
// #endregion sent

// #region transform
export class Shelving {
  @IsNumberString() @Transform(({ value }: { value: string }) => Number(value)) shelf!: number;
  @IsString() @Transform(({ value }: { value: string }) => value.split(',')) tags!: string[];
  @Length(1, 20) @Transform(({ value }: { value: string }) => value.trim()) note!: string;
}
// #endregion transform

// #region dates
const IsWeekday = (): PropertyDecorator =>
  ValidateBy({ name: 'isWeekday', validator: { validate: (day) => day instanceof Date && day.getUTCDay() % 6 > 0 } });

export class Stay {
  @Matches(/^\d{4}-\d\d-\d\d$/) from!: Date; // about the text: only whole days are accepted
  @IsDate() @Type(() => Date) @IsWeekday() to!: Date; // the custom rule gets a Date
  @IsDate() @Transform(({ value }: { value: string }) => new Date(value.slice(0, 10))) paid!: Date; // it gets the text
}
// #endregion dates

// #region book
export class Book {
  @Describe('Its number in the catalogue') @IsInt() id!: number;
  @IsString() @MaxLength(200) title!: string;
  @IsInt() @Min(1) pages: number = 100;
}

export class NewBook extends OmitType(Book, ['id']) {}
export class BookPatch extends IntersectionType(PickType(Book, ['id']), PartialType(OmitType(Book, ['id']))) {}
// #endregion book

// #region override
export class TitledPatch extends PartialType(Book) {
  @IsString() override title!: string;
}
// #endregion override

// #region collections
export class Author {
  @IsString() name!: string;
}

export class Catalogue {
  @ValidateNested({ each: true }) @Type(() => Author) authors!: Map<string, Author>;
  @IsString({ each: true }) tags!: Set<string>;
  @RecordOf(Number) @Min(0, { each: true }) copies!: Record<string, number>;
  @RecordOf(Author) editors!: Record<string, Author>;
  @IsOptional() @IsInstance(Set) @IsInt({ each: true }) @Nullable() years?: Set<number> | null;
}
// #endregion collections

// #region discriminator
export abstract class Medium {
  @IsOptional() @IsString() label?: string;
}
export class Paper extends Medium {
  @IsInt() pages!: number;
}
export class Recording extends Medium {
  @IsIn(['recording']) kind!: 'recording';
  @IsInt() minutes!: number;
}

export class Lent {
  @ValidateNested()
  @Type(() => Medium, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { value: Paper, name: 'paper' },
        { value: Recording, name: 'recording' },
      ],
    },
  })
  item!: Medium;
}
// #endregion discriminator

// #region union
export class City {
  @IsString() name!: string;
}
export class Coordinates {
  @IsNumber() lat!: number;
  @IsNumber() lng!: number;
}

export class Search {
  @AnyOf(String, Number) @MaxLength(20) @Min(1) id!: string | number;
  @AnyOf(City, Coordinates) near!: City | Coordinates;
  @AnyOf(() => [String, Author], { each: true }) by!: (string | Author)[];
}
// #endregion union

// #region vague
export class Letter {
  @IsDefined() payload!: unknown; // any JSON value but null: @IsDefined() only says that it is there
  @IsOptional() headers?: Record<string, string>; // any JSON value: an interface is nothing at run time
  @IsArray() lines!: string[]; // a list of anything: the compiler says Array, and no more
}

export class ClearLetter {
  @Allow() payload: unknown;
  @IsOptional() @RecordOf(String) headers?: Record<string, string>;
  @IsArray() @IsString({ each: true }) lines!: string[];
}
// #endregion vague

export enum Format {
  Paper = 'paper',
  Audio = 'audio',
}

/** One property of each kind, as the table shows them. */
export class Kinds {
  @IsString() @MaxLength(80) title!: string;
  @IsInt() @Min(1) pages!: number;
  @IsNumber() weight!: number;
  @IsBoolean() lent!: boolean;
  @IsEnum(Format) format!: Format;
  @IsIn([1, 2, 5]) rating!: 1 | 2 | 5;
  @IsDate() @Type(() => Date) day!: Date;
  @IsDateString() printed!: Date;
  @IsUrl() cover!: string;
  @IsOptional() @IsString() note?: string;
  @Nullable() @IsString() shelf!: string | null;
  @IsInt() copies: number = 1;
  @IsString({ each: true }) @ArrayMaxSize(5) tags!: string[];
  @ValidateNested() @Type(() => Author) author!: Author;
  @ValidateNested({ each: true }) @Type(() => Author) authors!: Author[];
  @ValidateNested({ each: true }) @Type(() => Author) byName!: Map<string, Author>;
  @IsInt({ each: true }) years!: Set<number>;
  @RecordOf(Number) prices!: Record<string, number>;
  @AnyOf(String, Number) id!: string | number;
  @AnyOf(Author, Date) by!: Author | Date;
  @IsObject() data!: object;
  @Allow() extra!: unknown;
}
