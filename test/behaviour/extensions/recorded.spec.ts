/** Calls that an extension records, and runs later without their requests. */
import {
  createServer,
  extensionMethod,
  Feature,
  McpContext,
  Scopes,
  Suspension,
  Tool,
  type BackgroundCall,
  type BackgroundOutcome,
  type CallRecord,
  type Extension,
  type ExtensionCall,
  type ExtensionServices,
  type JsonObject,
  type LiveQuestion,
  type Observer,
  type Operation,
  type Server,
  type ServerOptions,
} from '@sigil-mcp/core';
import { connect, ManualClock, type TestCaller, type TestClient } from '@sigil-mcp/testing';
import { IsBoolean, IsString } from 'class-validator';

const LATER = 'com.example/later';
const REVISION = '2026-07-28';
const lines: string[] = [];

class Named {
  @IsString() name!: string;
}

class Sure {
  @IsBoolean() ok!: boolean;
}

@Feature()
class Post {
  @Tool('Sends a letter')
  @Scopes('send')
  async send({ name }: Named, context: McpContext): Promise<string> {
    const stamp = await context.once('stamp', () => `stamp of ${name}`);
    lines.push(`asking ${name} ${context.onceId('a')}`);
    const { action } = await context.elicit(Sure, `Send it to ${name}?`, { key: 'sure' });
    await context.progress(1, 2, 'half');
    return `${stamp}: ${action}, ${context.caller.id}`;
  }

  @Tool('Waits for ever')
  async wait({ signal }: McpContext): Promise<string> {
    lines.push('waiting');
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    lines.push('aborted');
    return 'aborted';
  }

  @Tool('Knows nothing of it')
  plain({ name }: Named): string {
    return `plain ${name}`;
  }
}

/** What an extension was given, for a test that goes on with it. */
interface Kept {
  services: ExtensionServices;
  readonly records: CallRecord[];
  readonly calls: ExtensionCall[];
}

const RECORD: Operation<'later/record'> = {
  method: 'later/record',
  compile: () => ({ readParams: (params) => params, writeParams: same, writeResult: same, readResult: same }),
};

function same(value: object): JsonObject {
  return { ...value };
}

/** Records each call, checks its arguments, and runs it all the same. */
function later(kept: Kept): Extension {
  return {
    name: LATER,
    start: (services) => (kept.services = services),
    protocol: {
      methods: [
        extensionMethod(RECORD, async (call, { entries }) => {
          const entry = entries.find('tool', String((call.params as { tool?: string }).tool));
          if (entry) await call.checkAccess(entry);
          return { record: call.record };
        }),
      ],
    },
    stage: () => ({
      isForEveryone: true,
      async run(call, next) {
        kept.calls.push(call);
        if (call.isBackground) return next();
        await call.checkArguments();
        try {
          return await next();
        } finally {
          kept.records.push(call.record);
        }
      },
    }),
  };
}

let server: Server;
let kept: Kept;
const clients: TestClient[] = [];
beforeEach(() => lines.splice(0));
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.close();
});

async function open(
  more: Partial<ServerOptions> = {},
  as: TestCaller = { id: 'ada', scopes: ['send'] },
): Promise<TestClient> {
  kept = { services: undefined as never, records: [], calls: [] };
  server = createServer({
    name: 'post',
    version: '1.0.0',
    logger: false,
    features: [Post],
    extensions: [later(kept)],
    ...more,
  });
  return meet(as);
}

async function meet(as: TestCaller): Promise<TestClient> {
  const capabilities = { elicitation: { form: {} }, extensions: { [LATER]: {} } };
  const client = await connect(server, { revision: REVISION, capabilities, as });
  clients.push(client);
  return client;
}

/** A run, and what it asks, keeps and reports. */
interface Run {
  readonly call: BackgroundCall;
  readonly asked: LiveQuestion[];
  readonly kept: Record<string, unknown>;
  readonly progress: unknown[];
  answer(result: JsonObject): void;
}

