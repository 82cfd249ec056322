/** A handshake that is refused leaves nothing behind, wherever sessions are kept. */
import { Denial, Feature, Tool, type Interceptor } from '@sigil-mcp/core';
import { MemoryStores } from '@sigil-mcp/core/stores';
import { request, serve } from './http-server';

@Feature()
class Desk {
  @Tool('Says hello')
  hello(): string {
    return 'hello';
  }
}

const refusing: Interceptor = {
  intercept: async (_call, next) => {
    await next();
    throw new Denial('Not today.', { status: 403 });
  },
};

it.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
  'an initialize of %s that is refused leaves no session',
  async (version) => {
    const stores = new MemoryStores();
    const definition = { features: [Desk], stores, interceptors: [refusing] };
    const open = await serve(
      { ...definition, requestState: { secrets: ['s'.repeat(32)] } },
      { health: { memory: true } },
    );
    const hello = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const { status, headers } = await open.post(request(0, 'initialize', hello));
    expect([status, headers.get('mcp-session-id'), stores.sessions.size]).toEqual([403, null, 0]);
    const health = await fetch(new URL('/healthz', open.url));
    expect(await health.json()).toMatchObject({ memory: { held: { bytes: 0 }, clients: 0 } });
    await open.close();
  },
);
