/** What `deleteBook` takes. */
import { Describe } from '@sigil-mcp/core';
import { IsBoolean } from 'class-validator';
import { BookId } from './book';

/** Which book, and whether somebody has agreed. */
export class Deletion extends BookId {
  @Describe('Only for clients that cannot ask their user: whether you have asked')
  @IsBoolean()
  confirmed: boolean = false;
}
