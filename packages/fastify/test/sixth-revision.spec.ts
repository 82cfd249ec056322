/** A revision that does not exist yet, added as data: it is served over memory and HTTP, by its own rules. */
import { Feature, McpHeader, Tool, createServer, MemoryTransport } from '@sigil-mcp/core';
import {
  ALL_REVISIONS,
  ALL_RULES,
  META_KEYS,
  compileRevision,
  extendRevision,
  type HttpRules,
  type Revision,
} from '@sigil-mcp/protocol';
import { IsString } from 'class-validator';
import { serve, type OpenServer } from './http-server';

const VERSION = '2027-03-01';
const CLIENT = { [META_KEYS.clientCapabilities]: {} };

class Place {
  @McpHeader('City') @IsString() city!: string;
}

@Feature()
class Echo {
  @Tool('Says the city') say({ city }: Place): string {
    return city;
  }
}

/** The newest revision, with other rules for HTTP. */
const revisionWith = (http: Partial<HttpRules>): Revision =>
  compileRevision(extendRevision(ALL_RULES.at(-1) ?? ALL_RULES[0], { version: VERSION, http }));

const request = (method: string, params: object = {}, version = VERSION): object => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params, _meta: { ...CLIENT, [META_KEYS.protocolVersion]: version } },
});

const call = request('tools/call', { name: 'say', arguments: { city: 'Oslo' } });

describe('a sixth revision', () => {
  let open: OpenServer;
  const serveWith = async (http: Partial<HttpRules>): Promise<OpenServer> =>
    (open = await serve({ features: [Echo], revisions: [...ALL_REVISIONS, revisionWith(http)] }));
  afterEach(() => open?.close());

  it('is served on a pipe, and found by server/discover', async () => {
    const revisions = [...ALL_REVISIONS, revisionWith({})];
    const server = createServer({ name: 'six', version: '1.0.0', features: [Echo], revisions, logger: false });
    const transport = new MemoryTransport();
    await server.listen(transport);
    const answers: unknown[] = [];
    const pipe = transport.connect((text) => answers.push(JSON.parse(text)));
    pipe.send(JSON.stringify(call));
    pipe.send(JSON.stringify({ ...request('server/discover'), id: 2 }));
    await new Promise(setImmediate);
    expect(answers).toMatchObject([
      { id: 1, result: { content: [{ type: 'text', text: 'Oslo' }] } },
      { id: 2, result: { supportedVersions: ['2026-07-28', VERSION] } },
    ]);
    await server.close();
  });

  it('is served over HTTP with the headers that its own rules want, and refused without', async () => {
    await serveWith({});
    const headers = {
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'say',
      'Mcp-Param-City': 'Oslo',
    };
    expect(await open.post(call, headers)).toMatchObject({
      status: 200,
      messages: [{ result: { content: [{ text: 'Oslo' }] } }],
    });
    for (const name of Object.keys(headers)) {
      const rest = Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
      expect([name, await open.post(call, rest)]).toMatchObject([
        name,
        { status: 400, messages: [{ error: { code: -32020 } }] },
      ]);
    }
  });

  it('asks for no header that its own rules do not want', async () => {
    await serveWith({ requiredHeaders: [], nameHeader: new Map(), mirrorsArguments: false });
    expect(await open.post(call)).toMatchObject({
      status: 200,
      messages: [{ result: { content: [{ text: 'Oslo' }] } }],
    });
    // The revision before it keeps its own.
    const older = request('tools/list', {}, '2026-07-28');
    expect(await open.post(older)).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] });
  });

  it('gives errors the status that its own rules name', async () => {
    await serveWith({ requiredHeaders: [], errorStatus: { [-32602]: 422 } });
    const unknown = request('tools/call', { name: 'nobody' });
    expect(await open.post(unknown, { 'Mcp-Name': 'nobody' })).toMatchObject({ status: 422 });
  });

  it('is not served where it was not added', async () => {
    open = await serve({ features: [Echo] });
    const headers = { 'MCP-Protocol-Version': VERSION, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'say' };
    expect(await open.post(call, headers)).toMatchObject({
      status: 400,
      messages: [{ error: { code: -32022, data: { supported: ['2026-07-28'], requested: VERSION } } }],
    });
  });
});

describe('fewer revisions', () => {
  it('are served alone, and negotiated to', async () => {
    const revisions = ALL_REVISIONS.filter(({ version }) => version >= '2025-06-18');
    const open = await serve({ features: [Echo], revisions });
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const answer = await open.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(answer.messages).toMatchObject([{ result: { protocolVersion: '2025-11-25' } }]);
    await open.close();
  });
});
