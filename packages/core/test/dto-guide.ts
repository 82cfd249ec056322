/** The classes that `docs/dtos.md` shows; `dto-guide.spec.ts` proves what it says of them. */
import { IsInt, IsOptional, IsString } from 'class-validator';
import { Nullable } from '../src';

// #region sent
export class BookChanges {
  @IsOptional() @IsString() title?: string;
  @IsOptional() @IsInt() pages?: number;
  @IsOptional() @Nullable() @IsString() shelf?: string | null;
}
// #endregion sent
