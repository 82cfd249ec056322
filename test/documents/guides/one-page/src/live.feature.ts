/** Tools that come and go, and notifications about resources, for docs/one-page.md. */
// #region live
import { Describe, Feature, Server, ServerRegistry, Tool, type OnStart } from '@sigil-mcp/core';
import { IsBoolean } from 'class-validator';
import { Shop } from './shop';

class Switch {
  @Describe('Whether there is a tool countOrders') @IsBoolean() on!: boolean;
}

@Feature()
export class LiveFeature implements OnStart {
  constructor(
    private readonly shop: Shop,
    private readonly registry: ServerRegistry, // both are injected without a provider
    private readonly server: Server,
  ) {}

  onStart(): void {
    this.registry.disable('tool', 'countOrders'); // off at the start: neither listed nor callable
  }

  @Tool('Counts the orders')
  countOrders(): string {
    return `${this.shop.orders.size} orders`;
  }

  @Tool('Turns countOrders on or off')
  setCounting({ on }: Switch): string {
    if (on) this.registry.enable('tool', 'countOrders');
    else this.registry.disable('tool', 'countOrders');
    return on ? 'On.' : 'Off.'; // clients are notified that the list of tools has changed
  }

  @Tool('Marks all orders as sent')
  sendAll(): string {
    for (const order of this.shop.orders.values()) {
      order.state = 'sent';
      // Tells clients that subscribed to this resource.
      this.server.notifyResourceChanged(`shop://orders/${order.id}`);
    }
    return 'Sent.';
  }
}
// #endregion live