function run(record: CallRecord): Run {
  const asked: LiveQuestion[] = [];
  const values: Record<string, unknown> = {};
  const progress: unknown[] = [];
  let answer: (result: JsonObject) => void = () => undefined;
  const call = kept.services.start(record, {
    id: 'later-1',
    countedFor: 'ada',
    ask: (question) => {
      asked.push(question);
      return new Promise((resolve) => (answer = resolve));
    },
    keep: (key, value) => void (values[key] = value),
    progress: (...reported) => void progress.push(reported),
  });
  return { call, asked, kept: values, progress, answer: (result) => answer(result) };
}

/** The first round of a call, which asks; and its record. */
async function recorded(client: TestClient): Promise<CallRecord> {
  await client.request('tools/call', { name: 'send', arguments: { name: 'Eve' } });
  return JSON.parse(JSON.stringify(kept.records.at(-1))) as CallRecord;
}

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise(setImmediate);
}

const text = (outcome: BackgroundOutcome): unknown =>
  outcome.kind === 'result' ? (outcome.result['content'] as JsonObject[])[0]?.['text'] : outcome;

describe('a recorded call', () => {
  it('is JSON, with the client, the caller and what is known so far, and without a token', async () => {
    const record = await recorded(await open());
    expect(record).toMatchObject({
      revision: REVISION,
      method: 'tools/call',
      params: { name: 'send', arguments: { name: 'Eve' } },
      meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } },
      caller: { id: 'ada', kind: 'user', scopes: ['send'], roles: [] },
      memory: { callId: expect.any(String) as unknown, answers: {}, kept: { stamp: { value: 'stamp of Eve' } } },
    });
  });

  it('runs through its steps without its request, asks another way, and keeps what it did before', async () => {
    const record = await recorded(await open());
    const again = run(record);
    await until(() => again.asked.length > 0);
    expect(again.asked).toMatchObject([
      { key: 'sure', label: 'elicitation/create "Send it to Eve?"', request: { method: 'elicitation/create' } },
    ]);
    again.answer({ action: 'accept', content: { ok: true } });
    expect(text(await again.call.outcome)).toBe('stamp of Eve: accept, ada');
    expect(again.progress).toEqual([[1, 2, 'half']]);
    expect(again.kept).toEqual({});
    expect(lines[0]).toBe(lines[1]);
    expect(kept.calls.at(-1)).toMatchObject({ isBackground: true, isNested: false });
  });

  it('is not asked again what its memory answers, and is told where a question has changed', async () => {
    const record = await recorded(await open());
    const first = run(record);
    await until(() => first.asked.length > 0);
    const { digest, label } = first.asked[0]!;
    first.call.suspend();
    expect(await first.call.outcome).toEqual({ kind: 'suspended' });
    const result = { action: 'decline' };
    const known = (said: string): CallRecord => ({
      ...record,
      memory: { ...record.memory, answers: { sure: { result, digest: said, label } } },
    });
    const second = run(known(digest));
    expect(text(await second.call.outcome)).toContain('decline');
    expect(second.asked).toEqual([]);
    const changed = await run(known('another question')).call.outcome;
    expect(changed).toMatchObject({ kind: 'result', result: { isError: true } });
  });

  it('has the rights of its caller, checked again', async () => {
    const record = await recorded(await open());
    const without = { ...record, caller: { ...record.caller, scopes: [] } };
    expect(await run(without).call.outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('send') as unknown },
    });
    const unknown = { ...record, params: { name: 'nothing', arguments: {} } };
    expect(await run(unknown).call.outcome).toMatchObject({ kind: 'error', error: { code: -32602 } });
    const malformed = { ...record, params: { name: 'send', arguments: { name: 7 } } };
    expect(JSON.stringify(await run(malformed).call.outcome)).toContain('Invalid arguments');
  });

  it('needs a revision that is served', async () => {
    const record = await recorded(await open());
    expect(await run({ ...record, revision: '2020-01-01' }).call.outcome).toMatchObject({
      kind: 'error',
      error: { code: -32603, message: expect.stringContaining('2020-01-01') as unknown },
    });
  });

  it('ends when it is cancelled, also while it waits', async () => {
    const record = await recorded(await open());
    const asking = run(record);
    await until(() => asking.asked.length > 0);
    asking.call.cancel(new Error('enough'));
    expect(await asking.call.outcome).toEqual({ kind: 'cancelled' });
    const waiting = run({ ...record, params: { name: 'wait', arguments: {} } });
    await until(() => lines.includes('waiting'));
    waiting.call.cancel(new Error('enough'));
    await until(() => lines.includes('aborted'));
    expect(await waiting.call.outcome).toEqual({ kind: 'cancelled' });
  });

  it('is waited for when the server closes, and then cancelled; the extension hears of the closing first', async () => {
    const clock = new ManualClock();
    const record = await recorded(await open({ clock, shutdownDeadline: 5000 }));
    const waiting = run({ ...record, params: { name: 'wait', arguments: {} } });
    await until(() => lines.includes('waiting'));
    let heard = false;
    kept.services.closing.addEventListener('abort', () => (heard = true));
    const closed = server.close();
    expect(heard).toBe(true);
    await clock.advance(4000);
    expect(lines).not.toContain('aborted');
    await clock.advance(2000);
    await closed;
    expect(await waiting.call.outcome).toEqual({ kind: 'cancelled' });
    expect(lines).toContain('aborted');
  });

  it('does not count against the limits of requests', async () => {
    const client = await open({ limits: { calls: 1, callsPerClient: 1 } });
    const record = await recorded(client);
    const runs = [1, 2, 3].map(() => run(record));
    await until(() => runs.every(({ asked }) => asked.length > 0));
    expect(await client.callTool('plain', { name: 'Eve' })).toMatchObject({ isError: false });
    for (const each of runs) each.call.cancel(new Error('enough'));
  });

  it('is seen by observers as a call of its own', async () => {
    const seen: unknown[] = [];
    const observer: Observer = {
      requestStarted: ({ id, method }) => {
        if (id === 'later-1') seen.push(method);
        return id === 'later-1' ? { ended: (outcome) => void seen.push(outcome.kind) } : undefined;
      },
    };
    const record = await recorded(await open({ observers: [observer] }));
    const again = run(record);
    await until(() => again.asked.length > 0);
    again.answer({ action: 'cancel' });
    await again.call.outcome;
    await until(() => seen.length > 1);
    expect(seen).toEqual(['tools/call', 'result']);
  });
});

