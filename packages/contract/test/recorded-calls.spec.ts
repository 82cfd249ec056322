/** Recorded calls: what is in them, what is never in them, and what has changed when they run again. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_REVISIONS } from '@sigil-mcp/protocol';
import { createServer, Feature, Prompt, Resource, Sensitive, SilentLogger, Tool, ToolFailure } from '@sigil-mcp/core';
import {
  compareAnswers,
  readRecordedCall,
  recordCalls,
  type AnswerVerdict,
  type RecordCallsOptions,
  type RecordedCall,
} from '@sigil-mcp/contract/recording';
import { connect } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { CallFile } from '../src/recording/record-calls';

class Login {
  @IsString() user!: string;
  @Sensitive() @IsString() password!: string;
}
class Session {
  @IsString() user!: string;
  @Sensitive() @IsString() token!: string;
}

class Key {
  @Sensitive() @IsString() password!: string;
}

@Feature()
class Logins {
  @Tool('Signs in', { output: Session })
  signIn({ user, password }: Login): Session {
    return { user, token: `token for ${password}` };
  }
  @Tool('Says hello') hello(): string {
    return 'hello';
  }
  @Tool('Says much') much(): string {
    return 'x'.repeat(70_000);
  }
  @Tool('Fails') fail(): never {
    throw new ToolFailure('no');
  }
  @Resource('shop://hours') hours(): string {
    return '9 to 5';
  }
  @Resource('vault://{password}') vault({ password }: Key): string {
    return `the vault of ${password}`;
  }
  @Prompt('Repeats') repeat({ password }: Key): string {
    return password;
  }
  @Tool('Repeats') again({ password }: Key): string {
    return password;
  }
  @Prompt('Greets') greet(): string {
    return 'Greet me';
  }
}

async function recorded(
  work: (client: Awaited<ReturnType<typeof connect>>) => Promise<unknown>,
  options: Partial<RecordCallsOptions> = {},
  revision?: string,
): Promise<RecordedCall[]> {
  const calls: RecordedCall[] = [];
  const observers = [recordCalls({ to: (call) => void calls.push(call), ...options })];
  const server = createServer({ name: 'shop', version: '1.0.0', logger: false, features: [Logins], observers });
  const client = await connect(server, revision === undefined ? {} : { revision });
  try {
    await work(client);
  } finally {
    await client.close();
    await server.close();
  }
  return calls;
}

describe.each(ALL_REVISIONS.map(({ version }) => version))('calls on %s', (revision) => {
  it('are recorded with their arguments and results, but without what is sensitive', async () => {
    const calls = await recorded(
      async (client) => {
        await client.request('tools/call', { name: 'signIn', arguments: { user: 'ada', password: 'secret' } });
        await client.request('tools/call', { name: 'fail', arguments: {} });
        await client.request('tools/call', { name: 'nothing', arguments: {} }).catch(() => undefined);
        await client.readResource('shop://hours');
        await client.request('prompts/get', { name: 'greet' });
      },
      {},
      revision,
    );
    expect(JSON.stringify(calls)).not.toContain('secret');
    const repeating = await recorded(
      async (client) => {
        await client.readResource('vault://secret');
        await client.request('prompts/get', { name: 'repeat', arguments: { password: 'secret' } });
        await client.request('tools/call', { name: 'again', arguments: { password: 'secret' } });
      },
      {},
      revision,
    );
    expect(repeating).toHaveLength(3);
    expect(JSON.stringify(repeating)).not.toContain('secret');
    expect(calls).toMatchObject([
      {
        v: 1,
        revision,
        method: 'tools/call',
        entry: 'signIn',
        params: { name: 'signIn', arguments: { user: 'ada', password: '[sensitive]' } },
        isRedacted: true,
        outcome: 'result',
        result: { user: 'ada', token: '[sensitive]' },
      },
      { entry: 'fail', outcome: 'failed' },
      { method: 'resources/read', entry: 'shop://hours', params: { uri: 'shop://hours' }, outcome: 'result' },
      { method: 'prompts/get', entry: 'greet', outcome: 'result', result: [{ role: 'user' }] },
    ]);
    for (const call of calls) expect(readRecordedCall(JSON.stringify(call))).toEqual(call);
  });
});

describe('recordCalls', () => {
  it('leaves out results that are too long, all results, or all but a share of calls, as it is told', async () => {
    const hello = (client: Awaited<ReturnType<typeof connect>>) =>
      client.request('tools/call', { name: 'hello', arguments: {} });
    const [much] = await recorded((client) => client.request('tools/call', { name: 'much', arguments: {} }));
    expect(much).toMatchObject({ outcome: 'result' });
    expect(much).not.toHaveProperty('result');
    expect((await recorded(hello, { results: false }))[0]).not.toHaveProperty('result');
    expect(await recorded(hello, { share: 0 })).toEqual([]);
    expect(await recorded(hello, { share: 1 })).toHaveLength(1);
  });

  it('appends to a file, up to a size, and lets nobody else read it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sigil-recorded-'));
    const to = join(folder, 'calls.jsonl');
    writeFileSync(to, '');
    chmodSync(to, 0o644);
    const hello = async (client: Awaited<ReturnType<typeof connect>>): Promise<void> => {
      for (let call = 0; call < 3; call += 1) await client.request('tools/call', { name: 'hello', arguments: {} });
    };
    await recorded(hello, { to });
    await recorded(hello, { to });
    if (process.platform !== 'win32') expect(statSync(to).mode & 0o777).toBe(0o600);
    const text = readFileSync(to, 'utf8');
    expect(text.trim().split('\n')).toHaveLength(6);
    await recorded(hello, { to, maxBytes: text.length + 10 });
    expect(readFileSync(to, 'utf8')).toBe(text);
    await expect(recorded(hello, { to: join(folder, 'no', 'folder') })).resolves.toEqual([]);
    expect(existsSync(join(folder, 'no'))).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it('fills a file to its last byte, and leaves out what is longer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sigil-recorded-'));
    const path = join(folder, 'calls.jsonl');
    const file = new CallFile(path, 'three\n'.length * 2, new SilentLogger());
    expect(['three', 'three', ''].map((line) => file.add(line))).toEqual([true, true, false]);
    await file.close();
    expect(readFileSync(path, 'utf8')).toBe('three\nthree\n');
    rmSync(folder, { recursive: true });
  });

  it.each([
    [{ to: '' }],
    [{ to: 7 }],
    [{}],
    [{ to: 'a', share: 2 }],
    [{ to: 'a', share: Number.NaN }],
    [{ to: 'a', results: 'yes' }],
    [{ to: 'a', maxBytes: 0 }],
  ])('refuses %j', (options) => {
    expect(() => recordCalls(options as RecordCallsOptions)).toThrow('SIGIL_OPTION_KIND');
  });
});

const CALL: RecordedCall = {
  v: 1,
  time: '2026-01-01T00:00:00.000Z',
  revision: '2025-11-25',
  method: 'tools/call',
  entry: 'a',
  params: {},
  outcome: 'result',
  caller: { kind: 'anonymous', scopes: [], roles: [] },
  duration: 1,
};
const result = (structuredContent: unknown): { kind: 'result'; result: object } => ({
  kind: 'result',
  result: { content: [], structuredContent, isError: false },
});
const failed = { kind: 'result', result: { content: [{ type: 'text', text: 'no' }], isError: true } } as const;

describe('an answer', () => {
  it.each<[string, Partial<RecordedCall>, Parameters<typeof compareAnswers>[1], AnswerVerdict, readonly string[]]>([
    ['is the same', { result: { a: [1, { b: null }] } }, result({ a: [1, { b: null }] }), 'same', []],
    ['has more members', { result: { a: 1 } }, result({ a: 1, b: 2 }), 'same', []],
    ['hides what is sensitive', { result: { a: '[sensitive]' } }, result({ a: 7 }), 'same', []],
    ['was not recorded', {}, result({ a: 1 }), 'same', []],
    ['lacks a member', { result: { 'a/b': 1, c: 2 } }, result({ c: 3 }), 'shape', ['/a~1b is missing']],
    ['has another type', { result: { a: 1 } }, result({ a: '1' }), 'shape', ['/a was a number, and is a string']],
    ['is null', { result: { a: [] } }, result({ a: null }), 'shape', ['/a was a list, and is null']],
    ['has other values', { result: { a: [1, 2] } }, result({ a: [1, 3] }), 'values', ['/a/1 was 2, and is 3']],
    ['has fewer items', { result: [1, 2] }, result([1]), 'values', ['/ had 2 items, and has 1']],
    ['fails', { result: 1 }, failed, 'fails', ['no']],
    ['is an error', {}, { kind: 'error', code: -32602, message: 'Unknown' }, 'fails', ['-32602: Unknown']],
    ['failed, and fails', { outcome: 'failed' }, failed, 'same', []],
    ['failed, and is an error', { outcome: 'failed' }, { kind: 'error', code: 1, message: '' }, 'same', []],
    ['was an error, and works', { outcome: 'error', code: 1 }, result(1), 'works', []],
  ])('that %s', (_, before, now, verdict, details) => {
    expect(compareAnswers({ ...CALL, ...before }, now)).toEqual({ verdict, details });
  });

  it('with very many differences names ten', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`m${index}`, index]));
    expect(compareAnswers({ ...CALL, result: many }, result({})).details).toHaveLength(10);
  });

  it.each([
    '',
    'x',
    '{}',
    'null',
    '[]',
    '{"v":2}',
    '{"v":1,"method":"tools/call","entry":"a","params":null,"outcome":"result"}',
    '{"v":1,"method":"tools/call","entry":"a","params":[],"outcome":"result"}',
    '{"v":1,"method":"ping","entry":"a","params":{},"outcome":"result"}',
  ])('is not read from %j', (line) => {
    expect(readRecordedCall(line)).toBeUndefined();
  });
});
