/** A revision that does not exist yet, added as data: it is served over memory and HTTP, by its own rules. */
import { Feature, McpContext, McpHeader, Tool, createServer, MemoryTransport } from '@sigil-mcp/core';
import {
  ALL_REVISIONS,
  ALL_RULES,
  META_KEYS,
  compileRevision,
  extendRevision,
  type RevisionHttpRules,
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

const waiting: { readonly signal: AbortSignal; readonly resolve: () => void }[] = [];

@Feature()
class Waiting {
  @Tool('Waits until it is let go') async wait(context: McpContext): Promise<string> {
    const { signal } = context;
    await new Promise<void>((resolve) => waiting.push({ signal, resolve }));
    return 'done';
  }
}

/** The newest revision, with other rules for HTTP. */
const revisionWith = (http: Partial<RevisionHttpRules>): Revision =>
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
  const serveWith = async (http: Partial<RevisionHttpRules>): Promise<OpenServer> =>
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
    await serveWith({ requiredHeaders: [], nameHeader: false, mirrorsArguments: false });
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

  it('gives what its headers get wrong the status that its own rules name, too', async () => {
    await serveWith({ errorStatus: { [-32601]: 418, [-32020]: 409, [-32602]: 422 } });
    const headers = { 'MCP-Protocol-Version': VERSION, 'Mcp-Method': 'tools/call' };
    expect(await open.post(call, headers)).toMatchObject({ status: 409, messages: [{ error: { code: -32020 } }] });
    const stranger = request('no/such', {});
    const known = { ...headers, 'Mcp-Method': 'no/such' };
    expect(await open.post(stranger, known)).toMatchObject({ status: 418, messages: [{ error: { code: -32601 } }] });
    const bare = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    expect(await open.post(bare, headers)).toMatchObject({ status: 422, messages: [{ error: { code: -32602 } }] });
  });

  it('compares a version header where its rules have one, whether or not they want it', async () => {
    await serveWith({ requiredHeaders: ['mcp-method'] });
    const list = request('tools/list');
    expect((await open.post(list, { 'Mcp-Method': 'tools/list' })).status).toBe(200);
    const other = { 'Mcp-Method': 'tools/list', 'MCP-Protocol-Version': '2026-07-28' };
    expect(await open.post(list, other)).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] });
    await open.close();
    await serveWith({ requiredHeaders: ['mcp-method'], versionHeader: false });
    expect((await open.post(list, other)).status).toBe(200);
  });

  it('wants every header that its rules name, and compares Mcp-Name where no header is wanted', async () => {
    await serveWith({ requiredHeaders: ['x-tenant'] });
    const list = request('tools/list');
    expect(await open.post(list)).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] });
    expect((await open.post(list, { 'X-Tenant': 'one' })).status).toBe(200);
    await open.close();
    await serveWith({ requiredHeaders: [] });
    expect(await open.post(call, { 'Mcp-Name': 'other' })).toMatchObject({ status: 400 });
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

describe('a handshake revision with other rules', () => {
  const OLD = '2025-12-01';
  let open: OpenServer;
  afterEach(() => open.close());
  const serveWith = async (http: Partial<RevisionHttpRules>): Promise<Record<string, string>> => {
    const rules = ALL_RULES.find(({ version }) => version === '2025-11-25') ?? ALL_RULES[0];
    const revision = compileRevision(extendRevision(rules, { version: OLD, http }));
    open = await serve({ features: [Echo, Waiting], revisions: [...ALL_REVISIONS, revision] });
    const params = { protocolVersion: OLD, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const headers: Record<string, string> = http.requiredHeaders ? { 'Mcp-Method': 'initialize' } : {};
    const answer = await open.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
    expect(answer.messages).toMatchObject([{ result: { protocolVersion: OLD } }]);
    const id = answer.headers.get('mcp-session-id');
    return { 'MCP-Protocol-Version': OLD, ...(id !== null && { 'Mcp-Session-Id': id }) };
  };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  it('is served request by request where it has no sessions', async () => {
    const headers = await serveWith({ sessions: false });
    expect(headers).not.toHaveProperty('Mcp-Session-Id');
    expect(await open.post(list, headers)).toMatchObject({ status: 200, messages: [{ id: 1, result: {} }] });
  });

  it('wants the headers that its rules name', async () => {
    const headers = await serveWith({ requiredHeaders: ['mcp-method'] });
    expect(await open.post(list, headers)).toMatchObject({ status: 400, messages: [{ error: { code: -32600 } }] });
    expect((await open.post(list, { ...headers, 'Mcp-Method': 'tools/list' })).status).toBe(200);
  });

  it('cancels a request with its connection, and no other of the session', async () => {
    const headers = await serveWith({ disconnectCancels: true });
    const wait = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'wait' } });
    const leaving = new AbortController();
    const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const init = { method: 'POST', headers: { ...type, ...headers }, signal: leaving.signal };
    const left = fetch(open.url, { ...init, body: JSON.stringify(wait(1)) }).catch(() => 'left');
    const stays = open.post(wait(2), headers);
    while (waiting.length < 2) await new Promise(setImmediate);
    leaving.abort();
    expect(await left).toBe('left');
    while (!waiting.some(({ signal }) => signal.aborted)) await new Promise(setImmediate);
    expect(waiting.filter(({ signal }) => signal.aborted)).toHaveLength(1);
    for (const { resolve } of waiting) resolve();
    expect((await stays).messages).toMatchObject([{ id: 2, result: {} }]);
  });

  it('gives events no ids where it has no replay', async () => {
    const headers = await serveWith({ replay: false });
    const stream = await fetch(open.url, { headers: { ...headers, accept: 'text/event-stream' } });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    open.server.registry.disable('tool', 'say');
    let value = '';
    // A comment may come before it.
    while (!value.includes('list_changed')) value += (await reader.read()).value ?? '';
    expect(value).not.toMatch(/^id:/m);
    await reader.cancel();
  });
});
