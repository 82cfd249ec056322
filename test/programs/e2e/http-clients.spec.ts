/** Many clients of one process over HTTP, and clients that outlive it. */
import { HttpApp } from './http-app';
import { httpJudges, sseJudge } from './judges';
import type { OfficialClient } from './official-client';

const everybody = [...httpJudges, ...httpJudges, sseJudge, sseJudge];

describe('clients of one process at the same time', () => {
  let app: HttpApp;
  let clients: OfficialClient[];

  beforeAll(async () => {
    app = await HttpApp.start('everything');
    clients = await Promise.all(everybody.map(({ connect }) => connect(app.url)));
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await app.stop();
  });

  it('settle on their own revisions', () => {
    expect(clients.map(({ revision }) => revision)).toEqual(everybody.map(({ revision }) => revision));
  });

  // Each client counts its requests from the same number, so ids of different clients meet all the time.
  it('get their own answers and nobody else’s, under the same ids [BASE-007]', async () => {
    const asked = clients.flatMap((client, index) =>
      Array.from({ length: 20 }, async (_, round) => {
        const [arg1, arg2] = [`client ${index}`, `round ${round}`];
        const prompt = await client.getPrompt('test_prompt_with_arguments', { arg1, arg2 });
        expect(prompt).toMatchObject({
          messages: [{ content: { text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` } }],
        });
      }),
    );
    await Promise.all(asked);
    expect(asked).toHaveLength(everybody.length * 20);
  });

  it('get the progress of their own calls, under the same tokens [PROG-001]', async () => {
    const seen = clients.map((): number[] => []);
    const calls = clients.map((client, index) => {
      const onprogress = ({ progress }: { progress: number }): void => void seen[index]?.push(progress);
      return client.callTool('test_tool_with_progress', {}, { onprogress });
    });
    for (const result of await Promise.all(calls)) expect(result).toMatchObject({ isError: false });
    for (const reports of seen) expect(reports).toEqual([0, 50, 100]);
  });

  it('have log levels of their own [LOG-002]', async () => {
    const [quiet, talkative, ...others] = clients.filter((_, index) => everybody[index]?.handshake);
    await quiet?.setLoggingLevel('warning');
    await talkative?.setLoggingLevel('debug');
    const before = others.map(({ logged }) => logged.length);
    await Promise.all([quiet, talkative].map(async (client) => client?.callTool('test_tool_with_logging', {})));
    expect([quiet?.logged.length, talkative?.logged.length]).toEqual([0, 3]);
    expect(others.map(({ logged }) => logged.length)).toEqual(before);
  });
});

describe.each(httpJudges)('a process that is killed and started again under $title', ({ connect, handshake }) => {
  it('serves the client again, which initializes anew where it had a session [SESS-005]', async () => {
    const first = await HttpApp.start('weather');
    const client = await connect(first.url);
    expect(await client.callTool('forecast', { city: 'Oslo' })).toMatchObject({ isError: false });
    first.kill('SIGKILL');
    await first.exit;

    const second = await HttpApp.start('weather', { PORT: first.port });
    expect(second.url).toBe(first.url);
    const called = client.callTool('forecast', { city: 'Oslo' });
    if (handshake) await expect(called).rejects.toThrow(/404|session has ended/);
    else expect(await called).toMatchObject({ isError: false });
    const again = await connect(second.url);
    expect(await again.callTool('forecast', { city: 'Oslo' })).toMatchObject({ isError: false });
    await again.close();
    await client.close().catch(() => undefined); // its session ended with the first process
    await second.stop();
  });
});

describe('a stale session id', () => {
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'stale', version: '1' } };

  it('is answered with 404 in JSON-RPC, and does not keep its client from initializing [SESS-005]', async () => {
    const app = await HttpApp.start('weather');
    const post = (method: string, params: object): Promise<Response> =>
      fetch(app.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': 'from-before-the-restart',
          'mcp-protocol-version': '2025-06-18',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 'a', method, params }),
      });
    const refused = await post('tools/list', {});
    expect([refused.status, await refused.json()]).toMatchObject([404, { jsonrpc: '2.0', id: 'a', error: {} }]);
    const opened = await post('initialize', hello);
    expect([opened.status, await opened.json()]).toMatchObject([200, { result: { protocolVersion: '2025-06-18' } }]);
    expect(opened.headers.get('mcp-session-id')).toMatch(/^[\x21-\x7e]{20,}$/);
    await app.stop();
  });
});
