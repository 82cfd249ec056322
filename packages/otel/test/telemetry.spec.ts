/** Spans and metrics of a server, in every revision and over the transports. */
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import * as CONVENTIONS from '@opentelemetry/semantic-conventions/incubating';
import {
  createServer,
  Denial,
  Feature,
  McpContext,
  Prompt,
  Resource,
  Tool,
  ToolFailure,
  UseGuards,
  type Guard,
  type Server,
} from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { measureEventLoop, telemetry, tracedLogger } from '@sigil-mcp/otel';
import { connect } from '@sigil-mcp/testing';
import { eachRevision } from '../../../test/support/each-revision';
import { IsBoolean, IsInt } from 'class-validator';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { serve } from '../../../test/behaviour/http/http-server';
import { until } from '../../../test/support/until';
import { ATTRIBUTES, METRICS, OWN, OWN_METRICS } from '../src/conventions';
import { Recorded, parentOf } from '../../../test/support/recorded-telemetry';

class Amount {
  @IsInt() amount!: number;
}
class Yes {
  @IsBoolean() yes!: boolean;
}
class Closed implements Guard {
  allows(): Denial {
    return new Denial('Closed.');
  }
}

@Feature()
class Bank {
  @Tool('Pays', { replaces: ['transfer'] }) pay({ amount }: Amount): string {
    trace.getTracer('bank').startSpan('database').end();
    return `Paid ${amount}`;
  }
  @Tool('Fails') fail(): never {
    throw new ToolFailure('No money.');
  }
  @Tool('Breaks') breaks(): never {
    throw new Error('secret reason');
  }
  @Tool('Is closed') @UseGuards(Closed) closed(): void {}
  @Tool('Asks twice') async ask(context: McpContext): Promise<string> {
    const one = await context.elicit(Yes, 'Sure?');
    const other = await context.elicit(Yes, 'Really?');
    return `${one.action} ${other.action}`;
  }
  @Tool('Logs') logs(context: McpContext): string {
    context.log.info('paid');
    return 'logged';
  }
  @Prompt('Greets') greet(): string {
    return 'Hello';
  }
  @Resource('bank://rates') rates(): string {
    return '1.5';
  }
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const FROM_CLIENT = { traceparent: `00-${TRACE}-${SPAN}-01` };
const yes = { answers: () => ({ action: 'accept', content: { yes: true } }) };

const recorded = new Recorded();
afterEach(() => recorded.reset());
afterAll(() => recorded.close());

const serverOf = (options: object = {}, more: object = {}): Server =>
  createServer({
    name: 'bank',
    version: '1.0.0',
    features: [Bank],
    logger: false,
    observers: [telemetry(options)],
    requestState: { secrets: ['x'.repeat(40)] },
    ...more,
  });

eachRevision('name each request and its outcome after the conventions', async ({ connect: open, revision }) => {
  const client = await open(serverOf());
  await client.callTool('pay', { amount: 3 });
  const paid = recorded.span('tools/call pay');
  expect(paid.kind).toBe(SpanKind.SERVER);
  expect(paid.attributes).toEqual({
    'mcp.method.name': 'tools/call',
    'mcp.protocol.version': revision,
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'pay',
    'jsonrpc.request.id': expect.any(String) as string,
  });
  expect(paid.status.code).toBe(SpanStatusCode.UNSET);
  expect(recorded.span('database').parentSpanContext?.spanId).toBe(paid.spanContext().spanId);

  await client.callTool('transfer', { amount: 3 });
  expect(recorded.span('tools/call pay').attributes).toMatchObject({
    'gen_ai.tool.name': 'pay',
    'sigil.tool.alias': 'transfer',
  });
  const durations = await recorded.points('mcp.server.operation.duration');
  const byAlias = durations.filter(({ attributes }) => attributes['mcp.protocol.version'] === revision);
  expect(byAlias.map(({ attributes }) => attributes['sigil.tool.alias'])).toContain('transfer');

  await client.callTool('fail');
  expect(recorded.span('tools/call fail')).toMatchObject({
    attributes: { 'error.type': 'tool_error' },
    status: { code: SpanStatusCode.ERROR },
  });
  await client.callTool('breaks').catch(() => undefined);
  expect(JSON.stringify(recorded.span('tools/call breaks').attributes)).not.toContain('secret');
  await client.callTool('closed').catch(() => undefined);
  expect(recorded.span('tools/call closed')).toMatchObject({
    attributes: { 'error.type': '-32600', 'rpc.response.status_code': '-32600' },
    status: { code: SpanStatusCode.UNSET },
    events: [{ name: 'sigil.guard', attributes: { 'sigil.guard': 'Closed', 'sigil.verdict': 'denied' } }],
  });
  await client.readResource('none://such').catch(() => undefined);
  expect(recorded.span('resources/read')).toMatchObject({
    attributes: { 'error.type': revision < '2026' ? '-32002' : '-32602' },
    status: { code: SpanStatusCode.UNSET },
  });
  expect(recorded.span('tools/call breaks').status.code).toBe(SpanStatusCode.ERROR);
  await client.request('no/such').catch(() => undefined);
  expect(recorded.span('_OTHER').attributes).toMatchObject({ 'mcp.method.name': 'no/such', 'error.type': '-32601' });
  await client.getPrompt('greet');
  expect(recorded.span('prompts/get greet').attributes).toMatchObject({ 'gen_ai.prompt.name': 'greet' });
  await client.readResource('bank://rates');
  expect(recorded.span('resources/read').attributes).not.toHaveProperty(['mcp.resource.uri']);
});

eachRevision(
  'are one trace for all rounds of a call that asks, with what the client is told',
  async ({ connect: open, revision }) => {
    const told: unknown[] = [];
    const client = await open(serverOf(), {
      answers: ({ params }) => (told.push(params['_meta']), { action: 'accept', content: { yes: true } }),
    });
    expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'accept accept' }] });
    const calls = recorded.spans.filter(({ name }) => name === 'tools/call ask');
    const [first] = calls;
    const { traceId, spanId } = first!.spanContext();
    if (revision === '2026-07-28') {
      expect(calls.map((span) => span.events.map(({ name }) => name))).toEqual([
        ['mcp.input_required'],
        ['mcp.input_required'],
        [],
      ]);
      expect(calls.slice(1).map(parentOf)).toEqual(Array(2).fill({ traceId, parent: spanId }));
    } else {
      const questions = recorded.spans.filter(({ name }) => name === 'elicitation/create');
      expect(questions.map(parentOf)).toEqual(Array(2).fill({ traceId, parent: spanId }));
      expect(questions.map(({ kind }) => kind)).toEqual([SpanKind.CLIENT, SpanKind.CLIENT]);
      // [BASE-037]
      expect(told).toEqual(questions.map((span) => ({ traceparent: `00-${traceId}-${span.spanContext().spanId}-01` })));
    }
  },
  { since: '2025-06-18' },
);

