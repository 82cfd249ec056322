/** A log that is far longer than this server would keep it: it is read in pages, and not to its end. */
import { Redis } from 'ioredis';
import type { MaybePromise, Stores } from '@sigil-mcp/core/stores';
import { redis, type RedisOptions } from '@sigil-mcp/redis';
import { RedisServer } from '../../../test/support/supplies/redis-server';
import { describeWith } from '../../../test/support/supplies/supply';
import { TESTED_CLIENTS, type OpenClient } from '../../../test/support/supplies/redis-clients';

const ENTRIES = 50_000;

/** Writes entries as the log does, but keeps all of them, as a server with other limits would. Returns their ids. */
const FILL = `
local before, ids = 'none', {}
for number = 1, tonumber(ARGV[1]) do
  before = redis.call('XADD', KEYS[1], '*', before, ARGV[2] .. number, 'sum', '0', 'number', number)
  ids[number] = before
end
return ids`;

/** Bytes that a change has at least here. */
const LONG = 1000;

async function fill(server: RedisServer, entries: number): Promise<readonly string[]> {
  const ids = await server.command('EVAL', FILL, '1', 'long:changes', `${entries}`, 'x'.repeat(LONG));
  return ids as readonly string[];
}

/** How much Redis has done so far. */
async function workOf(server: RedisServer): Promise<{ readonly pages: number; readonly bytes: number }> {
  const info = String(await server.command('INFO', 'everything'));
  const number = (pattern: RegExp): number => Number(pattern.exec(info)?.[1] ?? 0);
  return { pages: number(/cmdstat_xrange:calls=(\d+)/), bytes: number(/total_net_output_bytes:(\d+)/) };
}

describeWith('redis-server', 'a log of 50,000 changes', () => {
  describe.each(TESTED_CLIENTS)('with a client of %s', (_, open) => {
    let server: RedisServer;
    let opened: OpenClient;
    let ids: readonly string[];
    beforeAll(async () => {
      server = await RedisServer.start();
      opened = await open(server);
      ids = await fill(server, ENTRIES);
    });
    afterAll(async () => {
      opened.close();
      await server.stop();
    });
    const stores = (): Stores => redis({ client: opened.client, namespace: 'long', commandTimeout: 5000 });

    it('is not read whole: after a position far back everything may have changed', async () => {
      const before = await workOf(server);
      expect(await stores().bus.changesAfter(ids[0] ?? '')).toBeUndefined();
      const after = await workOf(server);
      expect(after.pages - before.pages).toBeGreaterThan(1);
      // Some thousands of entries, of fifty.
      expect(after.bytes - before.bytes).toBeLessThan(3000 * LONG);
    });

    it('is read in pages to its end from a position that is near', async () => {
      for (const count of [0, 1, 249, 250, 251, 500, 1400]) {
        const changes = await stores().bus.changesAfter(ids.at(-1 - count) ?? '');
        expect(changes?.map(({ position }) => position)).toEqual(ids.slice(ids.length - count));
        expect(changes?.at(-1)?.text ?? `x${ENTRIES}`).toMatch(new RegExp(`x${ENTRIES}$`));
      }
    });

    it('lets other commands pass between two pages', async () => {
      const order: string[] = [];
      const { bus } = stores();
      const note = async (name: string, done: MaybePromise<unknown>): Promise<void> => {
        await done;
        order.push(name);
      };
      await Promise.all([note('changes', bus.changesAfter(ids.at(-1501) ?? '')), note('other', bus.isAlive('nobody'))]);
      expect(order).toEqual(['other', 'changes']);
    });
  });
});

describeWith('redis-server', 'what follows a position in a log that is cut while it is read', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await RedisServer.start();
  });
  afterEach(() => server.stop());

  it.each([
    ['is not known where entries were trimmed', ['XTRIM', 'long:changes', 'MAXLEN', '100'], undefined],
    ['is not known where all entries are gone', ['DEL', 'long:changes'], undefined],
    ['is known where the entries up to the next page were trimmed', ['XTRIM', 'long:changes', 'MAXLEN', '750'], 1000],
  ])('%s between two pages', async (_, words, found) => {
    const client = new Redis(server.url);
    const ids = await fill(server, 1001);
    const between = {
      get status() {
        return client.status;
      },
      async call(name: string, ...rest: string[]) {
        const reply = await client.call(name, ...rest);
        if (name === 'XRANGE') await server.command(...words);
        return reply;
      },
    } as unknown as RedisOptions['client'];
    const { bus } = redis({ client: between, namespace: 'long', commandTimeout: 5000 });
    const changes = await Promise.resolve(bus.changesAfter(ids[0] ?? '')).finally(() => client.disconnect());
    expect(changes?.length).toBe(found);
  });
});
