/** `checkout`: the price of an order, which is counted and recorded at the same time. */
import { Feature, Tool } from '@sigil-mcp/core';
import { Catalog } from '../clients/catalog';
import { ShopData } from '../clients/shop-data';
import { Settings } from '../settings';
import { Order } from './order';

export interface Receipt {
  readonly order_id: string;
  readonly user_id: string;
  readonly total: number;
  readonly items_count: number;
  readonly rate_limit_count: number;
  readonly status: 'confirmed';
  readonly server_type: string;
}

@Feature()
export class CheckoutFeature {
  constructor(
    private readonly catalog: Catalog,
    private readonly data: ShopData,
    private readonly settings: Settings,
  ) {}

  @Tool('Process checkout: calculate total, update rate limit, record history', { name: 'checkout' })
  async checkout({ user_id, items }: Order): Promise<Receipt> {
    const now = Date.now();
    const record = { order_id: `ORD-${user_id}-${now}`, items, ts: Math.floor(now / 1000) };
    const [price, requests] = await Promise.all([
      this.catalog.calculate(user_id, items),
      this.data.countRequest(user_id),
      this.data.addOrder(user_id, record),
      this.data.countSale(items[0]?.product_id ?? 1),
    ]);
    return {
      order_id: price.order_id,
      user_id,
      total: price.total,
      items_count: items.length,
      rate_limit_count: requests,
      status: 'confirmed',
      server_type: this.settings.SERVER_TYPE,
    };
  }
}
