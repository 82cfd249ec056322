/** An issue, with the fields that a model needs; other fields of the API are left out. */
import { Describe, PickType } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsString, Length, Min, ValidateNested } from 'class-validator';

/** An issue. */
export class Issue {
  @Describe('Number of the issue')
  @IsInt()
  @Min(1)
  number!: number;

  @IsString()
  title!: string;

  @IsIn(['open', 'closed'])
  state!: 'open' | 'closed';

  @Describe('The text, in Markdown')
  @IsString()
  body: string = '';
}

/** Identifies an issue. */
export class IssueNumber extends PickType(Issue, ['number']) {}

/** Several issues. */
export class Issues {
  @Describe('The newest first')
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Issue)
  issues!: Issue[];
}

/** A search for issues. */
export class IssueSearch {
  @Describe('Words of the title or the text')
  @IsString()
  @Length(1, 200)
  text!: string;

  @IsIn(['open', 'closed', 'all'])
  state: 'open' | 'closed' | 'all' = 'open';
}

/** A comment to add. */
export class NewComment extends IssueNumber {
  @Describe('The comment, in Markdown')
  @IsString()
  @Length(1, 10_000)
  text!: string;
}
