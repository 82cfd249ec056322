/** A book, and the classes that derive from it: the rules of each field are written once. */
import { Describe, IntersectionType, Nullable, OmitType, PartialType, PickType } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsDate,
  IsInt,
  IsISBN,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';

/** Who wrote it. */
export class Author {
  @Describe('Name as on the cover, for example "Ursula K. Le Guin"')
  @IsString()
  @Length(1, 120)
  name!: string;

  @Describe('Year of birth, if it is known')
  @IsOptional()
  @IsInt()
  @Min(-3000)
  @Max(2100)
  born?: number;
}

/** A book of the catalogue. */
export class Book {
  @Describe('Number in the catalogue')
  @IsInt()
  @Min(1)
  id!: number;

  @Describe('Title as on the cover')
  @IsString()
  @Length(1, 300)
  title!: string;

  @Describe('In the order of the cover')
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @ValidateNested({ each: true })
  @Type(() => Author)
  authors!: Author[];

  @Describe('ISBN, with or without hyphens')
  @IsOptional()
  @IsISBN()
  isbn?: string;

  @Describe('Day of the first edition')
  @IsOptional()
  @IsDate()
  @Type(() => Date)
  published?: Date;

  @Describe('How many pages it has')
  @IsInt()
  @Min(1)
  @Max(50_000)
  pages!: number;

  @Describe('Shelf, for example "A3"; null if it is on none')
  @Nullable()
  @IsString()
  @Length(1, 20)
  shelf: string | null = null;

  @Describe('How many the library owns')
  @IsInt()
  @Min(1)
  @Max(1000)
  copies: number = 1;

  @Describe('What it is about, one word each')
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @Length(1, 30, { each: true })
  tags: Set<string> = new Set();
}

/** A book that has no number yet. */
export class NewBook extends OmitType(Book, ['id']) {}

/** Changes of a book: only the fields that are sent. */
export class BookChanges extends IntersectionType(PickType(Book, ['id']), PartialType(NewBook)) {}

/** Identifies a book. */
export class BookId extends PickType(Book, ['id']) {}
