/** A client that begins without a token, and signs in once something wants one: its session becomes its own, and nobody else's. */
import { Caller, Feature, McpContext, Public, Resource, Scopes, Tool, type Auth } from '@sigil-mcp/core';
import { MemoryStores } from '@sigil-mcp/core/stores';
import { as, request, serve, type HttpAnswer, type OpenServer } from './http-server';
import { until } from './raw-request';
import { initialize, readStream } from './two-instances';
import { revisionsOf } from '../../support/each-revision';

@Feature()
class Notes {
  static letOn: (() => void)[] = [];

  @Public()
  @Tool('Says who calls')
  about({ caller }: McpContext): string {
    return caller.id;
  }

  @Scopes('notes:read')
  @Tool('Reads')
  read({ caller }: McpContext): string {
    return caller.id;
  }

  @Public()
  @Tool('Waits')
  async wait({ caller }: McpContext): Promise<string> {
    await new Promise<void>((resolve) => Notes.letOn.push(resolve));
    return caller.id;
  }

  @Public()
  @Tool('Says where the client works')
  async roots(context: McpContext): Promise<string> {
    return (await context.roots()).map(({ uri }) => uri).join(' ');
  }

  @Public()
  @Resource('note://news', {})
  news(): string {
    return 'news';
  }
}

const auth: Auth = {
  verify: (name) => (name === 'bad' ? undefined : new Caller({ id: name, scopes: ['notes:read'] })),
};
type Who = Record<string, string>;
const VERSIONS = revisionsOf({ since: '2025-03-26', until: '2025-11-25' });

let opened: OpenServer[] = [];
/** One instance that is alone, or two that share a session: what is asked of both in turn. */
const start = async (kept: string, limits = {}): Promise<[OpenServer, OpenServer]> => {
  Notes.letOn = [];
  const definition = { features: [Notes], shutdownDeadline: 50, answerTimeout: 5000 };
  const options = { auth, limits, stream: 'always' } as const;
  if (kept === 'here alone') {
    const open = await serve(definition, options);
    opened = [open];
    return [open, open];
  }
  const shared = { ...definition, stores: new MemoryStores(), requestState: { secrets: ['s'.repeat(32)] } };
  const [a, b] = [await serve(shared, options), await serve(shared, options)];
  opened = [a, b];
  return [a, b];
};
afterEach(async () => {
  for (const letOn of Notes.letOn) letOn();
  await Promise.all(opened.map((open) => open.close()));
});

const tool = (id: number, name: string): object => request(id, 'tools/call', { name });
const said = ({ messages }: HttpAnswer): unknown =>
  (messages.at(-1)?.result?.['content'] as { text: string }[] | undefined)?.[0]?.text;
const statusOf = async ({ url }: OpenServer, method: string, headers: Who): Promise<number> => {
  const response = await fetch(url, { method, headers: { accept: 'text/event-stream', ...headers } });
  await response.body?.cancel();
  return response.status;
};

