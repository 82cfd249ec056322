// #region elicit
import { Feature, McpContext, Scopes, Title, Tool, ToolFailure } from '@sigil-mcp/core';
import { IsBoolean, IsIn } from 'class-validator';
import { OrderId } from './order.dto';
import { Shop } from './shop';

class ReallyCancel {
  @Title('Cancel the order?') @IsBoolean() sure: boolean = false;
  @Title('Why') @IsIn(['mistake', 'too late', 'other']) reason: string = 'other';
}

@Feature()
export class CancelFeature {
  constructor(private readonly shop: Shop) {}

  @Tool('Cancels an order, after the user has confirmed it', { destructive: true, asks: [ReallyCancel] })
  @Scopes('orders:write') // the token has to allow it; over stdio everything is allowed
  async cancelOrder({ id }: OrderId, context: McpContext): Promise<string> {
    const order = this.shop.get(id);
    // Ask first, act after the last question: for clients of 2026-07-28 the handler starts again with the answer.
    const answer = await context.elicit(ReallyCancel, `Cancel order ${id}?`);
    if (answer.action !== 'accept' || !answer.content.sure) throw new ToolFailure('The user kept the order.');
    order.state = 'cancelled';
    return `Cancelled order ${id}: ${answer.content.reason}.`;
  }
}
// #endregion elicit
