/** `subscriptions/listen` over HTTP: a stream that carries what was asked for, and nothing of anything else. */
import type { ServerResponse } from 'node:http';
import { Feature, McpContext, Resource, Tool } from '@sigil-mcp/core';
import { request, serve, type Message, type OpenServer } from './http-server';
import { until } from './raw-request';

const NEWEST = '2026-07-28';
const TAG = 'io.modelcontextprotocol/subscriptionId';

@Feature()
class Shop {
  @Tool('Reports and logs')
  async report(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    context.log.error('something happened');
    return 'done';
  }

  @Resource('shop://plan')
  plan(): string {
    return 'plan';
  }
}

let open: OpenServer;
beforeEach(async () => (open = await serve({ features: [Shop] })));
afterEach(() => open.close());

const headers = (method: string, name?: string): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': NEWEST,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});
const meta = (extra: object = {}): object => ({
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
  ...extra,
});

/** Opens a subscription and collects what it is told, until it is closed. */
async function listen(id: unknown): Promise<{ messages: Message[]; close: () => void }> {
  const aborter = new AbortController();
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['shop://plan'] };
  const response = await fetch(open.url, {
    method: 'POST',
    headers: headers('subscriptions/listen'),
    body: JSON.stringify(request(id, 'subscriptions/listen', { notifications, _meta: meta() })),
    signal: aborter.signal,
  });
  const messages: Message[] = [];
  void (async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      for (const line of Buffer.from(chunk).toString().split('\n'))
        if (line.startsWith('data: {')) messages.push(JSON.parse(line.slice(6)) as Message);
  })().catch(() => undefined);
  await until(() => messages.length > 0);
  return { messages, close: () => aborter.abort() };
}

describe('a subscription', () => {
  it('carries no progress and no log messages of other requests, and they none of its changes [SUB-010]', async () => {
    const { messages, close } = await listen(1);
    const answer = await open.post(
      request(2, 'tools/call', {
        name: 'report',
        _meta: meta({ progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' }),
      }),
      headers('tools/call', 'report'),
    );
    expect(answer.messages.map(({ method }) => method)).toEqual([
      'notifications/progress',
      'notifications/message',
      undefined,
    ]);
    open.server.notifyResourceChanged('shop://plan');
    await until(() => messages.length === 2);
    expect(messages.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/resources/updated',
    ]);
    close();
  });

  it('is forgotten with its connection: whoever comes back listens anew, and hears nothing of the time between [SUB-016] [SUB-013] [BASE-031]', async () => {
    let isOver = false;
    open.http.once('request', (_request, response: ServerResponse) => response.once('close', () => (isOver = true)));
    const before = await listen('same');
    before.close();
    await until(() => isOver);
    open.server.notifyResourceChanged('shop://plan');
    const after = await listen('same');
    open.server.notifyResourceChanged('shop://plan');
    await until(() => after.messages.length === 2);
    expect(after.messages.map(({ params }) => (params?.['_meta'] as Record<string, unknown>)[TAG])).toEqual([
      'same',
      'same',
    ]);
    expect(before.messages).toHaveLength(1);
    after.close();
  });
});
