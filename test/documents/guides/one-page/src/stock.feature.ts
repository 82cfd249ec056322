// #region inject
import { Feature, Inject, Tool } from '@sigil-mcp/core';
import { Line } from './order.dto'; // a class of arguments: never `import type`
import { STOCK, type StockRepository } from './stock'; // an interface: always `type`

@Feature()
export class StockFeature {
  constructor(@Inject(STOCK) private readonly stock: StockRepository) {}

  @Tool('Tells whether enough pieces of an article are in stock', { readOnly: true })
  inStock({ article, pieces }: Line): boolean {
    return this.stock.pieces(article) >= pieces;
  }
}
// #endregion inject
