/** What a well-behaved client meets on stdio: both ways of talking at once, and nothing but protocol on stdout. */
import { Spawner, type Message, type SpawnedServer } from '../../support/spawned-server';

const spawner = new Spawner();
const NEWEST = '2026-07-28';

let server: SpawnedServer;
beforeEach(() => void (server = spawner.spawn(require.resolve('./fixtures/trouble.ts'))));
afterEach(() => spawner.endAll());

const echo = (word: string): object => ({ name: 'echo', arguments: { word } });
const resultOf = ({ result }: Message): Record<string, unknown> => result as Record<string, unknown>;
const cancel = (requestId: unknown): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: 'enough' },
});

describe('both ways of talking on one process', () => {
  it('are served at the same time, each in its own words [LIFE-016, LIFE-017, LIFE-018, BASE-029, BASE-030]', async () => {
    expect(resultOf(await server.requestAlone('tools/call', echo('alone')))['resultType']).toBe('complete');
    await server.initialize('2025-03-26');
    for (const word of ['one', 'two', 'three']) {
      const [alone, within] = await Promise.all([
        server.requestAlone('tools/call', echo(word)),
        server.request('tools/call', echo(word)),
      ]);
      expect(resultOf(alone)).toMatchObject({ resultType: 'complete', content: [{ text: word }] });
      expect(resultOf(within)).toMatchObject({ content: [{ text: word }] });
      expect(resultOf(within)).not.toHaveProperty('resultType');
    }
  });

  it('do not open a conversation for each other: a request alone is no handshake [LIFE-002]', async () => {
    await server.requestAlone('tools/list');
    expect(await server.request('tools/list')).toMatchObject({ error: { code: -32600 } });
  });

  it('have server/discover answered first of all, before and after initialize [DISC-001, DISC-004, DISC-005]', async () => {
    const answers = [await server.requestAlone('server/discover')];
    await server.initialize();
    answers.push(await server.requestAlone('server/discover'));
    for (const answer of answers)
      expect(resultOf(answer)).toMatchObject({ resultType: 'complete', supportedVersions: [NEWEST] });
  });

  it('have a server/discover without metadata answered with an error of the newest revision [BASE-025, DISC-005]', async () => {
    expect(await server.request('server/discover')).toMatchObject({ error: { code: -32602 } });
  });
});

describe('stdout', () => {
  it('ends the pipelines that a handler sends to stdout, which it finds on stderr [STDIO-002]', async () => {
    await server.initialize();
    const answer = await server.request('tools/call', { name: 'pipe', arguments: { count: 20_000 } });
    const text = 'Error: the source failed, Error: the source failed';
    expect(answer['result']).toMatchObject({ content: [{ text }] });
    await server.hears('piped 19999');
    expect(await server.request('ping')).toHaveProperty('result');
  });

  it('contains only messages, even if a handler prints [STDIO-002, STDIO-003, STDIO-004]', async () => {
    await server.initialize();
    expect(await server.request('tools/call', { name: 'print' })).toHaveProperty('result');
    expect(await server.request('ping')).toHaveProperty('result');
    expect(await server.end()).toEqual({ code: 0, signal: null });
    expect(server.messages.map(({ jsonrpc, id }) => ({ jsonrpc, id }))).toEqual(
      [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id })),
    );
    for (const printed of ['console.log', '(index)', 'stray write', 'stray end'])
      expect(server.stderr).toContain(printed);
  });

  it('carries texts with line breaks and wide characters on one line [STDIO-001, BASE-002]', async () => {
    await server.initialize();
    const word = 'a\nb\r\n\u2028\u0085 ä 😀 \ud800 end';
    const answer = await server.request('tools/call', echo(word));
    expect(resultOf(answer)['content']).toEqual([{ type: 'text', text: word }]);
  });

  it('carries an answer of many megabytes whole [STDIO-001]', async () => {
    await server.initialize();
    const answer = await server.request('tools/call', { name: 'long', arguments: { count: 2_000_000 } });
    expect(resultOf(answer)['content']).toEqual([{ type: 'text', text: 'ä\n'.repeat(2_000_000) }]);
  });

  it('carries the answers to thousands of requests sent at once', async () => {
    await server.initialize();
    const ids = Array.from({ length: 5000 }, (_, index) => server.start('tools/call', echo(`word ${index}`)));
    await server.answer(ids.at(-1));
    const answered = new Map(server.messages.map((message) => [message['id'], message]));
    expect(ids.filter((id) => !answered.has(id))).toEqual([]);
  });
});

describe('cancellation', () => {
  it('reaches the handler, and nothing more is sent for the request [CANCEL-003]', async () => {
    await server.initialize();
    const id = server.start('tools/call', { name: 'sleep', arguments: { milliseconds: 60_000 } });
    expect(await server.answersTo(cancel(id))).toEqual([]);
    await server.hears('sleep was cancelled');
    expect(await server.answersTo(cancel(id), cancel('unknown'))).toEqual([]);
  });

  it('gets through to a handler that reports without end', async () => {
    await server.initialize();
    const id = server.start('tools/call', { name: 'flood', _meta: { progressToken: 'p' } });
    await server.find(({ method }) => method === 'notifications/progress', 'progress');
    server.send(cancel(id));
    await server.hears('flooded');
    expect(await server.request('ping')).toHaveProperty('result');
  });
});
