/** The store of the page that shows Sigil as a whole (docs/one-page.md). */
// #region store
import { Injectable, ToolFailure, type OnStart, type OnStop } from '@sigil-mcp/core';
import type { Order } from './order.dto';

@Injectable() // one object for the whole server: each constructor with a parameter of this class receives it
export class Shop implements OnStart, OnStop {
  readonly orders = new Map<string, Order>();
  private readonly finished = new Map<string, string>(); // in production: a table whose key is the id

  async onStart(): Promise<void> {} // open connections here
  async onStop(): Promise<void> {} // and close them here

  get(id: string): Order {
    const order = this.orders.get(id);
    // The model reads a ToolFailure word for word. Every other error is masked for clients and logged.
    if (!order) throw new ToolFailure(`There is no order "${id}". Call listOrders for the ids.`);
    return order;
  }

  /** Cancels once for each onceId: the second time, the first result is returned. */
  cancel(id: string, reason: string, onceId: string): string {
    const before = this.finished.get(onceId);
    if (before !== undefined) return before;
    this.get(id).state = 'cancelled';
    const result = `Cancelled order ${id}: ${reason}.`;
    this.finished.set(onceId, result);
    return result;
  }
}
// #endregion store
