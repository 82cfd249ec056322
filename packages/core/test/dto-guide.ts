/** The classes that `docs/dtos.md` shows; `dto-guide.spec.ts` proves what it says of them. */
import { IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { Describe, IntersectionType, Nullable, OmitType, PartialType, PickType } from '../src';

// #region sent
export class BookChanges {
  @IsOptional() @IsString() title?: string;
  @IsOptional() @IsInt() pages?: number;
  @IsOptional() @Nullable() @IsString() shelf?: string | null;
}
// #endregion sent

// #region book
export class Book {
  @Describe('Its number in the catalogue') @IsInt() id!: number;
  @IsString() @MaxLength(200) title!: string;
  @IsInt() @Min(1) pages: number = 100;
}

export class NewBook extends OmitType(Book, ['id']) {}
export class BookPatch extends IntersectionType(PickType(Book, ['id']), PartialType(OmitType(Book, ['id']))) {}
// #endregion book

// #region override
export class TitledPatch extends PartialType(Book) {
  @IsString() override title!: string;
}
// #endregion override
