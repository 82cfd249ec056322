/** A loan. Its terms are one of two classes, which a discriminator tells apart. */
import { Describe } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import { IsDate, IsIn, IsInt, IsString, Length, Max, Min, ValidateNested } from 'class-validator';

/** How a book is lent. */
export abstract class Terms {
  abstract kind: string;
}

/** The reader takes it home. */
export class TakenHome extends Terms {
  @IsIn(['home'])
  kind!: 'home';

  @Describe('How many days')
  @IsInt()
  @Min(1)
  @Max(90)
  days: number = 28;
}

/** The reader stays in the reading room; the book is due at the end of the day. */
export class ReadHere extends Terms {
  @IsIn(['reading-room'])
  kind!: 'reading-room';

  @Describe('Number of the seat')
  @IsInt()
  @Min(1)
  @Max(80)
  seat!: number;
}

const TERMS = {
  discriminator: {
    property: 'kind',
    subTypes: [
      { value: TakenHome, name: 'home' },
      { value: ReadHere, name: 'reading-room' },
    ],
  },
};

/** A reader's request for a loan. */
export class LoanRequest {
  @Describe('Number of the book')
  @IsInt()
  @Min(1)
  book!: number;

  @Describe('Name of the reader')
  @IsString()
  @Length(1, 120)
  reader!: string;

  @ValidateNested()
  @Type(() => Terms, TERMS)
  terms!: TakenHome | ReadHere;
}

/** A book that is lent. */
export class Loan {
  @Describe('Number of the loan')
  @IsInt()
  id!: number;

  @Describe('Number of the book')
  @IsInt()
  book!: number;

  @IsString()
  title!: string;

  @IsString()
  reader!: string;

  @ValidateNested()
  @Type(() => Terms, TERMS)
  terms!: TakenHome | ReadHere;

  @Describe('When the book is due')
  @IsDate()
  @Type(() => Date)
  due!: Date;
}

/** The loans that are overdue. */
export class Overdue {
  @Describe('The longest overdue first')
  @ValidateNested({ each: true })
  @Type(() => Loan)
  loans!: Loan[];
}

/** Identifies a loan. */
export class LoanId {
  @Describe('Number of the loan')
  @IsInt()
  @Min(1)
  loan!: number;
}
