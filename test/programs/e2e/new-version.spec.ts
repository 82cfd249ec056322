/** A new version of a server takes the place of the old one, with a real Redis: the official clients hear that the lists have changed. */
import { createServer, Feature, Tool, type Constructor, type Server } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { redis } from '@sigil-mcp/redis';
import { ManualClock } from '@sigil-mcp/testing';
import { createClient } from '@redis/client';
import { freePort } from '../../support/free-port';
import { RedisServer } from '../../support/supplies/redis-server';
import { describeWith } from '../../support/supplies/supply';
import type { OfficialClient } from './official-client';
import { connectClient2 } from './official-client-2';
import { connectSdk1 } from './official-sdk-1';
import { eventually, roundTrips } from './talkers';

@Feature()
class Desk {
  @Tool('Opens')
  open(): string {
    return 'open';
  }
}

@Feature()
class Drawer {
  @Tool('Closes')
  close(): string {
    return 'closed';
  }
}

const CLIENTS: Readonly<Record<string, (url: string) => Promise<OfficialClient>>> = {
  'sdk 1': (url) => connectSdk1(url),
  'client 2': (url) => connectClient2(url, 'legacy'),
};
/** Milliseconds after which what all instances list has settled. */
const LONG = 8000;
const CHANGED = 'notifications/tools/list_changed';

describeWith('redis-server', 'a new version', () => {
  let store: RedisServer;
  let port: number;
  let clock: ManualClock;
  let client: OfficialClient | undefined;
  const closings: (() => unknown)[] = [];
  beforeEach(async () => {
    store = await RedisServer.start();
    port = await freePort();
    clock = new ManualClock();
  });
  afterEach(async () => {
    await client?.close().catch(() => undefined);
    client = undefined;
    for (const close of closings.splice(0)) await close();
    await store.stop();
  });

  async function start(...features: Constructor[]): Promise<Server> {
    const connection = createClient({ url: store.url, disableOfflineQueue: true });
    connection.on('error', () => undefined);
    await connection.connect();
    const stores = redis({ client: connection });
    const secrets = ['s'.repeat(32)];
    const server = createServer({
      name: 'rolled',
      version: '1.0.0',
      logger: false,
      features,
      stores,
      requestState: { secrets },
      clock,
    });
    await server.listen(new HttpTransport({ port, host: '127.0.0.1', handleSignals: false }));
    closings.push(async () => {
      await server.close();
      connection.destroy();
    });
    return server;
  }

  /** A client opens its stream after it has connected, and gives up if that fails. */
  async function untilItListens(client: OfficialClient, { registry }: Server): Promise<void> {
    for (let change = 0; client.heard.length === 0; change++) {
      registry.update('tool', 'open', { description: `Opens ${change}` });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // What is on its way.
    await roundTrips(client);
  }

  it.each(Object.entries(CLIENTS))('is announced to %s, which lists the new tool then', async (_, connect) => {
    const old = await start(Desk);
    const reached = (client = await connect(`http://127.0.0.1:${port}/mcp`));
    expect(await reached.listTools()).toMatchObject({ tools: [{ name: 'open' }] });
    await untilItListens(reached, old);
    const heardBefore = reached.heard.length;
    await old.close();
    await start(Desk, Drawer);
    await clock.advance(LONG);
    await eventually(() => reached.heard.length > heardBefore, 'the client is notified');
    expect(reached.heard.slice(heardBefore)).toEqual([CHANGED]);
    expect(await reached.listTools()).toMatchObject({ tools: [{ name: 'open' }, { name: 'close' }] });
  });
});