it('are one trace for all rounds, whatever the propagator of the program', async () => {
  propagation.disable();
  const client = await connect(serverOf(), { revision: '2026-07-28', ...yes });
  await client.callTool('ask');
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const traces = recorded.spans.filter(({ name }) => name === 'tools/call ask').map((span) => parentOf(span).traceId);
  expect([traces.length, new Set(traces).size]).toEqual([3, 1]);
});

it('write trace context into _meta in the format of W3C [BASE-037]', async () => {
  const told: { traceparent?: string }[] = [];
  const client = await connect(serverOf(), {
    revision: '2025-11-25',
    answers: ({ params }) => (told.push(params['_meta'] as object), { action: 'decline' }),
  });
  await client.callTool('ask');
  expect(told).toHaveLength(2);
  for (const { traceparent } of told)
    expect(traceparent).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/);
});

eachRevision('are below the span that the client names in _meta', async ({ connect: open }) => {
  const client = await open(serverOf());
  await client.request('tools/call', { name: 'pay', arguments: { amount: 1 }, _meta: FROM_CLIENT });
  expect(parentOf(recorded.span('tools/call pay'))).toEqual({ traceId: TRACE, parent: SPAN });
  for (const traceparent of ['junk', 7, null, `00-${'0'.repeat(32)}-${SPAN}-01`, 'x'.repeat(100_000)]) {
    await client
      .request('tools/call', { name: 'pay', arguments: { amount: 1 }, _meta: { traceparent } })
      .catch(() => 0);
    expect(recorded.span('tools/call pay').parentSpanContext).toBeUndefined();
  }
});

