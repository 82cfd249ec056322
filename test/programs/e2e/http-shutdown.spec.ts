/** What an operator's SIGTERM does to a server over HTTP, and to the clients that it has. */
import { HttpApp } from './http-app';
import { httpJudges, sseJudge } from './judges';
import { readEvents } from './read-events';

const NEWEST = '2026-07-28';
const MANNERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const clientInfo = { name: 'operator', version: '1' };

type Ask = (method: string, params: object) => Promise<Response>;

const asker =
  (app: HttpApp, headers: Record<string, string>): Ask =>
  (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return fetch(app.url, { method: 'POST', headers: { ...MANNERS, ...headers }, body });
  };

/** How a request is sent in a session, or without one. */
async function manners(app: HttpApp, revision: string): Promise<{ headers: Record<string, string>; meta: object }> {
  if (revision === NEWEST) {
    const headers = {
      'mcp-protocol-version': NEWEST,
      'mcp-method': 'tools/call',
      'mcp-name': 'test_tool_with_progress',
    };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': NEWEST,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    return { headers, meta };
  }
  const hello = await asker(app, {})('initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
  return { headers: { 'mcp-session-id': hello.headers.get('mcp-session-id') ?? '' }, meta: {} };
}

const probe = (app: HttpApp, path: string): Promise<number | 'refused'> =>
  fetch(new URL(path, app.url)).then(
    ({ status }) => status,
    () => 'refused',
  );

describe('a server that is told to end', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', NEWEST])(
    'is not ready at once, finishes what runs, ends its streams and exits with 0 (%s)',
    async (revision) => {
      const app = await HttpApp.start('everything');
      expect([await probe(app, '/readyz'), await probe(app, '/healthz')]).toEqual([200, 200]);
      const { headers, meta } = await manners(app, revision);
      const stream =
        revision === NEWEST
          ? undefined
          : await fetch(app.url, { headers: { ...headers, accept: 'text/event-stream' } });
      const params = { name: 'test_tool_with_progress', arguments: {}, _meta: { ...meta, progressToken: 'p' } };
      const call = await asker(app, headers)('tools/call', params);
      const heard: unknown[] = [];
      for await (const { data } of readEvents(call)) {
        if (data === '') continue;
        if (heard.length === 0) {
          app.kill('SIGTERM');
          let ready = await probe(app, '/readyz');
          while (ready === 200) ready = await probe(app, '/readyz');
          // On a connection that was open, else none is taken any more.
          expect([503, 'refused']).toContain(ready);
        }
        heard.push(JSON.parse(data));
      }
      expect(heard).toHaveLength(4);
      expect(heard.at(-1)).toMatchObject({ id: 1, result: { isError: false } });
      expect((await stream?.text()) ?? '').not.toContain('"result"'); // and it has an end
      expect(await app.exit).toEqual({ code: 0, signal: null });
    },
  );

  it.each([...httpJudges, sseJudge])('lets a running call of $title finish', async ({ connect }) => {
    const app = await HttpApp.start('everything');
    const client = await connect(app.url);
    const onprogress = ({ progress }: { progress: number }): void => {
      if (progress === 0) app.kill('SIGTERM');
    };
    expect(await client.callTool('test_tool_with_progress', {}, { onprogress })).toMatchObject({ isError: false });
    expect(await app.exit).toEqual({ code: 0, signal: null });
    await client.close().catch(() => undefined); // there is nobody to say goodbye to
  });

  it('ends as well on Ctrl+C', async () => {
    const app = await HttpApp.start('weather');
    app.kill('SIGINT');
    expect(await app.exit).toEqual({ code: 0, signal: null });
  });
});
