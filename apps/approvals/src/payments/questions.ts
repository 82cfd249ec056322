/** The questions to users: each class is a form. */
import { Title, ValueTitles } from '@sigil-mcp/core';
import { IsBoolean, IsIn, IsOptional, IsString, Length } from 'class-validator';

/** For the user who asks for a payment. */
export class Confirmation {
  @Title('Yes, ask for this payment')
  @IsBoolean()
  sure: boolean = false;
}

/** For the approver. */
export class Decision {
  @Title('What do you decide?')
  @ValueTitles({ approve: 'Pay it', reject: 'Do not pay it' })
  @IsIn(['approve', 'reject'])
  decision!: 'approve' | 'reject';

  @Title('Why (the user who asked for the payment reads this)')
  @IsOptional()
  @IsString()
  @Length(1, 300)
  reason?: string;
}

/** For an approver who rejects without a reason. */
export class Reason {
  @Title('Why is it rejected?')
  @IsString()
  @Length(1, 300)
  reason!: string;
}
