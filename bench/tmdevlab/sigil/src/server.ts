/** The definition of the server: one feature for each tool, and the two clients that they share. */
import { createServer, type Server } from '@sigil-mcp/core';
import { CartFeature } from './cart/cart-feature';
import { CheckoutFeature } from './checkout/checkout-feature';
import { Catalog } from './clients/catalog';
import { FetchClient } from './clients/fetch-client';
import { PoolClient } from './clients/pool-client';
import { ShopData } from './clients/shop-data';
import { SearchFeature } from './search/search-feature';
import { Settings } from './settings';

/** What opens the clients: other ones can be measured, too. */
export interface Clients {
  readonly catalog: (settings: Settings) => Catalog;
  readonly data: (settings: Settings) => ShopData;
}

// #region server
const clients: Clients = {
  catalog: ({ API_SERVICE_URL: url, API_CLIENT }) =>
    new Catalog(API_CLIENT === 'pool' ? new PoolClient(url) : new FetchClient(url)),
  data: ({ REDIS_URL, REDIS_PIPELINING }) => new ShopData(REDIS_URL, REDIS_PIPELINING === 'on'),
};

export function createShop(settings: Settings, { catalog, data } = clients): Server {
  return createServer({
    name: 'BenchmarkSigilServer',
    version: '1.0.0',
    features: [SearchFeature, CartFeature, CheckoutFeature],
    providers: [
      { provide: Settings, useValue: settings },
      { provide: Catalog, useFactory: catalog, inject: [Settings] },
      { provide: ShopData, useFactory: data, inject: [Settings] },
    ],
  });
}
// #endregion server
