/** The inputs and outputs of the git tools. */
import { Describe } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Length, Matches, Max, Min, ValidateNested } from 'class-validator';

/** A commit. */
export class Commit {
  @IsString()
  id!: string;

  @IsString()
  author!: string;

  @Describe('When, as ISO 8601 has it')
  @IsString()
  date!: string;

  @Describe('The first line of its message')
  @IsString()
  subject!: string;
}

/** Several commits. */
export class History {
  @Describe('The newest first')
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Commit)
  commits!: Commit[];
}

/** Identifies a file or folder. */
export class Within {
  @Describe('Path within the folder; all of it if left out')
  @IsString()
  @Length(1, 1000)
  path: string = '.';
}

/** A part of the history. */
export class HistoryQuery extends Within {
  @Describe('How many commits, the newest first')
  @IsInt()
  @Min(1)
  @Max(200)
  limit: number = 20;
}

/** The changes to show. */
export class DiffQuery extends Within {
  @Describe('Commit, branch or range, such as "HEAD~3" or "main..topic"; uncommitted changes if left out')
  @IsOptional()
  // Never an option: it begins with a letter or a digit.
  @Matches(/^\w[\w./~^-]{0,199}$/)
  from?: string;
}
