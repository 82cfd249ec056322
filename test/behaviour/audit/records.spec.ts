/** One record for each decision, in every revision. */
import { audit as auditOf, stdoutSink } from '@sigil-mcp/audit';
import { RateLimit } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { connect } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { until } from '../../support/until';
import { bank, SECRETS } from './fixtures/bank';
import { RecordedAudit, SECRET } from './recorded-audit';

const PAYMENT = { amount: 3, iban: 'NO9386011117947' };

eachRevision('says who called what, and how it was decided', async ({ connect: open, revision }) => {
  const audit = new RecordedAudit();
  const server = bank({ observers: [audit.observer] });
  const client = await open(server, {
    as: { id: 'ada', issuer: 'https://id.example', scopes: ['pay'], roles: ['clerk'] },
  });
  await client.callTool('pay', PAYMENT);
  expect(audit.last('tools/call')).toEqual({
    version: 1,
    kind: 'request',
    id: expect.stringMatching(/^[\w-]{12}\.\d+$/) as string,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    caller: { id: 'ada', kind: 'user', issuer: 'https://id.example', scopes: ['pay'], roles: ['clerk'] },
    client: { name: 'sigil-testing', version: '1.0.0' },
    transport: 'memory',
    revision,
    method: 'tools/call',
    entry: { kind: 'tool', key: 'pay' },
    arguments: expect.stringMatching(/^[\w-]{43}$/) as string,
    guards: [{ name: 'Clerks', verdict: 'allowed' }],
    outcome: 'result',
    ms: expect.any(Number) as number,
  });
  await client.callTool('transfer', PAYMENT);
  expect(audit.last('tools/call')).toMatchObject({
    entry: { kind: 'tool', key: 'pay', alias: 'transfer' },
    guards: [{ name: 'Clerks', verdict: 'allowed' }],
    outcome: 'result',
  });
  await client.callTool('vault').catch(() => undefined);
  expect(audit.last('tools/call')).toMatchObject({
    entry: { kind: 'tool', key: 'vault' },
    guards: [
      { name: 'Clerks', verdict: 'allowed' },
      { name: 'Closed', verdict: 'denied', reason: 'invalid-request', status: 403 },
    ],
    outcome: 'denied',
    code: -32600,
  });
  await client.callTool('hidden').catch(() => undefined);
  expect(audit.last('tools/call')).toMatchObject({
    entry: { key: 'hidden' },
    guards: [{ name: 'Hidden', verdict: 'refused' }],
    outcome: 'denied',
    code: -32602,
  });
  await client.callTool('fail');
  expect(audit.last('tools/call')).toMatchObject({ entry: { key: 'fail' }, outcome: 'tool_error' });
  await client.callTool('breaks').catch(() => undefined);
  expect(['tool_error', 'error']).toContain(audit.last('tools/call').outcome);
  await client.readResource('bank://accounts/NO9386011117947');
  expect(audit.last('resources/read')).toMatchObject({
    entry: { kind: 'resource-template', key: 'bank://accounts/{iban}' },
    outcome: 'result',
  });
  await client.getPrompt('greet');
  expect(audit.last('prompts/get')).toMatchObject({ entry: { kind: 'prompt', key: 'greet' }, outcome: 'result' });
  for (const secret of SECRETS) expect(audit.lines.join('\n')).not.toContain(secret);
  await server.close();
});

eachRevision(
  'marks what the server does not have, without the name that a client made up',
  async ({ connect: open }) => {
    const audit = new RecordedAudit();
    const client = await open(bank({ observers: [audit.observer] }));
    await client.callTool('made-up').catch(() => undefined);
    expect(audit.last('tools/call')).toMatchObject({ entry: null, outcome: 'error', code: -32602 });
    await client.request('tools/call', { name: 7 }).catch(() => undefined);
    expect(audit.last('tools/call')).toMatchObject({ entry: null, outcome: 'error', code: -32602 });
    await client.request('made-up/too').catch(() => undefined);
    expect(audit.last(null)).toMatchObject({ outcome: 'error', code: -32601 });
    expect(audit.lines.join('\n')).not.toContain('made-up');
  },
);

