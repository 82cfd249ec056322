/** `search_products`: products of a category, with their rank among the ten most popular ones. */
import { Feature, Tool } from '@sigil-mcp/core';
import { Catalog, type Product } from '../clients/catalog';
import { ShopData } from '../clients/shop-data';
import { Settings } from '../settings';
import { ProductSearch } from './product-search';

export interface ProductsFound {
  readonly category: string;
  readonly total_found: number;
  readonly products: readonly (Product & { readonly popularity_rank: number })[];
  readonly top10_popular_ids: readonly number[];
  readonly server_type: string;
}

// #region search
@Feature()
export class SearchFeature {
  constructor(
    private readonly catalog: Catalog,
    private readonly data: ShopData,
    private readonly settings: Settings,
  ) {}

  @Tool('Search products by category and price range, merged with popularity data', {
    name: 'search_products',
    readOnly: true,
  })
  async search(query: ProductSearch): Promise<ProductsFound> {
    const [found, popular] = await Promise.all([this.catalog.search(query), this.data.popular()]);
    const products = found.products.map(({ id, sku, name, price, rating }) => {
      const popularity_rank = popular.indexOf(id) + 1;
      return { id, sku, name, price, rating, popularity_rank };
    });
    return {
      category: query.category,
      total_found: found.total_found,
      products,
      top10_popular_ids: popular,
      server_type: this.settings.SERVER_TYPE,
    };
  }
}
// #endregion search
