// Changes at run time of the page that shows Sigil as a whole (docs/one-page.md).
// #region live
import { Describe, Feature, Server, ServerRegistry, Tool, tool } from '@sigil-mcp/core';
import { IsBoolean } from 'class-validator';
import { Shop } from './shop';

class Switch {
  @Describe('Whether there is a tool countOrders') @IsBoolean() on!: boolean;
}

@Feature()
export class LiveFeature {
  constructor(
    private readonly shop: Shop,
    private readonly registry: ServerRegistry, // both are injected without a provider
    private readonly server: Server,
  ) {}

  @Tool('Turns counting on or off')
  setCounting({ on }: Switch): string {
    this.registry.remove('tool', 'countOrders'); // nothing happens if there is no such tool
    const count = () => `${this.shop.orders.size} orders`;
    if (on) this.registry.add(tool('countOrders', { description: 'Counts the orders' }, count));
    return on ? 'On.' : 'Off.'; // clients are notified that the list of tools has changed
  }

  @Tool('Marks all orders as sent')
  sendAll(): string {
    for (const order of this.shop.orders.values()) {
      order.state = 'sent';
      this.server.notifyResourceChanged(`shop://orders/${order.id}`); // tells clients that subscribed to this resource
    }
    return 'Sent.';
  }
}
// #endregion live