eachRevision('records each request once, and lists only if wanted', async ({ connect: open }) => {
  const [few, many] = [new RecordedAudit(), new RecordedAudit({ lists: true })];
  const server = bank({ observers: [few.observer, many.observer] });
  const client = await open(server);
  const before = few.all.length;
  await client.listTools();
  for (let count = 0; count < 3; count += 1) await client.callTool('who');
  await client.request('tools/list', { cursor: 'made up' }).catch(() => undefined);
  await server.close();
  expect(few.all.slice(before).map((record) => ('method' in record ? record.method : record.kind))).toEqual([
    ...['tools/call', 'tools/call', 'tools/call', 'tools/list', 'stopped'],
  ]);
  expect(many.of('tools/list')).toHaveLength(2);
  expect(many.of('ping')).toHaveLength(0);
  const ids = many.all.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

eachRevision(
  'says how questions ended, and links the requests of one call',
  async ({ connect: open, revision }) => {
    const audit = new RecordedAudit();
    const actions = ['accept', 'decline'];
    const server = bank({ observers: [audit.observer] });
    const client = await open(server, {
      answers: () => ({ action: actions.shift() ?? 'cancel', content: { sure: true } }),
    });
    expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'accept decline' }] });
    const [first, ...others] = audit.of('tools/call');
    const kind = 'elicitation/create';
    const last = others.at(-1) ?? first;
    const outcomes = (last?.questions ?? []).map((question) => [question.kind, question.outcome]);
    expect(outcomes).toEqual([
      [kind, 'accept'],
      [kind, 'decline'],
    ]);
    if (revision === '2026-07-28') {
      expect(first).toMatchObject({ outcome: 'question', questions: [{ kind, outcome: 'pending' }] });
      expect(others.map((record) => [record.first, record.round, record.outcome])).toEqual([
        [first?.id, 2, 'question'],
        [first?.id, 3, 'result'],
      ]);
      expect(others.map((record) => record.arguments)).toEqual([first?.arguments, first?.arguments]);
    } else expect(others).toEqual([]);
    await server.close();
  },
  { since: '2025-06-18' },
);

eachRevision('records cancelled requests, and refusals by limits with their name', async ({ connect: open }) => {
  const audit = new RecordedAudit();
  const server = bank({
    observers: [audit.observer],
    limits: { callsPerClient: 1 },
  });
  const client = await open(server);
  const { id, result } = client.start('tools/call', { name: 'wait', arguments: {} });
  await client.callTool('who').catch(() => undefined);
  expect(audit.last('tools/call')).toMatchObject({ outcome: 'denied', limit: 'limits.callsPerClient' });
  client.cancel(id);
  await result.catch(() => undefined);
  await until(() => audit.last('tools/call').outcome === 'cancelled');
  expect(audit.last('tools/call')).toMatchObject({ entry: { key: 'wait' }, outcome: 'cancelled' });
  await server.close();
  const limited = bank({ observers: [audit.observer], guards: [RateLimit({ calls: 1, per: 'hour', name: 'calls' })] });
  const other = await open(limited, { as: 'ada' });
  await other.callTool('who');
  await other.callTool('who').catch(() => undefined);
  expect(audit.last('tools/call')).toMatchObject({ outcome: 'denied', guards: [{}, { verdict: 'denied' }] });
  await limited.close();
});

it('compares arguments without showing them', async () => {
  const audit = new RecordedAudit();
  const server = bank({ observers: [audit.observer] });
  const client = await connect(server);
  const digestOf = async (args: object): Promise<string | undefined> => {
    await client.callTool('pay', args as Record<string, never>).catch(() => undefined);
    return audit.last('tools/call').arguments;
  };
  const digest = await digestOf(PAYMENT);
  expect(await digestOf({ iban: PAYMENT.iban, amount: 3 })).toBe(digest);
  expect(await digestOf({ ...PAYMENT, amount: 4 })).not.toBe(digest);
  const other = new RecordedAudit({ secret: 't'.repeat(32) });
  const another = bank({ observers: [other.observer] });
  await (await connect(another)).callTool('pay', PAYMENT);
  expect(other.last('tools/call').arguments).not.toBe(digest);
  await Promise.all([server.close(), another.close()]);
});

