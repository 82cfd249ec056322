/** What instances share is on one client of Redis, which ends with the server. */
import './quiet';
import { createClient } from '@redis/client';
import { connect } from '@sigil-mcp/testing';
import { RedisServer } from '../../../test/support/supplies/redis-server';
import { describeWith } from '../../../test/support/supplies/supply';
import { until } from '../../../test/support/until';
import { openShared } from '../src/open-shared';
import { notesServer } from '../src/server';

describeWith('redis-server', 'the stores, the tasks and the notes', () => {
  const before = { ...process.env };
  let redis: RedisServer;
  let probe: ReturnType<typeof createClient>;
  beforeAll(async () => {
    process.env['SIGIL_SECRETS'] = 'a secret of more than thirty-two characters';
    redis = await RedisServer.start();
    probe = createClient({ url: redis.url });
    await probe.on('error', () => undefined).connect();
  });
  afterAll(async () => {
    process.env = before;
    probe.destroy();
    await redis.stop();
  });

  const untilThereAre = (count: number): Promise<void> =>
    until(async () => (await probe.clientList()).length === count);

  it('share one client, and the server closes it after all of them', async () => {
    const server = notesServer({ shared: await openShared(redis.url) });
    // The probe's, and that of the client; each of the stores opens one for messages once it needs it.
    await untilThereAre(2);
    const as = { id: 'ada', scopes: ['notes:read', 'notes:write'], claims: { tenant: 'acme' } };
    const client = await connect(server, { as });
    await client.callTool('addNote', { title: 'milk', text: 'Two bottles.' });
    expect(await client.callTool('exportNotes')).toMatchObject({ isError: false });
    await untilThereAre(4);
    await client.close();
    await server.close();
    await untilThereAre(1);
  });
});
