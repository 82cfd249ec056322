// The store of the page that shows Sigil as a whole (docs/one-page.md).
// #region store
import { Injectable, ToolFailure, type OnStart, type OnStop } from '@sigil-mcp/core';
import type { Order } from './order.dto';

@Injectable() // one object for the whole server; whoever asks for Shop in a constructor gets it
export class Shop implements OnStart, OnStop {
  readonly orders = new Map<string, Order>();

  async onStart(): Promise<void> {} // open connections here
  async onStop(): Promise<void> {} // and close them here

  get(id: string): Order {
    const order = this.orders.get(id);
    // The model reads a ToolFailure word for word. Every other error is masked for clients and logged.
    if (!order) throw new ToolFailure(`There is no order "${id}". Call listOrders for the ids.`);
    return order;
  }
}
// #endregion store