it('are linked with the span around the server, if the client names another one', async () => {
  const server = serverOf();
  const client = await connect(server);
  const outer = trace.getTracer('program').startSpan('program');
  await context.with(trace.setSpan(context.active(), outer), async () => {
    await client.callTool('pay', { amount: 1 });
    expect(parentOf(recorded.span('tools/call pay')).parent).toBe(outer.spanContext().spanId);
    await client.request('tools/call', { name: 'pay', arguments: { amount: 1 }, _meta: FROM_CLIENT });
  });
  expect(recorded.span('tools/call pay')).toMatchObject({
    links: [{ context: { spanId: outer.spanContext().spanId } }],
  });
});

it('see connections: HTTP with its session and its headers, and a pipe', async () => {
  const open = await serve({ features: [Bank], observers: [telemetry({ addresses: true })] });
  const session = await open.initialize();
  const call = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'pay', arguments: { amount: 1 } } };
  await open.post(call, { ...session, ...FROM_CLIENT });
  const paid = recorded.span('tools/call pay');
  expect(paid.attributes).toMatchObject({
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'mcp.session.id': expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    'client.address': '127.0.0.1',
    'jsonrpc.request.id': 'x',
  });
  expect(JSON.stringify(paid.attributes)).not.toContain(session['mcp-session-id']);
  expect(parentOf(paid)).toEqual({ traceId: TRACE, parent: SPAN });
  await open.post(call, { ...session, origin: 'https://evil.example' });
  expect(recorded.span('_OTHER').attributes).toMatchObject({ 'http.response.status_code': 403 });
  await open.post('{"jsonrpc":', session);
  const unread = recorded.spans.filter(({ attributes }) => attributes['error.type'] === '-32700');
  expect(unread).toHaveLength(1);
  await open.close();

  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = serverOf();
  await server.listen(new StdioTransport({ input, output }));
  input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await once(output, 'data');
  expect(recorded.span('ping').attributes).toMatchObject({ 'network.transport': 'pipe' });
  input.write('{"jsonrpc":\n');
  await until(() => recorded.spans.some(({ attributes }) => attributes['error.type'] === '-32700'));
  await server.close();
});

it('see cancelled requests and notifications', async () => {
  const client = await connect(serverOf(), { revision: '2025-11-25' });
  client.notify('notifications/made/up', {});
  client.notify('notifications/roots/list_changed', { _meta: FROM_CLIENT });
  await client.callTool('pay', { amount: 1 });
  expect(recorded.span('_OTHER').attributes).toMatchObject({ 'mcp.method.name': '_OTHER' });
  expect(parentOf(recorded.span('notifications/roots/list_changed'))).toEqual({ traceId: TRACE, parent: SPAN });
});

it('measure requests with names that exist, and with no value of a client', async () => {
  const client = await connect(serverOf());
  await client.callTool('pay', { amount: 1 });
  for (let index = 0; index < 20; index += 1) {
    await client.callTool(`made-up-${index}`).catch(() => undefined);
    await client.request(`made/up/${index}`).catch(() => undefined);
  }
  const points = await recorded.points(METRICS.requests);
  expect(JSON.stringify(points.map(({ attributes }) => attributes))).not.toContain('up');
  const paid = points.find(({ attributes }) => attributes[ATTRIBUTES.tool] === 'pay');
  expect(paid?.value).toMatchObject({
    count: expect.any(Number) as number,
    buckets: { boundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] },
  });
  expect(await recorded.points(OWN_METRICS.running)).toMatchObject([{ value: 0 }]);
  const names = await recorded.metricNames();
  for (const name of [...Object.values(METRICS).slice(0, 1), OWN_METRICS.running, OWN_METRICS.refusals])
    expect(names).toContain(name);
});

