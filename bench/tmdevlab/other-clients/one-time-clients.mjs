/** The Sigil entry with new clients for each use, as a handler has them that makes its clients itself: for the guide, not to be sent. */
import { HttpTransport } from '@sigil-mcp/fastify';
import { Catalog } from '../sigil/dist/clients/catalog.js';
import { PoolClient } from '../sigil/dist/clients/pool-client.js';
import { ShopData } from '../sigil/dist/clients/shop-data.js';
import { createShop } from '../sigil/dist/server.js';
import { Settings } from '../sigil/dist/settings.js';

const settings = Settings.read(process.env);
const shop = createShop(settings, {
  catalog: () => oneTime(() => new Catalog(new PoolClient(settings.API_SERVICE_URL))),
  data: () => oneTime(() => new ShopData(settings.REDIS_URL, false)),
});
const transport = new HttpTransport({ sessions: false });
transport.app.get('/health', () => ({ status: 'ok', server_type: settings.SERVER_TYPE }));
await shop.listen(transport);

/** @returns an object whose methods open a client, use it and close it */
function oneTime(open) {
  const use = async (name, values) => {
    const client = open();
    try {
      return await client[name](...values);
    } finally {
      await client.onStop();
    }
  };
  const names = [Catalog, ShopData].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype));
  const methods = names.filter((name) => name !== 'constructor' && name !== 'onStop');
  return Object.fromEntries(methods.map((name) => [name, (...values) => use(name, values)]));
}
