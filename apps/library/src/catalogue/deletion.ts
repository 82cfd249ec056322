/** The input of `deleteBook`. */
import { Describe } from '@sigil-mcp/core';
import { IsBoolean } from 'class-validator';
import { BookId } from './book';

/** Identifies the book, and says whether the user has agreed. */
export class Deletion extends BookId {
  @Describe('Only for clients that cannot ask their user: whether you have asked')
  @IsBoolean()
  confirmed: boolean = false;
}
