/** What a search takes and gives. */
import { Describe } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { Book } from './book';

/** What to look for; everything may be left out. */
export class SearchQuery {
  @Describe('Part of a title or of the name of an author')
  @IsOptional()
  @IsString()
  @Length(1, 100)
  text?: string;

  @Describe('All of these tags')
  @IsOptional()
  @ArrayMaxSize(10)
  @IsString({ each: true })
  tags?: Set<string>;

  @Describe('true: only books of which a copy is there; false: only those that are all lent')
  @IsOptional()
  @IsBoolean()
  available?: boolean;

  @Describe('How many books to return')
  @IsInt()
  @Min(1)
  @Max(50)
  limit: number = 10;

  @Describe('How many books to leave out, for the next page')
  @IsInt()
  @Min(0)
  offset: number = 0;
}

/** Some of the books that were found. */
export class SearchResult {
  @Describe('How many there are in all')
  @IsInt()
  total!: number;

  @ValidateNested({ each: true })
  @Type(() => Book)
  books!: Book[];
}