it('measure the event loop once for the process, until that is stopped', async () => {
  const stop = measureEventLoop();
  const points = await recorded.points(OWN_METRICS.eventLoop);
  expect(points.map(({ attributes }) => attributes[OWN.statistic])).toEqual(['p99', 'max']);
  stop();
});

it('measure sessions, questions and refusals', async () => {
  const server = serverOf();
  const open = async (): Promise<unknown> =>
    (await recorded.points(OWN_METRICS.sessions)).find(
      ({ attributes }) => attributes['mcp.protocol.version'] === '2025-11-25',
    )?.value ?? 0;
  const before = await open();
  const client = await connect(server, { revision: '2025-11-25', ...yes });
  await client.callTool('ask');
  expect(await open()).toBe(Number(before) + 1);
  client.send('{"jsonrpc":');
  await client.callTool('pay', { amount: 1 });
  await client.close();
  await server.close();
  expect(await open()).toBe(before);
  expect(await recorded.points(METRICS.questions)).toMatchObject([
    { attributes: { 'mcp.method.name': 'elicitation/create' } },
  ]);
  expect((await recorded.points(METRICS.sessions)).length).toBeGreaterThan(0);
  const refusals = await recorded.points(OWN_METRICS.refusals);
  expect(refusals.map(({ attributes }) => attributes)).toContainEqual({
    'rpc.response.status_code': '-32700',
    'sigil.limit': 'none',
  });
});

it('have the attributes that Sentry shows, when they are asked for', async () => {
  const client = await connect(serverOf({ sentry: true }));
  await client.callTool('pay', { amount: 1 });
  expect(recorded.span('tools/call pay').attributes).toMatchObject({
    'sentry.op': 'mcp.server',
    'mcp.tool.name': 'pay',
  });
});

it('show URIs of resources as far as they may be shown', async () => {
  const client = await connect(serverOf({ resourceUri: (uri: string) => uri.split(':')[0] }));
  await client.readResource('bank://rates');
  expect(recorded.span('resources/read').attributes).toMatchObject({ 'mcp.resource.uri': 'bank' });
});

it('write the ids of the span into log lines', async () => {
  const lines: object[] = [];
  const log = (fields: object): void => void lines.push(fields);
  const logger = tracedLogger({ debug: log, info: log, warn: log, error: log });
  const client = await connect(serverOf({}, { logger }));
  await client.callTool('logs');
  const { traceId, spanId } = recorded.span('tools/call logs').spanContext();
  expect(lines).toContainEqual(expect.objectContaining({ trace_id: traceId, span_id: spanId }));
});

it('make no spans or no metrics where they are not wanted', async () => {
  const client = await connect(serverOf({ tracer: false }));
  await client.callTool('pay', { amount: 1 });
  expect(recorded.spans.map(({ name }) => name)).toEqual(['database']);
  const other = await connect(serverOf({ meter: false }));
  await other.callTool('pay', { amount: 1 });
  expect(recorded.span('tools/call pay')).toBeDefined();
});

it('do nothing where neither is wanted', () => {
  expect(telemetry({ tracer: false, meter: false })).toEqual({ name: 'opentelemetry' });
});

it('use names that the released conventions know', () => {
  const released = new Set(Object.values(CONVENTIONS).filter((value) => typeof value === 'string'));
  const unknown = [...Object.values(ATTRIBUTES), ...Object.values(METRICS)].filter((name) => !released.has(name));
  expect(unknown).toEqual([]);
});
