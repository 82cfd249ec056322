/** A payment, and the classes that derive from it. */
import { Describe, PickType } from '@sigil-mcp/core';
import { IsIn, IsInt, IsNumber, IsOptional, IsString, Length, Max, Min } from 'class-validator';

/** A payment, from the request to the decision. */
export class Payment {
  @Describe('Number of the payment')
  @IsInt()
  @Min(1)
  id!: number;

  @Describe('Who is paid')
  @IsString()
  @Length(1, 100)
  to!: string;

  @Describe('In euros')
  @IsNumber({ maxDecimalPlaces: 2 })
  @Min(0.01)
  @Max(100_000)
  amount!: number;

  @Describe('What it is for, in terms that an approver understands')
  @IsString()
  @Length(3, 300)
  purpose!: string;

  @Describe('Who asked for it')
  @IsString()
  by!: string;

  @IsIn(['waiting', 'paid', 'rejected'])
  state!: 'waiting' | 'paid' | 'rejected';

  @Describe('Why it was rejected')
  @IsOptional()
  @IsString()
  reason?: string;
}

/** A payment that a user requests. */
export class NewPayment extends PickType(Payment, ['to', 'amount', 'purpose']) {}

/** Identifies a payment. */
export class PaymentId extends PickType(Payment, ['id']) {}
