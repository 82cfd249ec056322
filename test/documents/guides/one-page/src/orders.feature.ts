// #region tools
import { setTimeout as delay } from 'node:timers/promises';
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import { NewOrder, Order, OrderId, OrderList } from './order.dto';
import { Shop } from './shop';

@Feature()
export class OrdersFeature {
  constructor(private readonly shop: Shop) {} // a class, imported as a value

  // The description comes first: it tells a model when to call the tool. The method's name is the tool's name.
  @Tool('Places an order', { output: Order })
  placeOrder(order: NewOrder): Order {
    const placed: Order = { ...order, id: String(this.shop.orders.size + 1), state: 'open' };
    this.shop.orders.set(placed.id, placed);
    return placed; // must fit `output`; what the class does not declare is left out
  }

  @Tool('Lists all orders', { output: OrderList, readOnly: true })
  listOrders(): OrderList {
    return { orders: [...this.shop.orders.values()] };
  }

  @Tool('Sends a parcel for each line of an order', { timeout: 60_000 })
  async sendOrder({ id }: OrderId, context: McpContext): Promise<string> {
    const order = this.shop.get(id);
    for (const [index, line] of order.lines.entries()) {
      await delay(1, undefined, { signal: context.signal }); // stops when the client cancels or time is up
      await context.progress(index + 1, order.lines.length, `Sent ${line.article}`);
    }
    order.state = 'sent';
    context.log.info('sent', { id });
    return `Sent order ${id}.`; // a string becomes text
  }
}
// #endregion tools
