/** What `docs/how-to/backends.md` says of clients: connections are used again, freed after an error, and closed with the server. */
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, Feature, Tool } from '@sigil-mcp/core';
import { connect, matchers } from '@sigil-mcp/testing';
import { Catalog } from '../../../bench/tmdevlab/sigil/src/clients/catalog';
import { FetchClient } from '../../../bench/tmdevlab/sigil/src/clients/fetch-client';
import { PoolClient } from '../../../bench/tmdevlab/sigil/src/clients/pool-client';
import { until } from '../../support/until';

expect.extend(matchers);

@Feature()
class Prices {
  constructor(private readonly catalog: Catalog) {}

  @Tool('The price of a product')
  async price(): Promise<number> {
    return (await this.catalog.product(1)).price;
  }
}

describe('clients of tools', () => {
  let api: Server;
  let origin: string;
  const open = new Set<Socket>();
  let opened = 0;

  beforeEach(async () => {
    opened = 0;
    api = createHttpServer((request, response) => {
      request.resume().on('end', () => {
        response.statusCode = request.url === '/products/404' ? 404 : 200;
        response.end(JSON.stringify(request.method === 'POST' ? { order_id: 'o', total: 2 } : { id: 1, price: 12 }));
      });
    });
    api.on('connection', (socket) => {
      opened += 1;
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
    api.listen(0, '127.0.0.1');
    await once(api, 'listening');
    origin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    api.closeAllConnections();
    api.close();
    await once(api, 'close');
  });

  it.each([
    ['a pool', () => new PoolClient(origin)],
    ['fetch', () => new FetchClient(origin)],
  ])('%s uses its connections again, after errors as well', async (_, make) => {
    const client = make();
    for (let count = 0; count < 10; count += 1) {
      expect(await client.get('/products/1')).toEqual({ id: 1, price: 12 });
      await expect(client.get('/products/404')).rejects.toThrow('GET /products/404 was answered with 404.');
      expect(await client.post('/cart/calculate', { items: [] })).toEqual({ order_id: 'o', total: 2 });
      await expect(client.post('/products/404', {})).rejects.toThrow('POST /products/404 was answered with 404.');
    }
    // A body has ended a moment before its connection is free, so the next request may open a second one.
    expect(opened).toBeLessThanOrEqual(2);
    await client.close();
  });

  it('are closed when the server stops, also if a factory has created them', async () => {
    const server = createServer({
      name: 'shop',
      version: '1.0.0',
      features: [Prices],
      providers: [{ provide: Catalog, useFactory: () => new Catalog(new PoolClient(origin)) }],
    });
    const client = await connect(server);
    expect(await client.callTool('price')).toHaveText('12');
    expect([opened, open.size]).toEqual([1, 1]);
    await client.close();
    await server.close();
    await until(() => open.size === 0);
  });
});
