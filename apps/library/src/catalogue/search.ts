/** The input and the output of a search. */
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

/** The search; every field is optional. */
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

  @Describe('true: only books with an available copy; false: only books whose copies are all lent')
  @IsOptional()
  @IsBoolean()
  available?: boolean;

  @Describe('How many books to return')
  @IsInt()
  @Min(1)
  @Max(50)
  limit: number = 10;

  @Describe('How many books to skip, for the next page')
  @IsInt()
  @Min(0)
  offset: number = 0;
}

/** A page of the books that were found. */
export class SearchResult {
  @Describe('How many books were found in total')
  @IsInt()
  total!: number;

  @ValidateNested({ each: true })
  @Type(() => Book)
  books!: Book[];
}
