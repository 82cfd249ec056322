/** The client of an extension from outside of the packages: its methods, its types of results, its notifications. */
import { join } from 'node:path';
import { connect, type Client, type ConnectTarget } from '@sigil-mcp/client';
import { MemoryTransport } from '@sigil-mcp/core';
import { TypedResult } from '@sigil-mcp/protocol';
import { compileFixtures } from '../../support/compile-fixture';
import { serve, useAdapter } from '../http/http-server';
import { until } from '../http/raw-request';
import { ANSWER, CHANGED, GET, JOB, JOBS, START, STARTED, jobs } from './jobs/jobs';
import { Workshop, workshop } from './jobs/workshop';

interface Opened {
  readonly target: ConnectTarget;
  close(): Promise<void>;
}

const WAYS: Readonly<Record<string, () => Promise<Opened>>> = {
  async memory() {
    const server = workshop();
    const memory = new MemoryTransport();
    await server.listen(memory);
    return { target: { memory }, close: () => server.close() };
  },
  async stdio() {
    const program = join(compileFixtures(join(__dirname, 'jobs')), 'stdio.js');
    return { target: { command: process.execPath, args: [program] }, close: async () => undefined };
  },
  async HTTP() {
    useAdapter('fastify');
    const { url, close } = await serve({ features: [Workshop], extensions: [jobs()] });
    return { target: { url }, close };
  },
};

describe.each(Object.keys(WAYS))('over %s', (way) => {
  let opened: Opened;
  beforeAll(async () => (opened = await WAYS[way]!()));
  afterAll(() => opened.close());

  describe.each(['2025-03-26', '2025-11-25', '2026-07-28'])('on %s', (revision) => {
    let client: Client;
    const faults: Error[] = [];
    beforeAll(async () => {
      const capabilities = { elicitation: { form: {} }, extensions: { [JOBS]: {} } };
      client = await connect(opened.target, { revision, capabilities, onFault: (error) => void faults.push(error) });
    });
    afterAll(() => client.close());

    it('reads a result of the type of an extension, and complete ones as before', async () => {
      const ask = (name: string, options = { resultTypes: [JOB] }) =>
        client.request('tools/call', { name, arguments: { name: 'quick' } }, options);
      const answer = await ask('build');
      if (revision < '2026-07-28') return expect(answer).toMatchObject({ content: [{ text: 'Built quick.' }] });
      if (!(answer instanceof TypedResult)) throw new Error('It is a complete result.');
      expect(answer.type).toBe(JOB);
      const { job } = answer.value;
      await until(async () => (await client.request(GET, { job })).status === 'done');
      expect(await ask('say')).toMatchObject({ content: [{ text: 'It is quick.' }], isError: false });
      await expect(client.callTool('build', { name: 'quick' })).rejects.toMatchObject({ code: 'SIGIL_CLIENT_RESULT' });
    });

    it('takes notifications of an extension, with their parameters read', async () => {
      const started: string[] = [];
      const stop = client.on(STARTED, ({ job }) => void started.push(job));
      const { job } = await client.request(START, { tool: 'say', arguments: { name: 'a bed' } });
      expect(started).toEqual([job]);
      stop();
      await client.request(START, { tool: 'say', arguments: { name: 'a bed' } });
      expect(started).toEqual([job]);
    });

    it('reports a notification of an extension that cannot be read', async () => {
      const unreadable = {
        method: STARTED.method,
        compile: () => ({
          readParams: (): object => {
            throw new Error('unreadable');
          },
          writeParams: () => ({}),
        }),
      };
      const stop = client.on(unreadable, () => undefined);
      const before = faults.length;
      await client.request(START, { tool: 'say', arguments: { name: 'a bed' } });
      expect(faults.slice(before)).toMatchObject([{ code: 'SIGIL_CLIENT_NOTIFICATION' }]);
      stop();
    });

    it('subscribes with a field of an extension', async () => {
      // Questions exist since 2025-06-18.
      if (revision < '2025-06-18') return;
      const changes: string[] = [];
      const { job } = await client.request(START, { tool: 'approve', arguments: { name: 'a chair' } });
      const stop = client.on(CHANGED, (view) => void (view.job === job && changes.push(view.status)));
      const subscription = await client.subscribe({ jobs: [job] }, () => undefined);
      await until(async () => (await client.request(GET, { job })).status === 'asking');
      await client.request(ANSWER, { job, answer: { action: 'decline' } });
      await until(() => changes.includes('done'));
      await subscription.close();
      stop();
    });
  });
});
