/** What a client hears besides results: progress, logs, changes. */
import { connect, eachRevision, type Progress } from '@sigil-mcp/testing';
import { harbour } from './harbour';

const UPDATED = 'notifications/resources/updated';

eachRevision('a call tells its progress, each step before the result', async ({ connect }) => {
  const client = await connect(harbour());
  const steps: Progress[] = [];
  const onProgress = (step: Progress): void => void steps.push(step);
  const calls = [
    client.callTool('lift', {}, { onProgress }),
    client.callTool('lift'),
    client.callTool('lift', {}, { onProgress, progressToken: 'mine' }),
    client.callTool('lift', {}, { progressToken: 'unheard' }),
  ];
  await Promise.all(calls);
  const tokens = steps.map(({ progressToken, progress, total }) => `${progressToken as string} ${progress}/${total}`);
  expect(tokens.sort()).toEqual(['mine 1/2', 'mine 2/2', expect.stringMatching(/^progress-\d+ 1/), expect.anything()]);
  expect(client.notifications('notifications/progress')).toHaveLength(6);
});

eachRevision('a log level holds for all that follows, or for one call', async ({ connect }) => {
  const server = harbour();
  const logged = async (client: Awaited<ReturnType<typeof connect>>): Promise<number> => {
    await client.callTool('lift');
    return client.notifications('notifications/message').length;
  };
  const client = await connect(server);
  await client.setLogLevel('error');
  expect(await logged(client)).toBe(0);
  await client.setLogLevel('debug');
  expect(await logged(client)).toBe(1);
  await client.request('tools/call', { name: 'lift', _meta: { progressToken: 1 } });
  expect(client.notifications('notifications/message')).toHaveLength(2);
  const other = await connect(server);
  await other.callTool('lift', {}, { logLevel: 'info' });
  expect(other.notifications('notifications/message')).toHaveLength(1);
});

eachRevision(
  'a subscription is there when subscribe() is done, and each change can be waited for',
  async ({ connect }) => {
    const client = await connect(harbour());
    await client.subscribe('harbour://tide');
    await client.callTool('rise');
    expect(await client.waitForNotification(UPDATED)).toMatchObject({ params: { uri: 'harbour://tide' } });
    const next = client.waitForNotification(UPDATED);
    const after = client.waitForNotification(UPDATED);
    await client.callTool('rise');
    expect(await next).toMatchObject({ method: UPDATED });
    await client.callTool('rise');
    await after;
    expect(client.notifications(UPDATED)).toHaveLength(3);
  },
);

eachRevision('a subscription that is refused is an error', async ({ connect }) => {
  const client = await connect(harbour());
  await expect(client.subscribe(1 as never)).rejects.toMatchObject({ code: -32602 });
});

describe('waiting for a notification', () => {
  it('ends with what came instead', async () => {
    const client = await connect(harbour());
    await expect(client.waitForNotification(UPDATED, 5)).rejects.toThrow(
      `No ${UPDATED} arrived within 5 ms. Messages so far: nothing. Check that the change was made, and that the client subscribed`,
    );
    await client.callTool('lift', {}, { progressToken: 1 });
    await client.waitForNotification('notifications/progress');
    await client.waitForNotification('notifications/progress');
    await expect(client.waitForNotification('notifications/progress', 5)).rejects.toThrow(
      'No further notifications/progress arrived within 5 ms. Messages so far: notifications/progress (2).',
    );
    await client.callTool('lift', {}, { progressToken: 2 });
    await client.waitForNotification('notifications/progress', 5);
    await client.close();
  });

  it('ends with the client', async () => {
    const client = await connect(harbour());
    const waiting = client.waitForNotification(UPDATED);
    waiting.catch(() => undefined);
    await client.close();
    await expect(waiting).rejects.toThrow('The client was closed.');
  });
});
