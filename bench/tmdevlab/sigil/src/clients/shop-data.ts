/** What Redis holds: carts, histories, popularity and rates. */
import type { OnStop } from '@sigil-mcp/core';
import { Redis } from 'ioredis';

export interface CartItem {
  readonly product_id: number;
  readonly qty: number;
}

export interface Cart {
  readonly items: readonly CartItem[];
  readonly total: number;
}

/** One connection for the process. With `pipelining`, the commands of one turn of the event loop are written together. */
export class ShopData implements OnStop {
  readonly #redis: Redis;

  // #region redis
  constructor(url: string, pipelining: boolean) {
    this.#redis = new Redis(url, { enableAutoPipelining: pipelining, maxRetriesPerRequest: 3 });
  }
  // #endregion redis

  /** @returns the ids of the ten most popular products, the first one first */
  async popular(): Promise<number[]> {
    const members = await this.#redis.zrevrange('bench:popular', 0, 9);
    return members.map((member) => Number(member.slice('product:'.length)));
  }

  /** @returns an empty cart for a user without one */
  async cart(userId: string): Promise<Cart> {
    const { items, total } = await this.#redis.hgetall(`bench:cart:${userId}`);
    return { items: items === undefined ? [] : (JSON.parse(items) as CartItem[]), total: Number(total ?? 0) };
  }

  /** @returns the first five orders of a user */
  async history(userId: string): Promise<unknown[]> {
    const orders = await this.#redis.lrange(`bench:history:${userId}`, 0, 4);
    return orders.map((order) => JSON.parse(order) as unknown);
  }

  /** @returns the number of requests that the user has made, with others who share the counter */
  countRequest(userId: string): Promise<number> {
    const user = Number(userId.slice(userId.lastIndexOf('-') + 1)) || 0;
    return this.#redis.incr(`bench:ratelimit:user-${String(user % 100).padStart(5, '0')}`);
  }

  async addOrder(userId: string, order: unknown): Promise<void> {
    await this.#redis.rpush(`bench:history:${userId}`, JSON.stringify(order));
  }

  async countSale(productId: number): Promise<void> {
    await this.#redis.zincrby('bench:popular', 1, `product:${productId}`);
  }

  async onStop(): Promise<void> {
    await this.#redis.quit();
  }
}
