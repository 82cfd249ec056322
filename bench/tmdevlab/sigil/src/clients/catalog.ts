/** The API service: products, and the price of a cart. */
import type { OnStop } from '@sigil-mcp/core';
import type { JsonClient } from './json-client';

export interface Product {
  readonly id: number;
  readonly sku: string;
  readonly name: string;
  readonly price: number;
  readonly rating: number;
}

export interface Found {
  readonly total_found: number;
  readonly products: readonly Product[];
}

export interface SearchedFor {
  readonly category: string;
  readonly min_price: number;
  readonly max_price: number;
  readonly limit: number;
}

export interface Ordered {
  readonly product_id: number;
  readonly quantity: number;
}

export interface Calculated {
  readonly order_id: string;
  readonly total: number;
}

// #region catalog
export class Catalog implements OnStop {
  constructor(private readonly client: JsonClient) {}

  async search({ category, min_price, max_price, limit }: SearchedFor): Promise<Found> {
    const range = `min_price=${min_price}&max_price=${max_price}&limit=${limit}`;
    return (await this.client.get(`/products/search?category=${encodeURIComponent(category)}&${range}`)) as Found;
  }

  async product(id: number): Promise<Product> {
    return (await this.client.get(`/products/${id}`)) as Product;
  }

  async calculate(userId: string, items: readonly Ordered[]): Promise<Calculated> {
    return (await this.client.post('/cart/calculate', { user_id: userId, items })) as Calculated;
  }

  onStop(): Promise<void> {
    return this.client.close();
  }
}
// #endregion catalog
