/** What one client makes the server hold is counted in bytes of memory, on every revision, and given back when it is over. */
import { createServer, Feature, McpContext, Resource, Tool, type Server, type ServerLimits } from '@sigil-mcp/core';
import type { JsonObject } from '@sigil-mcp/protocol';
import type { TestClient } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { eachRevision } from './checked';

class Place {
  @IsString() name!: string;
}

@Feature()
class Shelf {
  static readonly ends: (() => void)[] = [];

  @Tool('Waits, whatever it was sent')
  async wait(): Promise<string> {
    await new Promise<void>((resolve) => Shelf.ends.push(resolve));
    return 'waited';
  }

  @Tool('Asks for the roots, and waits with the answer in its hands')
  async ask(context: McpContext): Promise<string> {
    await context.roots();
    await new Promise<void>((resolve) => Shelf.ends.push(resolve));
    return 'asked';
  }

  @Tool('Asks forty questions at the same time')
  async poll(context: McpContext): Promise<string> {
    const form = { type: 'object', properties: { text: { type: 'string' } } } as const;
    const questions = Array.from({ length: 40 }, (_, index) => context.elicit(form, `Question ${index}?`));
    const answers = await Promise.all(questions);
    return `${answers.length} answers`;
  }

  @Tool('Answers at once')
  quick(): string {
    return 'quick';
  }

