/** What `docs/how-to/several-servers.md` says and shows. */
import { createServer, Feature, Tool } from '@sigil-mcp/core';
import { mcpPlugin } from '@sigil-mcp/fastify';
import { connect, matchers } from '@sigil-mcp/testing';
import Fastify, { type FastifyInstance } from 'fastify';

expect.extend(matchers);

@Feature()
class Public {
  @Tool('Says when the shop is open')
  openingHours(): string {
    return '8 to 20';
  }
}
@Feature()
class Internal {
  @Tool('Says what is in stock')
  stock(): string {
    return '12 lamps';
  }
}

// #region two
const shop = createServer({ name: 'shop', version: '1.0.0', features: [Public], logger: false });
const staff = createServer({ name: 'staff', version: '1.0.0', features: [Public, Internal], logger: false });

export function createApp(): FastifyInstance {
  const app = Fastify();
  app.get('/', () => 'A shop');
  void app.register(mcpPlugin, { server: shop, path: '/mcp' });
  void app.register(mcpPlugin, { server: staff, path: '/staff/mcp' });
  return app;
}
// #endregion two

it('serves two servers beside the routes of an app, each with its own tools', async () => {
  const app = createApp();
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const guest = await connect(`${origin}/mcp`);
  const clerk = await connect(`${origin}/staff/mcp`);
  await expect(guest).not.toListTool('stock');
  expect(await clerk.callTool('stock')).toHaveText('12 lamps');
  expect(await (await fetch(origin)).text()).toBe('A shop');
  await guest.close();
  await clerk.close();
  await app.close();
});