describe.each(['here alone', 'by two instances'])('a session that was opened without a token, kept %s,', (kept) => {
  it.each(VERSIONS)('of %s goes on with the token that it was asked for [AUTH-001]', async (version) => {
    const [a, b] = await start(kept);
    const session = await initialize(a, version);
    expect(said(await b.post(tool(1, 'about'), session))).toBe('anonymous');
    const refused = await a.post(tool(2, 'read'), session);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')]);
    expect((await b.post(tool(3, 'read'), { ...session, ...as('bad') })).status).toBe(401);
    const own = { ...session, ...as('ada') };
    expect(said(await b.post(tool(4, 'read'), own))).toBe('ada');
    expect(said(await a.post(tool(5, 'about'), own))).toBe('ada');
  });

  it('belongs to no other user from then on, also not to one who knew its id before [SEC-002]', async () => {
    const [a, b] = await start(kept);
    const session = await initialize(a, '2025-11-25');
    expect((await b.post(request(1, 'ping'), { ...session, ...as('ada') })).status).toBe(200);
    for (const open of [a, b]) {
      // One without a token may be its owner, who then sends it.
      for (const [who, status] of [
        [{}, 401],
        [as('eve'), 404],
      ] as const) {
        const headers = { ...session, ...who };
        const answer = await open.post(tool(2, 'about'), headers);
        expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
          status,
          status === 401 ? expect.stringContaining('Bearer') : null,
        ]);
        expect(await statusOf(open, 'GET', headers)).toBe(status);
        expect(await statusOf(open, 'GET', { ...headers, 'last-event-id': 'r0-0' })).toBe(status);
        expect(await statusOf(open, 'DELETE', headers)).toBe(status);
      }
      expect((await open.post(request(3, 'ping'), { ...session, ...as('ada') })).status).toBe(200);
    }
  });

  it('takes its stream from whoever held it, and its owner goes on with it', async () => {
    const [a, b] = await start(kept);
    const session = await initialize(a, '2025-11-25');
    await a.post(request(1, 'resources/subscribe', { uri: 'note://news' }), session);
    const held = await readStream(a, session);
    a.server.notifyResourceChanged('note://news');
    await until(() => held.messages.length === 1);
    const own = { ...session, ...as('ada') };
    expect((await b.post(request(2, 'ping'), own)).status).toBe(200);
    await held.done;
    a.server.notifyResourceChanged('note://news');
    const again = await readStream(b, { ...own, 'last-event-id': held.lastEvent ?? '' });
    await until(() => again.messages.length === 1);
    expect(held.messages).toHaveLength(1);
    again.cut();
  });

  it('answers what it was asked before to whoever asked, as nobody in particular', async () => {
    const [a, b] = await start(kept);
    const session = await initialize(a, '2025-11-25');
    const waiting = a.post(tool(1, 'wait'), session);
    await until(() => Notes.letOn.length === 1);
    expect((await b.post(request(2, 'ping'), { ...session, ...as('ada') })).status).toBe(200);
    Notes.letOn[0]?.();
    expect(said(await waiting)).toBe('anonymous');
  });

  it('asks its owner for the roots, whatever was said of them before', async () => {
    const [a] = await start(kept);
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: { roots: { listChanged: true } },
      clientInfo: { name: 'test', version: '1' },
    };
    const { headers } = await a.post(request(0, 'initialize', hello));
    const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    const rootsOf = async (who: Who, uri: string): Promise<unknown> => {
      await a.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { ...session, ...who });
      const stream = await readStream(a, { ...session, ...who }, tool(1, 'roots'));
      await until(() => stream.messages.length > 0);
      const [asked] = stream.messages;
      if (asked?.method === 'roots/list')
        await a.post({ jsonrpc: '2.0', id: asked.id, result: { roots: [{ uri }] } }, { ...session, ...who });
      await stream.done;
      return (stream.messages.at(-1)?.result?.['content'] as { text: string }[])[0]?.text;
    };
    expect(await rootsOf({}, 'file:///strange')).toBe('file:///strange');
    expect(await rootsOf({}, 'file:///unasked')).toBe('file:///strange');
    expect(await rootsOf(as('ada'), 'file:///own')).toBe('file:///own');
  });

  it('belongs to one of two who come at the same time', async () => {
    const [a, b] = await start(kept);
    const session = await initialize(a, '2025-11-25');
    const came = await Promise.all([
      a.post(tool(1, 'read'), { ...session, ...as('ada') }),
      b.post(tool(2, 'read'), { ...session, ...as('eve') }),
    ]);
    expect(came.map(({ status }) => status).sort()).toEqual([200, 404]);
    const owner = came[0].status === 200 ? 'ada' : 'eve';
    for (const open of [a, b]) {
      const statuses = await Promise.all(
        ['ada', 'eve'].map(async (who) => (await open.post(request(3, 'ping'), { ...session, ...as(who) })).status),
      );
      expect(statuses).toEqual(owner === 'ada' ? [200, 404] : [404, 200]);
    }
  });

  it('counts for its owner from then on, with what it subscribed to', async () => {
    const [a] = await start(kept, { sessionsPerClient: 2 });
    const [first, second] = [await initialize(a, '2025-11-25'), await initialize(a, '2025-11-25')];
    for (const session of [first, second])
      expect((await a.post(request(1, 'ping'), { ...session, ...as('ada') })).status).toBe(200);
    const streams = await Promise.all([first, second].map((session) => readStream(a, { ...session, ...as('ada') })));
    expect((await initialize(a, '2025-11-25'))['mcp-session-id']).not.toBe('');
    expect((await initialize(a, '2025-11-25', as('ada')))['mcp-session-id']).toBe('');
    for (const stream of streams) stream.cut();
  });
});

it('a session that somebody opened is taken over by nobody', async () => {
  const [a] = await start('here alone');
  const session = await initialize(a, '2025-11-25', as('ada'));
  expect((await a.post(request(1, 'ping'), { ...session, ...as('eve') })).status).toBe(404);
});
