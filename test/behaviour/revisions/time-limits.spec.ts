/** Tools that take too long, on every revision. */
import {
  Feature,
  McpContext,
  Tool,
  createServer,
  systemClock,
  type Server,
  type ServerOptions,
  type Timer,
} from '@sigil-mcp/core';
import { ManualClock, type AnswerQuestion, type TestClient } from '@sigil-mcp/testing';
import { IsInt } from 'class-validator';
import { turn } from '../../support/turn';
import { eachRevision } from './checked';

let clock = new ManualClock();
/** Milliseconds for which the loop was blocked: no timer fires meanwhile. */
let blocked = 0;
const never: Timer = { unref: () => never, close: () => undefined };
beforeEach(() => (clock = new ManualClock()));

/** Work of so many milliseconds, on the clock of the server. */
const work = (milliseconds: number): Promise<void> => new Promise((resolve) => clock.after(milliseconds, resolve));

/** How long a worker works, in milliseconds. */
class Shift {
  @IsInt() before!: number;
  @IsInt() after!: number;
}

@Feature()
class Sleepers {
  @Tool('Waits for its signal', { timeout: 30 })
  listen({ signal }: McpContext): Promise<void> {
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        reject(new Error('too late to be told'));
      }),
    );
  }

  @Tool('Does not listen, and goes on talking', { timeout: 30 })
  async oversleep(context: McpContext): Promise<string> {
    await context.progress(1, 3);
    await work(60);
    await context.progress(2, 3);
    context.log.error('too late');
    return 'too late';
  }

  @Tool('Blocks', { timeout: 10 })
  block(): string {
    blocked += 20;
    return 'too late';
  }

  @Tool('Is quick enough', { timeout: 60_000 })
  async hurry(): Promise<string> {
    await work(1);
    return 'done';
  }

  @Tool('Is quick enough at once', { timeout: 60_000 })
  now(): string {
    return 'done';
  }

  @Tool('Has the limit of the server')
  async idle(): Promise<string> {
    await work(60);
    return 'done';
  }

  @Tool('Has no limit', { timeout: Infinity })
  async laze(): Promise<string> {
    await work(60);
    return 'done';
  }
}

const sleepers = (options: Partial<ServerOptions> = {}): Server =>
  createServer({ name: 'sleepers', version: '1.0.0', features: [Sleepers], logger: false, clock, ...options });
const failing = (text: string) => ({ content: [{ type: 'text', text }], isError: true });
const timedOut = (tool: string, limit: number) => failing(`The tool ${tool} timed out after ${limit} ms.`);
const done = { content: [{ text: 'done' }], isError: false };

/** A handler that never ends, and keeps why its signal fired. */
const waiting = (reasons: unknown[]) => ({
  input: { type: 'object' },
  handler: (_input: unknown, { signal }: McpContext): Promise<never> =>
    new Promise(() => signal.addEventListener('abort', () => reasons.push(signal.reason))),
});

/** What a call comes to when time passes. */
async function inTime<T>(call: Promise<T>, milliseconds = 100): Promise<T> {
  // A rejection is handled by who awaits the call, after time has passed.
  call.catch(() => undefined);
  await clock.advance(milliseconds);
  return call;
}

/** The messages of the server after it has answered all requests, however long its handlers go on. */
async function lateMessages(client: TestClient): Promise<string[]> {
  const { length } = client.traffic;
  await clock.advance(60_000);
  return client.traffic.slice(length).map(({ text }) => text);
}

