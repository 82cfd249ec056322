/** An extension from outside of the packages, over every transport and on every revision. */
import type { JsonObject } from '@sigil-mcp/protocol';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { JOBS } from './jobs/jobs';
import { TRANSPORTS, type Opened } from './transports';
import { revisionsOf } from '../../support/each-revision';

const CAPABILITIES = { elicitation: { form: {} }, extensions: { [JOBS]: {} } };
const WITH_TYPES = '2026-07-28';

const nameOf = (job: unknown): string => JSON.stringify(job).slice(1, -1);
const text = (result: JsonObject): unknown => (result['content'] as JsonObject[])[0]?.['text'];

async function until<T>(read: () => Promise<T>, isReached: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isReached(value)) return value;
    await new Promise(setImmediate);
  }
}

describe.each(Object.keys(TRANSPORTS))('an extension over %s', (transport) => {
  let opened: Opened;
  beforeAll(async () => (opened = await TRANSPORTS[transport]!()));
  afterAll(() => opened.close());

  describe.each(revisionsOf())('on %s', (revision) => {
    let client: TestClient;
    beforeAll(async () => {
      client = await connect(opened.target, { revision, capabilities: CAPABILITIES });
      expect(client.revision).toBe(revision);
    });
    afterAll(() => client.close());

    const job = (name: unknown): Promise<JsonObject> => client.request('jobs/get', { job: nameOf(name) });
    const ended = (name: unknown): Promise<JsonObject> =>
      until(
        () => job(name),
        ({ status }) => status === 'done' || status === 'failed',
      );

    it('is advertised with its settings, which it finds in the entries', () => {
      const said = client.traffic.filter(
        ({ from, text: line }) => from === 'server' && line.includes('"capabilities"'),
      );
      const [first] = said.map(({ text: line }) => JSON.parse(line) as { result: { capabilities: JsonObject } });
      expect(first?.result.capabilities).toMatchObject({
        extensions: { [JOBS]: { tools: ['build', 'approve', 'locked'] } },
      });
    });

    it('answers its methods, with their parameters read', async () => {
      expect(await client.request('jobs/tools')).toMatchObject({ tools: ['build', 'approve', 'locked'] });
      await expect(client.request('jobs/get', { job: 7 })).rejects.toMatchObject({
        code: -32602,
        message: 'params.job must be a string',
      });
      await expect(client.request('jobs/get', { job: 'nobody' })).rejects.toMatchObject({ code: -32602 });
    });

    it('asks the guards of the entry that a request is about', async () => {
      expect(await client.request('jobs/about', { tool: 'build' })).toMatchObject({ timeout: 60_000 });
      await expect(client.request('jobs/about', { tool: 'locked' })).rejects.toThrow('The shop is closed.');
      await expect(client.request('jobs/about', { tool: 'say' })).rejects.toThrow('say is no job.');
    });

    it('runs a tool through all of its stages, and reads its key of _meta', async () => {
      const run = (tool: string, args: JsonObject, meta: JsonObject = {}): Promise<JsonObject> =>
        client.request('jobs/run', { tool, arguments: args, _meta: meta });
      expect(await run('say', { name: 'Oslo' }, { 'com.example/priority': 2 })).toMatchObject({
        text: 'It is Oslo. (priority 2)',
        isError: false,
      });
      await expect(run('say', { name: 'Oslo' }, { 'com.example/priority': 'high' })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('com.example/priority must be a number') as unknown,
      });
      await expect(run('locked', {})).rejects.toThrow('The shop is closed.');
      await expect(run('nothing', {})).rejects.toThrow('nothing');
      const wrong = await run('say', { name: 7 }).catch((error: Error) => ({ text: error.message }));
      expect(wrong['text']).toContain('Invalid arguments');
      expect(await run('build', { name: 'broken' })).toMatchObject({
        text: expect.stringContaining('error: The piece broke.') as unknown,
      });
    });

    it('lets work outlive its request, tells of its progress, and ends it', async () => {
      const { job: name } = await client.request('jobs/start', { tool: 'build', arguments: { name: 'quick' } });
      expect(await ended(name)).toMatchObject({ status: 'done', text: 'Built quick.', progress: 1 });
      const broken = await client.request('jobs/start', { tool: 'build', arguments: { name: 'broken' } });
      expect(await ended(broken['job'])).toMatchObject({ status: 'done', text: 'error: The piece broke.' });
    });

    it('notifies the client before the answer', async () => {
      const before = client.notifications('notifications/jobs/started').length;
      const { job: name } = await client.request('jobs/start', { tool: 'say', arguments: { name: 'a bed' } });
      const said = client.notifications('notifications/jobs/started').slice(before);
      expect(said).toMatchObject([{ params: { job: name } }]);
    });

    it('answers with a result of its own type where results have types, and completely elsewhere', async () => {
      const result = await client.request('tools/call', { name: 'build', arguments: { name: 'quick' } });
      if (revision < WITH_TYPES) return expect(text(result)).toBe('Built quick.');
      expect(result).toMatchObject({ resultType: 'job', status: 'working' });
      expect(result).not.toHaveProperty('content');
      expect(await ended(result['job'])).toMatchObject({ status: 'done', text: 'Built quick.' });
    });

    it('asks the user for work that was detached, in a way of its own', async () => {
      const { job: name } = await client.request('jobs/start', { tool: 'approve', arguments: { name: 'a bed' } });
      const isAsking = ({ status }: JsonObject): boolean =>
        status === 'asking' || status === 'failed' || status === 'done';
      const asking = await until(() => job(name), isAsking);
      // Questions exist since 2025-06-18.
      if (revision < '2025-06-18') return expect(asking['text']).toContain('does not have');
      expect(asking).toMatchObject({ status: 'asking', question: '"Build a bed?"' });
      await client.request('jobs/answer', { job: nameOf(name), answer: { action: 'accept', content: { ok: true } } });
      expect(await ended(name)).toMatchObject({ status: 'done', text: 'Built a bed.' });
    });

    it('announces what happens: to the session, or to a subscription with its field', async () => {
      const { job: name } = await client.request('jobs/start', { tool: 'approve', arguments: { name: 'a chair' } });
      if (revision < '2025-06-18') return;
      const isOf = (said: { params?: unknown }): boolean => (said.params as JsonObject)['job'] === name;
      if (revision >= WITH_TYPES) {
        const wanted = { jobs: [nameOf(name), 'nobody'] };
        const { result } = client.start('subscriptions/listen', { notifications: wanted });
        result.catch(() => undefined);
        const { params } = await client.waitForNotification('notifications/subscriptions/acknowledged');
        expect(params).toMatchObject({ notifications: { jobs: [name] } });
      }
      await until(
        () => job(name),
        ({ status }) => status === 'asking',
      );
      await client.request('jobs/answer', { job: nameOf(name), answer: { action: 'decline' } });
      await until(
        async () => client.notifications('notifications/jobs').filter(isOf),
        (said) => said.some(({ params }) => (params as JsonObject)['status'] === 'done'),
      );
      const last = client.notifications('notifications/jobs').filter(isOf).at(-1);
      expect(last?.params).toMatchObject({ status: 'done', text: 'Nothing was built.' });
      if (revision >= WITH_TYPES)
        expect(last?.params).toHaveProperty(['_meta', 'io.modelcontextprotocol/subscriptionId']);
    });

    it('is refused to a client that did not declare it, but for methods that everyone may send, and changes nothing for it', async () => {
      const plain = await connect(opened.target, { revision });
      for (const method of ['jobs/tools', 'jobs/get', 'jobs/run']) {
        const refused = plain.request(method, { job: 7 });
        if (revision < WITH_TYPES)
          await expect(refused).rejects.toMatchObject({ code: -32601, message: `Method not found: ${method}` });
        else
          await expect(refused).rejects.toMatchObject({
            code: -32021,
            data: { requiredCapabilities: { extensions: { [JOBS]: {} } } },
          });
      }
      expect(await plain.request('jobs/count')).toMatchObject({ tools: 3 });
      const result = await plain.request('tools/call', { name: 'build', arguments: { name: 'quick' } });
      expect(text(result)).toBe('Built quick.');
      expect(plain.notifications('notifications/jobs')).toEqual([]);
      if (revision >= WITH_TYPES)
        await expect(plain.request('subscriptions/listen', { notifications: { jobs: ['1'] } })).rejects.toMatchObject({
          code: -32021,
        });
      await plain.close();
    });
  });
});
