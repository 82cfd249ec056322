/** A draft of the next revision, written as data in this folder, is served over every transport from unchanged handlers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MemoryTransport } from '@sigil-mcp/core';
import { META_KEYS, type JsonObject, type JsonValue } from '@sigil-mcp/protocol';
import { compileFixtures } from '../../support/compile-fixture';
import { serve, useAdapter, type Adapter } from '../http/http-server';
import { NEXT } from './served/revision';
import { Shop, revisions, shop } from './served/shop';

interface Way {
  send(message: JsonObject): Promise<JsonObject>;
  close(): Promise<void>;
}

const http = (adapter: Adapter) => async (): Promise<Way> => {
  useAdapter(adapter);
  const open = await serve({ features: [Shop], revisions });
  return {
    async send(message) {
      const { _meta: meta, name } = message['params'] as { _meta: JsonObject; name?: string };
      const version = meta[META_KEYS.protocolVersion] as string;
      const headers = { 'MCP-Protocol-Version': version, 'Mcp-Method': message['method'] as string };
      const { messages } = await open.post(message, { ...headers, ...(name !== undefined && { 'Mcp-Name': name }) });
      return messages[0] as JsonObject;
    },
    close: () => open.close(),
  };
};

const WAYS: Readonly<Record<string, () => Promise<Way>>> = {
  async memory() {
    const server = shop();
    const transport = new MemoryTransport();
    await server.listen(transport);
    let answered: (answer: JsonObject) => void = () => undefined;
    const pipe = transport.connect((text) => answered(JSON.parse(text) as JsonObject));
    const send = (message: JsonObject) =>
      new Promise<JsonObject>((resolve) => {
        answered = resolve;
        pipe.send(JSON.stringify(message));
      });
    return { send, close: () => server.close() };
  },
  async stdio() {
    const child = spawn(process.execPath, [join(compileFixtures(join(__dirname, 'served')), 'stdio.js')]);
    const lines = createInterface(child.stdout);
    return {
      async send(message) {
        child.stdin.write(`${JSON.stringify(message)}\n`);
        const [line] = (await once(lines, 'line')) as [string];
        return JSON.parse(line) as JsonObject;
      },
      async close() {
        child.stdin.end();
        await once(child, 'close');
      },
    };
  },
  'HTTP with Fastify': http('fastify'),
  'HTTP with fetch': http('fetch'),
};

const request = (method: string, params: JsonObject = {}, version = NEXT): JsonObject => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params, _meta: { [META_KEYS.protocolVersion]: version, [META_KEYS.clientCapabilities]: {} } },
});

describe.each(Object.keys(WAYS))('the draft over %s', (name) => {
  let way: Way;
  beforeAll(async () => (way = await WAYS[name]!()));
  afterAll(() => way.close());

  it('is found by server/discover', async () => {
    expect(await way.send(request('server/discover'))).toMatchObject({
      result: { supportedVersions: ['2026-07-28', NEXT] },
    });
  });

  it('lists the variants of the output in place of its schema', async () => {
    const { result } = await way.send(request('tools/list'));
    expect(result).toMatchObject({
      tools: [
        {
          name: 'price',
          outputVariants: [
            { variant: 'structured', schema: { properties: { euros: { type: 'integer' } } } },
            { variant: 'content' },
          ],
        },
        { name: 'hello', outputVariants: [{ variant: 'content' }] },
      ],
    });
    expect(JSON.stringify(result)).not.toContain('outputSchema');
  });

  it('answers with outputs, and the revision before it as before', async () => {
    const call = { name: 'price', arguments: { item: 'chair' } };
    const { result } = await way.send(request('tools/call', call));
    expect(result).toMatchObject({
      resultType: 'complete',
      isError: false,
      outputs: [
        { variant: 'structured', value: { euros: 5 } },
        { variant: 'content', value: { type: 'text', text: '{"euros":5}' } },
      ],
    });
    expect(result).not.toHaveProperty('content');
    expect(result).not.toHaveProperty('structuredContent');
    expect(await way.send(request('tools/call', call, '2026-07-28'))).toMatchObject({
      result: { structuredContent: { euros: 5 }, content: [{ text: '{"euros":5}' }] },
    });
  });

  it('answers with the outputs that the request names, and refuses what is no list of names', async () => {
    const call = { name: 'price', arguments: { item: 'chair' } };
    const outputsOf = async (requestedOutputs: JsonValue): Promise<unknown> =>
      (await way.send(request('tools/call', { ...call, requestedOutputs })))['result'];
    const structured = { variant: 'structured', value: { euros: 5 } };
    const content = { variant: 'content', value: { type: 'text', text: '{"euros":5}' } };
    expect(await outputsOf(['structured'])).toMatchObject({ outputs: [structured] });
    expect(await outputsOf(['content'])).toMatchObject({ outputs: [content] });
    expect(await outputsOf(['content', 'structured'])).toMatchObject({ outputs: [structured, content] });
    expect(await way.send(request('tools/call', { ...call, requestedOutputs: 'content' }))).toMatchObject({
      error: { code: -32602 },
    });
    const wrong = { name: 'price', arguments: { item: 7 }, requestedOutputs: ['structured'] };
    // An error is told in words, which the client may not have asked for.
    expect(await way.send(request('tools/call', wrong))).toMatchObject({
      result: { isError: true, outputs: [{ variant: 'content' }] },
    });
    expect(
      await way.send(request('tools/call', { ...call, requestedOutputs: ['content'] }, '2026-07-28')),
    ).toMatchObject({ result: { structuredContent: { euros: 5 } } });
  });

  it('answers wrong arguments with outputs, too', async () => {
    expect(await way.send(request('tools/call', { name: 'price', arguments: { item: 7 } }))).toMatchObject({
      result: { isError: true, outputs: [{ variant: 'content', value: { type: 'text' } }] },
    });
  });
});