describe('a tool with a time limit', () => {
  eachRevision('is told by its signal, and the model by an error it can read', async ({ connect }) => {
    const reasons: unknown[] = [];
    const server = sleepers();
    server.registry.add({ kind: 'tool', name: 'watch', description: 'Waits', timeout: 30, ...waiting(reasons) });
    const client = await connect(server);
    expect(await inTime(client.callTool('listen'))).toMatchObject(timedOut('listen', 30));
    expect(await inTime(client.callTool('watch'))).toMatchObject(timedOut('watch', 30));
    expect(reasons).toMatchObject([{ message: 'The tool watch timed out after 30 ms.' }]);
  });

  eachRevision('says nothing more after it', async ({ connect, revision }) => {
    const client = await connect(sleepers());
    const level = revision < '2026-07-28' ? {} : { 'io.modelcontextprotocol/logLevel': 'debug' };
    const call = client.request('tools/call', { name: 'oversleep', _meta: { progressToken: 1, ...level } });
    expect(await inTime(call, 30)).toMatchObject(timedOut('oversleep', 30));
    expect(client.notifications('notifications/progress')).toHaveLength(1);
    expect(await lateMessages(client)).toEqual([]);
  });

  eachRevision('is too late also where nothing could interrupt it', async ({ connect }) => {
    const client = await connect(sleepers({ clock: { ...systemClock, elapsed: () => blocked, after: () => never } }));
    expect(await client.callTool('block')).toMatchObject(timedOut('block', 10));
  });

  eachRevision('answers as any other while it keeps to it, and leaves no timer behind', async ({ connect }) => {
    const client = await connect(sleepers());
    const before = clock.pending;
    expect(await inTime(client.callTool('hurry'), 1)).toMatchObject(done);
    expect(await client.callTool('now')).toMatchObject(done);
    expect(clock.pending).toBe(before);
  });

  eachRevision('leaves no timer behind when its call is cancelled', async ({ connect, revision }) => {
    const server = sleepers({ toolTimeout: 60_000 });
    const reasons: unknown[] = [];
    server.registry.add({ kind: 'tool', name: 'watch', description: 'Waits', ...waiting(reasons) });
    const client = await connect(server);
    const before = clock.pending;
    client.callTool('watch').catch(() => undefined);
    await turn();
    expect(clock.pending).toBe(before + 1);
    const { id } = JSON.parse(client.traffic.at(-1)?.text ?? '') as { id: number };
    client.notify('notifications/cancelled', { requestId: id });
    await turn();
    expect(clock.pending).toBe(before);
    expect(reasons).toMatchObject([{ message: 'The client cancelled the request.' }]);
    expect(revision).toBe(client.revision);
  });

  eachRevision('has that of the server if it has none of its own', async ({ connect }) => {
    const client = await connect(sleepers({ toolTimeout: 20 }));
    expect(await inTime(client.callTool('idle'))).toMatchObject(timedOut('idle', 20));
    expect(await inTime(client.callTool('laze'))).toMatchObject(done);
    expect(await inTime(client.callTool('listen'))).toMatchObject(timedOut('listen', 30));
    expect(await inTime((await connect(sleepers())).callTool('idle'))).toMatchObject(done);
  });

  eachRevision('can get another one while the server runs', async ({ connect }) => {
    const server = sleepers();
    const client = await connect(server);
    server.registry.update('tool', 'laze', { timeout: 15 });
    expect(await inTime(client.callTool('laze'))).toMatchObject(timedOut('laze', 15));
    expect(() => server.registry.update('tool', 'laze', { timeout: -1 })).toThrow(/-1 is not a valid time limit/);
    server.registry.update('tool', 'laze', { timeout: Infinity });
    expect(await inTime(client.callTool('laze'))).toMatchObject(done);
  });
});

describe('the clock of a tool that asks', () => {
  @Feature()
  class Workers {
    @Tool('Works, asks, and works again', { timeout: 100 })
    async work({ before, after }: Shift, context: McpContext): Promise<string> {
      await work(before);
      await context.sample('Go on?');
      await work(after);
      return 'done';
    }

    @Tool('Asks twice at once, and works', { timeout: 100 })
    async askTwice(context: McpContext): Promise<string> {
      await Promise.all([context.sample('Now?'), context.sample('Or later?')]);
      await work(90);
      return 'done';
    }
  }

  /** Answers the first question after a minute, the next after another one. */
  function slowly(): AnswerQuestion {
    let wait = 0;
    return async () => {
      await work((wait += 60_000));
      return { role: 'assistant', content: { type: 'text', text: 'Yes.' }, model: 'm' };
    };
  }

  const workers = (): Server =>
    createServer({ name: 'workers', version: '1.0.0', features: [Workers], logger: false, clock });
  const settle = (call: Promise<unknown>): Promise<unknown> => inTime(call, 600_000);

  eachRevision(
    'stands while the client thinks, and counts the work before and after together',
    async ({ connect }) => {
      const client = await connect(workers(), { answers: slowly() });
      expect(await settle(client.callTool('work', { before: 40, after: 50 }))).toMatchObject(done);
      expect(await settle(client.callTool('work', { before: 60, after: 60 }))).toMatchObject(timedOut('work', 100));
      expect(await settle(client.callTool('work', { before: 0, after: 110 }))).toMatchObject(timedOut('work', 100));
    },
    { until: '2025-11-25' },
  );

  eachRevision(
    'stands until the last of several questions is answered',
    async ({ connect }) => {
      const client = await connect(workers(), { answers: slowly() });
      expect(await settle(client.callTool('askTwice'))).toMatchObject(done);
    },
    { until: '2025-11-25' },
  );
});

it.each([0, -1, NaN, 2 ** 31, '5' as unknown as number])('%p is refused as a time limit', (timeout) => {
  expect(() => sleepers({ toolTimeout: timeout })).toThrow(
    /createServer\(\{ toolTimeout \}\).*is not a valid time limit/,
  );
  const add = (): void =>
    sleepers().registry.add({ kind: 'tool', name: 'x', description: 'X', timeout, handler: () => 1 });
  expect(add).toThrow(/SIGIL_TOOL_TIMEOUT/);
});
