/** What an operator says in the environment: where to listen, and whom to let in. */
import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { promisify } from 'node:util';
import { builtApp } from './built-app';
import { HttpApp } from './http-app';

const run = promisify(execFile);
const NEWEST = '2026-07-28';
const meta = { 'io.modelcontextprotocol/protocolVersion': NEWEST, 'io.modelcontextprotocol/clientCapabilities': {} };

/** Asks for the tools as a client behind a proxy does: under a name that fetch would not let us set. */
function listTools(app: HttpApp, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return ask(app, '/mcp', {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': NEWEST,
    'mcp-method': 'tools/list',
    ...headers,
  });
}

function ask(app: HttpApp, path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const method = path === '/mcp' ? 'POST' : 'GET';
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: app.port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(
      method === 'POST'
        ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } })
        : undefined,
    );
  });
}

const warning = /"level":"warn[^}]*ALLOWED_HOSTS/g;

describe('the environment of a server over HTTP', () => {
  let app: HttpApp;

  afterEach(() => app.stop());

  it('that names hosts lets a container be reached under them, and under no other [HTTP-003, HTTP-004]', async () => {
    app = await HttpApp.start('weather', { HOST: '0.0.0.0', ALLOWED_HOSTS: 'mcp.example, localhost:8080' });
    expect(app.stderr()).not.toMatch(warning);
    for (const host of ['mcp.example', 'MCP.example:443', 'localhost:8080']) {
      expect([host, (await listTools(app, { host })).status]).toEqual([host, 200]);
    }
    for (const host of [
      'evil.example',
      'localhost',
      'localhost:3000',
      'mcp.example.evil.example',
      `127.0.0.1:${app.port}`,
    ]) {
      const { status, text } = await listTools(app, { host });
      expect([host, status]).toEqual([host, 421]);
      const { error } = JSON.parse(text) as { error: { message: string } };
      expect(error.message).toContain(JSON.stringify(host));
      expect(error.message).toContain('ALLOWED_HOSTS');
    }
    expect((await listTools(app, { host: 'mcp.example', origin: 'https://evil.example' })).status).toBe(403);
    for (const path of ['/healthz', '/readyz']) expect((await ask(app, path, { host: '10.0.0.7' })).status).toBe(200);
  });

  it('that opens the server to others without naming hosts is warned about once', async () => {
    app = await HttpApp.start('weather', { HOST: '0.0.0.0' });
    await listTools(app, { host: 'anything.example' });
    expect(app.stderr().match(warning)).toHaveLength(1);
  });

  it('that says nothing keeps the server to this machine [HTTP-005]', async () => {
    app = await HttpApp.start('weather', { HOST: '' });
    expect(new URL(app.url).hostname).toBe('127.0.0.1');
    expect((await listTools(app, { host: 'evil.example' })).status).toBe(421);
    expect((await listTools(app, { host: `localhost:${app.port}` })).status).toBe(200);
  });

  it('that names origins lets pages of theirs read the answers, errors too', async () => {
    app = await HttpApp.start('weather', { ALLOWED_ORIGINS: 'https://chat.example' });
    const origin = 'https://chat.example';
    const preflight = await fetch(app.url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-method' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    const refused = await fetch(app.url, { method: 'POST', headers: { origin }, body: '{}' });
    expect(refused.status).toBe(415);
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin);
    expect(refused.headers.get('access-control-expose-headers')).toContain('Mcp-Session-Id');
  });

  it.each(['main.js', 'start.js'])('that names a taken port ends %s with one sentence', async (program) => {
    app = await HttpApp.start('weather');
    const env = { ...process.env, PORT: app.port, HOST: '127.0.0.1' };
    await expect(run(process.execPath, [builtApp('weather', program), '--http'], { env })).rejects.toMatchObject({
      code: 1,
      stderr: `Port ${app.port} of 127.0.0.1 is already in use. Use another one with the option \`port\`, or PORT in the environment.\n`,
    });
  });
});