describe('an extension', () => {
  it('checks the arguments of a call before it records it', async () => {
    const client = await open();
    const answer = await client
      .request('tools/call', { name: 'plain', arguments: { name: 7 } })
      .catch((error: Error) => error.message);
    expect(JSON.stringify(answer)).toContain('Invalid arguments');
    expect(kept.records).toEqual([]);
  });

  it('checks the rights to an entry that a request turns out to be about, and records calls of tools only', async () => {
    await open();
    const less = await meet({ id: 'ada', scopes: [] });
    await expect(less.request('later/record', { tool: 'send' })).rejects.toThrow('send');
    await expect(less.request('later/record', { tool: 'plain' })).rejects.toMatchObject({ code: -32603 });
  });

  it('seals texts for itself, with the secrets of the server', async () => {
    await open({ requestState: { secrets: ['a secret that all instances of this server share'] } });
    const { services } = kept;
    expect([services.hasSecrets, services.hasStores]).toEqual([true, false]);
    const sealed = services.seal('letters').seal('a letter');
    expect(services.seal('letters').open(sealed)).toBe('a letter');
    expect(services.seal('parcels').open(sealed)).toBeUndefined();
    expect(services.seal('letters').open(`${sealed}x`)).toBeUndefined();
  });

  it('may end a run by a suspension of its own', () => {
    expect(new Suspension('a place')).toBeInstanceOf(Error);
  });
});
