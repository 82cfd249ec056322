/** `get_user_cart`: the cart of a user, and the orders before it. */
import { Feature, Tool } from '@sigil-mcp/core';
import { Catalog } from '../clients/catalog';
import { ShopData, type CartItem } from '../clients/shop-data';
import { Settings } from '../settings';
import { CartQuery } from './cart-query';

export interface UserCart {
  readonly user_id: string;
  readonly cart: {
    readonly items: readonly CartItem[];
    readonly item_count: number;
    readonly estimated_total: number;
  };
  readonly recent_history: readonly unknown[];
  readonly server_type: string;
}

@Feature()
export class CartFeature {
  constructor(
    private readonly catalog: Catalog,
    private readonly data: ShopData,
    private readonly settings: Settings,
  ) {}

  @Tool('Get user cart details with recent order history', { name: 'get_user_cart', readOnly: true })
  async show({ user_id }: CartQuery): Promise<UserCart> {
    const { items, total } = await this.data.cart(user_id);
    // The contract has the product fetched and not shown.
    const [history] = await Promise.all([this.data.history(user_id), this.catalog.product(items[0]?.product_id ?? 1)]);
    return {
      user_id,
      cart: { items, item_count: items.length, estimated_total: total },
      recent_history: history,
      server_type: this.settings.SERVER_TYPE,
    };
  }
}
