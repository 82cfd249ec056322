/** What people are asked: each class is a form. */
import { Title, ValueTitles } from '@sigil-mcp/core';
import { IsBoolean, IsIn, IsOptional, IsString, Length } from 'class-validator';

/** Asked of whoever wants a payment. */
export class Confirmation {
  @Title('Yes, ask for this payment')
  @IsBoolean()
  sure: boolean = false;
}

/** Asked of the approver. */
export class Decision {
  @Title('What is it to be?')
  @ValueTitles({ approve: 'Pay it', reject: 'Do not pay it' })
  @IsIn(['approve', 'reject'])
  decision!: 'approve' | 'reject';

  @Title('Why (whoever asked for it reads this)')
  @IsOptional()
  @IsString()
  @Length(1, 300)
  reason?: string;
}

/** Asked of an approver who rejects and does not say why. */
export class Reason {
  @Title('Why is it rejected?')
  @IsString()
  @Length(1, 300)
  reason!: string;
}
