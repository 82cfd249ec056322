/** What happens while a call runs: progress, log messages, cancellation, on every revision. */
import { Feature, McpContext, Tool, createServer, type Server } from '@sigil-mcp/core';
import type { JsonValue } from '@sigil-mcp/protocol';
import { ManualClock, type TestClient } from '@sigil-mcp/testing';
import { turn } from '../../support/turn';
import { Patience, letGo } from './calls';
import { eachRevision } from './checked';

const NEWEST = '2026-07-28';
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

const patience = (): Server =>
  createServer({ name: 'patience', version: '1.0.0', features: [Patience], logger: false });
const idOf = (client: TestClient): number =>
  (JSON.parse(client.traffic.filter(({ from }) => from === 'client').at(-1)?.text ?? '') as { id: number }).id;
const answers = (client: TestClient, id: unknown): unknown[] =>
  client.traffic.filter(({ from, text }) => from === 'server' && (JSON.parse(text) as { id?: unknown }).id === id);

afterEach(letGo);

describe('progress', () => {
  eachRevision(
    'is told for the token of the request, strictly increasing, and never after the answer [PROG-001] [PROG-002] [PROG-003]',
    async ({ connect, revision }) => {
      const client = await connect(patience());
      await client.request('tools/call', { name: 'walk', _meta: { progressToken: 'token-1' } });
      await turn();
      const told = client.notifications('notifications/progress').map(({ params }) => params);
      expect(told).toEqual([
        { progressToken: 'token-1', progress: 0, total: 100, ...(revision > '2024-11-05' && { message: 'starting' }) },
        { progressToken: 'token-1', progress: 50, total: 100 },
        { progressToken: 'token-1', progress: 100, total: 100, ...(revision > '2024-11-05' && { message: 'there' }) },
      ]);
      expect(client.traffic.at(-1)?.text).toContain('arrived');
    },
  );

  eachRevision('keeps the type of the token [PROG-001]', async ({ connect }) => {
    const client = await connect(patience());
    await client.request('tools/call', { name: 'walk', _meta: { progressToken: 7 } });
    expect(client.notifications('notifications/progress')[0]).toMatchObject({ params: { progressToken: 7 } });
  });

  eachRevision('is silent where the client gave no token [PROG-001]', async ({ connect }) => {
    const client = await connect(patience());
    await client.callTool('walk');
    expect(client.notifications('notifications/progress')).toEqual([]);
  });

  eachRevision('is told to both of two requests that share a token', async ({ connect }) => {
    const client = await connect(patience());
    const call = () => client.request('tools/call', { name: 'walk', _meta: { progressToken: 'shared' } });
    await Promise.all([call(), call()]);
    const told = client.notifications('notifications/progress').map(({ params }) => params as { progress: number });
    expect(told.map(({ progress }) => progress).sort((a, b) => a - b)).toEqual([0, 0, 50, 50, 100, 100]);
  });

  eachRevision('a token of another type is refused', async ({ connect }) => {
    const client = await connect(patience());
    await expect(client.request('tools/call', { name: 'walk', _meta: { progressToken: {} } })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

describe('log messages', () => {
  eachRevision(
    'reach the client at or above the level it set, in the call they belong to [LOG-002] [LOG-005] [LOG-007]',
    async ({ connect, revision }) => {
      const client = await connect(patience());
      for (const [index, level] of LEVELS.entries()) {
        const before = client.notifications('notifications/message').length;
        if (revision < NEWEST) expect(await client.request('logging/setLevel', { level })).toEqual({});
        await client.request('tools/call', {
          name: 'chatter',
          ...(revision >= NEWEST && { _meta: { [LOG_LEVEL]: level } }),
        });
        const told = client.notifications('notifications/message').slice(before);
        expect(told.map(({ params }) => (params as { level: string }).level)).toEqual(LEVELS.slice(index));
      }
      await turn();
      expect(JSON.stringify(client.traffic)).not.toContain('too late');
    },
  );

  eachRevision('carry their message, or message and data [LOG-007]', async ({ connect, revision }) => {
    const client = await connect(patience());
    await client.request('tools/call', {
      name: 'chatter',
      ...(revision >= NEWEST && { _meta: { [LOG_LEVEL]: 'debug' } }),
    });
    const told = client.notifications('notifications/message').map(({ params }) => params);
    const info = told.findIndex((params) => (params as { level: string }).level === 'info');
    expect(told[info]).toEqual({ level: 'info', data: 'i' });
    expect(told[info + 1]).toEqual({ level: 'notice', data: { message: 'n', detail: { deep: [1] } } });
  });

  eachRevision(
    'are not sent for a request that names no level, where levels travel with requests [LOG-004]',
    async ({ connect }) => {
      const client = await connect(patience());
      await client.callTool('chatter');
      expect(client.notifications()).toEqual([]);
    },
    { since: NEWEST },
  );

  eachRevision('an unknown level is refused [LOG-003] [LOG-006]', async ({ connect, revision }) => {
    const client = await connect(patience());
    const answer =
      revision < NEWEST
        ? client.request('logging/setLevel', { level: 'loud' })
        : client.request('tools/call', { name: 'chatter', _meta: { [LOG_LEVEL]: 'loud' } });
    await expect(answer).rejects.toMatchObject({ code: -32602 });
  });

  eachRevision('the capability is declared, because any handler may log [LOG-001]', async ({ connect, revision }) => {
    const client = await connect(patience());
    const opening = JSON.parse(client.traffic[1]?.text ?? '') as { result: { capabilities: object } };
    expect(opening.result.capabilities).toHaveProperty('logging');
    if (revision >= NEWEST)
      await expect(client.request('logging/setLevel', { level: 'info' })).rejects.toMatchObject({ code: -32601 });
  });
});

describe('a log entry', () => {
  eachRevision(
    'never fails the call that it is about, whatever it is given and whoever listens',
    async ({ connect, revision }) => {
      @Feature()
      class Odd {
        @Tool('Logs what JSON cannot hold')
        log(context: McpContext): string {
          const cycle: Record<string, JsonValue> = { name: 'cycle' };
          cycle['self'] = cycle;
          context.log.info('a cycle', cycle);
          // Whoever writes JavaScript may give anything.
          const anything = { big: 5n, error: new Error('inner') } as unknown as Record<string, JsonValue>;
          context.log.info('others', anything);
          return 'logged';
        }
      }
      const client = await connect(createServer({ name: 'odd', version: '1.0.0', features: [Odd], logger: false }));
      const meta = revision === NEWEST ? { _meta: { [LOG_LEVEL]: 'debug' } } : {};
      const result = await client.request('tools/call', { name: 'log', ...meta });
      expect(result).toMatchObject({ content: [{ text: 'logged' }] });
      const told = client.notifications('notifications/message').map(({ params }) => params?.['data']);
      expect(told).toMatchObject([
        { message: 'a cycle', name: 'cycle', self: '[Circular]' },
        { message: 'others', big: '5', error: { name: 'Error', message: 'inner' } },
      ]);
    },
  );
});

describe('cancellation', () => {
  eachRevision(
    'is no failure: what a handler throws because of it is logged once, at debug, without a stack',
    async ({ connect }) => {
      const lines: { level: string; fields: object; message: string }[] = [];
      const at = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
      const logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
      const client = await connect(createServer({ name: 'patience', version: '1.0.0', features: [Patience], logger }));
      lines.length = 0;
      const call = client.request('tools/call', { name: 'reject' }).catch(() => undefined);
      const id = idOf(client);
      await turn();
      client.notify('notifications/cancelled', { requestId: id });
      await turn();
      expect(lines).toEqual([
        {
          level: 'debug',
          fields: { method: 'tools/call', entry: 'reject', id },
          message: 'tools/call was cancelled, and ended',
        },
      ]);
      await client.close();
      await call;
    },
  );

  eachRevision(
    'fires the signal with the reason, and nothing more is sent for the call [CANCEL-002] [CANCEL-003]',
    async ({ connect }) => {
      const client = await connect(patience());
      void client.callTool('wait').catch(() => undefined);
      const id = idOf(client);
      await turn();
      client.notify('notifications/cancelled', { requestId: id, reason: 'changed my mind' });
      await turn();
      expect(Patience.aborted.at(-1)).toContain('changed my mind');
      expect(answers(client, id)).toEqual([]);
      expect(client.notifications()).toEqual([]);
      expect(await client.callTool('walk')).toMatchObject({ isError: false });
    },
  );

  eachRevision('frees the id of a call that never returns [CANCEL-002]', async ({ connect }) => {
    const client = await connect(patience());
    void client.callTool('hang').catch(() => undefined);
    const id = idOf(client);
    client.notify('notifications/cancelled', { requestId: id });
    await turn();
    const again = (
      JSON.parse(client.traffic.filter(({ from }) => from === 'client').at(-2)?.text ?? '') as { params: object }
    ).params;
    client.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { ...again, name: 'walk' } }));
    await turn();
    expect(answers(client, id)).toHaveLength(1);
  });

  eachRevision(
    'of what is unknown, finished or malformed is ignored [CANCEL-005] [CANCEL-006] [BASE-010]',
    async ({ connect }) => {
      const client = await connect(patience());
      await client.callTool('walk');
      const before = client.traffic.filter(({ from }) => from === 'server').length;
      client.notify('notifications/cancelled', { requestId: idOf(client) });
      client.notify('notifications/cancelled', { requestId: 'never seen' });
      client.notify('notifications/cancelled', { requestId: { deep: true } });
      client.notify('notifications/cancelled');
      client.notify('notifications/unheard_of', { what: 1 });
      await turn();
      expect(client.traffic.filter(({ from }) => from === 'server')).toHaveLength(before);
      expect(await client.callTool('walk')).toMatchObject({ isError: false });
    },
  );

  eachRevision('of one client never touches the call of another with the same id [BASE-030]', async ({ connect }) => {
    const server = patience();
    const [one, other] = [await connect(server), await connect(server)];
    const answered = one.callTool('wait');
    void other.callTool('wait').catch(() => undefined);
    await turn();
    other.notify('notifications/cancelled', { requestId: idOf(other) });
    await turn();
    letGo();
    expect(await answered).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
  });

  eachRevision(
    'a server that closes waits for running calls, then cancels what is left [CANCEL-002]',
    async ({ connect }) => {
      const clock = new ManualClock();
      const server = createServer({
        name: 'patience',
        version: '1.0.0',
        features: [Patience],
        logger: false,
        shutdownDeadline: 30,
        clock,
      });
      const client = await connect(server);
      const quick = client.callTool('walk');
      void client.callTool('wait').catch(() => undefined);
      await turn();
      const told = Patience.aborted.length;
      const closed = server.close();
      await clock.advance(29);
      expect(Patience.aborted).toHaveLength(told);
      await clock.advance(1);
      await closed;
      expect(await quick).toMatchObject({ isError: false });
      expect(Patience.aborted.at(-1)).toBe('The server is shutting down.');
    },
  );
});
