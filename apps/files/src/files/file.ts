/** The inputs and outputs of the file tools. */
import { Describe } from '@sigil-mcp/core';
import { IsArray, IsBoolean, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

/** Identifies a file. */
export class FilePath {
  @Describe('Path within the folder, such as "src/main.ts"')
  @IsString()
  @Length(1, 1000)
  path!: string;
}

/** A search for files. */
export class FileSearch {
  @Describe('Part of the path; every file if left out')
  @IsOptional()
  @IsString()
  @Length(1, 200)
  text?: string;

  @Describe('How many paths to return')
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 100;
}

/** The result of a search. */
export class FoundFiles {
  @Describe('Paths within the folder')
  @IsArray()
  @IsString({ each: true })
  files!: string[];

  @Describe('Whether there are more')
  @IsBoolean()
  more!: boolean;
}