  @Resource('shelf://{name}')
  read({ name }: Place): string {
    return name;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const serverWith = (limits: ServerLimits): Server =>
  createServer({ name: 'held', version: '1.0.0', features: [Shelf], logger: false, limits });

/** Text of 300 kB that weighs 6 MB once it was parsed. */
const bomb = (): unknown[] => Array.from({ length: 100_000 }, () => ({}));

const start = (client: TestClient, name: string, bag?: unknown): Promise<unknown> => {
  const { result } = client.start('tools/call', { name, _meta: { 'com.example/bag': bag ?? null } as never });
  return result.catch((error: unknown) => error);
};

const refusedBy = (limit: string): object => ({
  code: -32603,
  message: expect.stringContaining(limit) as string,
  data: { retryAfter: 1 },
});

describe('memory that calls hold', () => {
  eachRevision('is counted as parsed values cost, for each client, until the calls have ended', async ({ connect }) => {
    const client = await connect(serverWith({ heldPerClient: 16 * 1024 * 1024 }));
    const waiting = [start(client, 'wait', bomb()), start(client, 'wait', bomb())];
    await turn();
    expect(Shelf.ends).toHaveLength(2);
    expect(await start(client, 'wait', bomb())).toMatchObject(refusedBy('limits.heldPerClient'));
    expect(await start(client, 'quick')).toMatchObject({ content: [{ text: 'quick' }] });
    for (const end of Shelf.ends.splice(0)) end();
    await Promise.all(waiting);
    expect(await start(client, 'quick', bomb())).toMatchObject({ content: [{ text: 'quick' }] });
  });

  eachRevision('is counted for all clients together', async ({ connect }) => {
    const server = serverWith({ heldPerClient: 8 * 1024 * 1024, held: 16 * 1024 * 1024 });
    const clients = [await connect(server), await connect(server), await connect(server)];
    const waiting = clients.slice(0, 2).map((client) => start(client, 'wait', bomb()));
    await turn();
    expect(await start(clients[2] as TestClient, 'wait', bomb())).toMatchObject(refusedBy('(limits.held)'));
    for (const end of Shelf.ends.splice(0)) end();
    await Promise.all(waiting);
  });

  eachRevision(
    'is counted for what a client subscribes to, and given back with it',
    async ({ connect }) => {
      const client = await connect(serverWith({ heldPerClient: 40_000 }));
      const uri = (name: string): string => `shelf://${name.repeat(1000)}`;
      let count = 0;
      const refused = await (async () => {
        for (; count < 26; count += 1)
          await client.request('resources/subscribe', { uri: uri(String.fromCharCode(97 + count)) });
      })().catch((error: unknown) => error);
      expect(refused).toMatchObject(refusedBy('limits.heldPerClient'));
      expect(count).toBeGreaterThan(4);
      await client.request('resources/unsubscribe', { uri: uri('a') });
      await client.request('resources/subscribe', { uri: uri('z') });
    },
    { until: '2025-11-25' },
  );
});

describe('memory that answers to questions hold', () => {
  eachRevision(
    'is counted until the call that asked has ended',
    async ({ connect }) => {
      const client = await connect(serverWith({ heldPerClient: 16 * 1024 * 1024 }), {
        capabilities: { roots: {} },
        answers: () => ({ roots: [], _meta: { 'com.example/bag': bomb() } }) as never,
      });
      const waiting = [start(client, 'ask'), start(client, 'ask')];
      while (Shelf.ends.length < 2) await turn();
      expect(await start(client, 'ask')).toMatchObject(refusedBy('limits.heldPerClient'));
      expect(await start(client, 'wait', bomb())).toMatchObject(refusedBy('limits.heldPerClient'));
      for (const end of Shelf.ends.splice(0)) end();
      await Promise.all(waiting);
      expect(await start(client, 'quick', bomb())).toMatchObject({ content: [{ text: 'quick' }] });
    },
    { until: '2025-11-25' },
  );
});

describe('memory that questions hold', () => {
  eachRevision(
    'is counted until the call that asked has ended',
    async ({ connect }) => {
      const poll = async (limits: ServerLimits): Promise<unknown> => {
        const answers = () => ({ action: 'accept', content: { text: 'Yes' } }) as never;
        return start(
          await connect(serverWith(limits), { capabilities: { elicitation: { form: {} } }, answers }),
          'poll',
        );
      };
      expect(await poll({ heldPerClient: 700_000 })).toMatchObject(refusedBy('limits.heldPerClient'));
      expect(await poll({ heldPerClient: 1_000_000 })).toMatchObject({ content: [{ text: '40 answers' }] });
    },
    { since: '2025-06-18', until: '2025-11-25' },
  );
});

describe('memory that a batch holds', () => {
  eachRevision(
    'is counted for its notifications and responses, too',
    async ({ connect }) => {
      const client = await connect(serverWith({ heldPerClient: 4 * 1024 * 1024 }));
      const batch = async (member: object): Promise<unknown> => {
        const before = client.traffic.length;
        client.send(
          JSON.stringify([
            { jsonrpc: '2.0', ...member },
            { jsonrpc: '2.0', id: 'p', method: 'ping' },
          ]),
        );
        while (client.traffic.length < before + 2) await turn();
        return JSON.parse(client.traffic.at(-1)?.text ?? '');
      };
      const bag = bomb();
      const refused = { error: refusedBy('limits.heldPerClient') };
      expect(await batch({ method: 'notifications/initialized', params: { bag } })).toMatchObject(refused);
      expect(await batch({ id: 'none', result: { bag } })).toMatchObject(refused);
      expect(await batch({ method: 'notifications/initialized' })).toEqual([{ jsonrpc: '2.0', id: 'p', result: {} }]);
    },
    { since: '2025-03-26', until: '2025-03-26' },
  );
});

describe('a call of a batch', () => {
  eachRevision(
    'counts once, as it does when it is sent alone',
    async ({ connect }) => {
      const client = await connect(serverWith({ heldPerClient: 9 * 1024 * 1024 }));
      const before = client.traffic.length;
      const member = {
        jsonrpc: '2.0',
        id: 'one',
        method: 'tools/call',
        params: { name: 'quick', _meta: { bag: bomb() } },
      };
      client.send(JSON.stringify([member]));
      while (client.traffic.length < before + 2) await turn();
      expect(JSON.parse(client.traffic.at(-1)?.text ?? '')).toMatchObject([
        { result: { content: [{ text: 'quick' }] } },
      ]);
    },
    { since: '2025-03-26', until: '2025-03-26' },
  );
});

describe('what a client says of itself', () => {
  eachRevision(
    'is weighed as it is held, not as it was written',
    async ({ connect }) => {
      const server = serverWith({});
      const many = (count: number): Record<string, JsonObject> =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, {}]));
      const hello = (count: number): Promise<unknown> =>
        connect(server, { capabilities: { experimental: many(count) } });
      await hello(20);
      await expect(hello(1000)).rejects.toThrow(/limits\.clientFacts/);
    },
    { until: '2025-11-25' },
  );
});
