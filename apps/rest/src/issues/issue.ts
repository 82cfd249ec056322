/** What the API calls an issue, as far as a model needs it: what else the API says is left out. */
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

  @Describe('What it says, in Markdown')
  @IsString()
  body: string = '';
}

/** Which issue. */
export class IssueNumber extends PickType(Issue, ['number']) {}

/** Several issues. */
export class Issues {
  @Describe('The newest first')
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Issue)
  issues!: Issue[];
}

/** What is looked for. */
export class IssueSearch {
  @Describe('Words of the title or the text')
  @IsString()
  @Length(1, 200)
  text!: string;

  @IsIn(['open', 'closed', 'all'])
  state: 'open' | 'closed' | 'all' = 'open';
}

/** What is said of an issue. */
export class NewComment extends IssueNumber {
  @Describe('What to say, in Markdown')
  @IsString()
  @Length(1, 10_000)
  text!: string;
}
