/** `apps/secured` as it is started: its tokens, and what they open over HTTP. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../support/free-port';
import { sigil } from './terminal';

jest.setTimeout(150_000);

const program = join(__dirname, '..', '..', '..', 'apps', 'secured', 'dist', 'main.js');
const NEWEST = '2026-07-28';

let child: ChildProcess;
let url: string;
let printed = '';

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/mcp`;
  child = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  while (!printed.includes('sees none of these notes.')) await once(child.stdout as NodeJS.ReadableStream, 'data');
});
afterAll(async () => {
  const exit = once(child, 'exit');
  child.kill();
  expect(await exit).toEqual([0, null]);
});

/** A token of the development issuer, as the printed text says. */
async function tokenOf(name: string): Promise<string> {
  const [, issuer = ''] = /"(\S+)\/token\?as=writer"/.exec(printed) ?? [];
  return (await fetch(`${issuer}/token?as=${name}`)).text();
}

async function call(tool: string, args: object, who?: string): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': NEWEST,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': NEWEST,
      'mcp-method': 'tools/call',
      'mcp-name': tool,
      ...(who !== undefined && { authorization: `Bearer ${await tokenOf(who)}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: tool, arguments: args, _meta },
    }),
  });
}

it.each([
  ['about', undefined, 200],
  ['about', 'reader', 200],
  ['listNotes', undefined, 401],
  ['listNotes', 'reader', 200],
  ['listNotes', 'admin', 200],
  ['addNote', 'reader', 403],
  ['addNote', 'writer', 200],
  ['addNote', 'admin', 200],
  ['purgeNotes', 'admin', 200],
])('%s for %s is %i', async (tool, who, status) => {
  const response = await call(tool, tool === 'addNote' ? { title: 'milk', text: 'Two bottles.' } : {}, who);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ jsonrpc: '2.0', ...(status !== 401 && { id: 7 }) });
});

it('what needs a role does not exist for those without it', async () => {
  const [hidden, missing] = await Promise.all([call('purgeNotes', {}, 'writer'), call('burnNotes', {}, 'writer')]);
  expect(hidden.status).toBe(missing.status);
  expect(hidden.headers.get('www-authenticate')).toBeNull();
  expect((await hidden.text()).replaceAll('purge', 'burn')).toBe(await missing.text());
});

it('a challenge names what is needed, and where clients find the rest', async () => {
  const { headers } = await call('addNote', { title: 'a', text: 'b' }, 'reader');
  const challenge = headers.get('www-authenticate') ?? '';
  expect(challenge).toMatch(/^Bearer error="insufficient_scope", scope="[^"]*notes:write[^"]*"/);
  const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource: url,
    scopes_supported: ['notes:read', 'notes:write', 'notes:admin'],
  });
});

it('is spoken to by the command line, as its words say', async () => {
  const env = { SIGIL_TOKEN: await tokenOf('writer') };
  expect((await sigil(['call', url, 'addNote', 'title=tea', 'text=Green.'], { env })).stdout).toContain(
    'the note "tea"',
  );
  const { stdout } = await sigil(['inspect', url], { env });
  const uri = /notes:\/\/[\w-]+\/tea/.exec(stdout)?.[0] ?? '';
  expect((await sigil(['read', url, uri], { env })).stdout).toContain('"author":"writer"');
  expect((await sigil(['call', url, 'about'])).stdout).toContain('several organisations');
});

it('says to somebody without a name that signing in may show more', async () => {
  const { status, stderr } = await sigil(['call', url, 'listNotes']);
  expect(status).toBe(2);
  expect(stderr).toContain('Available: about. A user who signs in may see more: --sign-in.');
});
