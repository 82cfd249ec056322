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
    this.shop.get(id);
    const { elicitation } = context.client.capabilities;
    // {} means forms; a client that only opens URLs declares { url: {} }.
    if (!elicitation || (elicitation.url && !elicitation.form))
      throw new ToolFailure('Your client has no forms. Cancel on the web.');
    // Ask first, act after the last question: for clients of 2026-07-28 the handler starts again with the answer.
    const answer = await context.elicit(ReallyCancel, `Cancel order ${id}?`);
    if (answer.action !== 'accept' || !answer.content.sure) throw new ToolFailure('The user kept the order.');
    // A client may send the same answer again, so that the handler runs again. The id is the same then.
    return this.shop.cancel(id, answer.content.reason, context.onceId('cancel'));
  }
}
// #endregion elicit