it('bounds what clients say of themselves, and shows no control character', async () => {
  const audit = new RecordedAudit();
  const server = bank({ observers: [audit.observer] });
  const name = `evil\n\u001b[2J\u202e\u0085${'x'.repeat(10_000)}`;
  const client = await connect(server, {
    as: { id: 'ada\u2028', kind: 'user' },
    clientInfo: { name, version: '\u0007' },
  });
  await client.callTool('who');
  const line = audit.lines.find((one) => one.includes('tools/call')) ?? '';
  expect(line.length).toBeLessThan(1500);
  // eslint-disable-next-line no-control-regex -- there is none
  expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
  expect(audit.last('tools/call').client?.name).toBe(`${name.slice(0, 200)}…`);
  await server.close();
});

it('records scopes of up to a thousand characters by their names', async () => {
  const audit = new RecordedAudit();
  const server = bank({ observers: [audit.observer] });
  const last = 1000 - JSON.stringify([...Array<string>(4).fill('x'.repeat(200)), '']).length;
  for (const [more, expected] of [
    [0, expect.any(Array)],
    [1, { count: 5, digest: expect.any(String) }],
  ] as const) {
    const scopes = [...Array.from('abcd', (letter) => letter.repeat(200)), 'e'.repeat(last + more)];
    await (await connect(server, { as: { id: 'ada', scopes } })).callTool('who');
    expect(audit.last('tools/call').caller?.scopes).toEqual(expected);
  }
  await server.close();
});

it('records many scopes as a digest, and the tenant that the author finds', async () => {
  const scopes = Array.from({ length: 500 }, (_, index) => `scope:${index}`);
  const audit = new RecordedAudit({ tenant: ({ claims }) => claims['tenant'] as string });
  const server = bank({ observers: [audit.observer] });
  const client = await connect(server, { as: { id: 'ada', scopes, claims: { tenant: 'acme' } } });
  await client.callTool('who');
  expect(audit.last('tools/call').caller).toEqual({
    id: 'ada',
    kind: 'user',
    tenant: 'acme',
    scopes: { count: 500, digest: expect.any(String) as string },
  });
  const broken = new RecordedAudit({
    tenant: () => {
      throw new Error('No tenant.');
    },
  });
  const other = bank({ observers: [broken.observer] });
  await (await connect(other, { as: 'ada' })).callTool('who');
  expect(broken.last('tools/call').caller).toEqual({ id: 'ada', kind: 'user' });
  await Promise.all([server.close(), other.close()]);
});

it('begins with the start of the server and ends with its stop', async () => {
  const audit = new RecordedAudit();
  const server = bank({ observers: [audit.observer] });
  await (await connect(server)).close();
  await server.close();
  expect(audit.all[0]).toMatchObject({
    kind: 'started',
    server: { name: 'bank', version: '1.0.0' },
    sink: 'custom',
    key: expect.stringMatching(/^[\w-]{8}$/) as string,
  });
  expect(audit.all.at(-1)?.kind).toBe('stopped');
});

it('serves several servers, and stops with the last', async () => {
  const audit = new RecordedAudit();
  const [one, other] = [bank({ observers: [audit.observer] }), bank({ observers: [audit.observer] })];
  const [first, second] = [await connect(one), await connect(other)];
  await first.callTool('who');
  await one.close();
  await second.callTool('who');
  await other.close();
  expect(audit.of('tools/call')).toHaveLength(2);
  expect(audit.all.map(({ kind }) => kind).filter((kind) => kind !== 'request')).toEqual(['started', 'stopped']);
});

it('does not start over stdio with records on stdout', async () => {
  const write = jest.spyOn(process.stdout, 'write');
  const server = bank({ observers: [auditOf({ sink: stdoutSink(), secret: SECRET })] });
  await expect(server.listen(new StdioTransport({ exit: false }))).rejects.toMatchObject({
    code: 'SIGIL_AUDIT_STDOUT',
  });
  await server.close();
  expect(write).not.toHaveBeenCalled();
  write.mockRestore();
});
