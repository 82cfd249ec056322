// #region stock
import { Inject, Injectable } from '@sigil-mcp/core';

export interface StockRepository {
  pieces(article: string): number;
}

/** An interface does not exist at run time, so its provider has a token. */
export const STOCK = Symbol('STOCK');

@Injectable()
export class MemoryStock implements StockRepository {
  private readonly held: Readonly<Record<string, number>>;

  constructor(@Inject('REGION') region: string) {
    this.held = region === 'eu' ? { tea: 12 } : {};
  }

  pieces(article: string): number {
    return this.held[article] ?? 0;
  }
}
// #endregion stock
