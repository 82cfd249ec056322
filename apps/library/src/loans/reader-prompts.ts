/** The prompt, which a person picks from a menu. */
import { Complete, Describe, Feature, Prompt } from '@sigil-mcp/core';
import { IsString, Length } from 'class-validator';
import { Loans } from './loans';

/** The reader to recommend a book to. */
export class Reader {
  @Describe('Name of the reader')
  @IsString()
  @Length(1, 120)
  reader!: string;
}

/** Built once per server. */
@Feature()
export class ReaderPrompts {
  constructor(private readonly loans: Loans) {}

  @Prompt('Recommend the next book to a reader', { title: 'What to read next' })
  recommend({ reader }: Reader): string {
    const titles = this.loans.titlesOf(reader);
    const history =
      titles.length > 0 ? `They have read: ${titles.join('; ')}.` : 'They have not borrowed anything yet.';
    return `Recommend a book of our library to ${reader}. ${history} Use the tool search, and only name books that it finds.`;
  }

  @Complete('reader', 'recommend')
  readersLike(typed: string): string[] {
    return this.loans.readersLike(typed);
  }
}
