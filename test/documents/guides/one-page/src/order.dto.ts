// #region dto
import { Describe, Nullable } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsDate,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';

export class Line {
  @Describe('Article number') @IsString() @Length(1, 20) article!: string;
  @Describe('How many') @IsInt() @Min(1) @Max(99) pieces: number = 1; // a default: optional, and in the schema
}

export class NewOrder {
  @Describe('Receives the invoice') @IsEmail() email!: string;
  // Nested classes and arrays of them need both decorators.
  @Describe('What is ordered')
  @IsArray()
  @ArrayMinSize(1)
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];
  @Describe('How it is sent') @IsIn(['post', 'courier']) delivery: string = 'post'; // an enum
  @Describe('Labels on the parcel') @IsOptional() @IsString({ each: true }) labels?: string[]; // an array of strings
  @Describe('Sizes') @IsOptional() @IsInt({ each: true }) sizes?: number[];
  // "2026-01-31" and "2026-01-31T12:00:00Z" become a Date.
  @Describe('Not before') @IsOptional() @IsDate() from?: Date;
  @Describe('A wish, or null for none') @IsOptional() @Nullable() @IsString() note?: string | null;
}

export class Order extends NewOrder {
  @Describe('The id of the order') @IsString() id!: string;
  @Describe('What became of it') @IsIn(['open', 'sent', 'cancelled']) state!: string;
}

export class OrderId {
  @Describe('The id of an order') @IsString() id!: string;
}

/** The result of a tool is a class as well. A list goes into a property. */
export class OrderList {
  @Describe('The orders') @IsArray() @ValidateNested({ each: true }) @Type(() => Order) orders!: Order[];
}
// #endregion dto
