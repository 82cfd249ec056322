/** The recipe for fixed tokens in docs/authorization.md, over HTTP. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpTransport } from '@sigil-mcp/fastify';
import { connect, eachRevision, matchers } from '@sigil-mcp/testing';
import { edited } from '../../programs/packaging/tutorial-page';
import { apiKeys } from './authorization/api-keys';
import { server } from './authorization/server';

expect.extend(matchers);

const ADA = 'a'.repeat(32);
const CI = 'c'.repeat(32);
const transport = new HttpTransport({
  port: 0,
  auth: apiKeys({ API_KEYS: `ada=${ADA}, ci=${CI}` }),
  handleSignals: false,
});
beforeAll(() => server.listen(transport));
afterAll(() => server.close());

const urlOf = (): string => transport.url ?? '';
const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

eachRevision('a key names its caller, and has the scopes of that caller', async ({ connect }) => {
  const ada = await connect(urlOf(), bearing(ADA));
  expect(await ada.callTool('owner')).toHaveText('client ada');
  expect(await ada.callTool('empty')).toHaveText('Empty.');
  const ci = await connect(urlOf(), bearing(CI));
  expect(await ci.callTool('owner')).toHaveText('client ci');
  await expect(ci.callTool('empty')).rejects.toThrow('notes:write');
});

it.each([ADA.slice(1), `${ADA}a`, 'ada', 'x'.repeat(32)])('another token is refused: %s', async (token) => {
  const { status, headers } = await fetch(urlOf(), { method: 'POST', ...bearing(token) });
  expect([status, headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringMatching(/^Bearer error="invalid_token"/),
  ]);
  await expect(connect(urlOf(), bearing(token))).rejects.toThrow();
});

it('a request without a token is refused, without a place to sign in', async () => {
  const { status, headers } = await fetch(urlOf(), { method: 'POST' });
  expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
});

it('a key is everything after the first =, such as a key in base64', async () => {
  const key = `${'b'.repeat(20)}==${'c'.repeat(20)}=`;
  const { verify } = apiKeys({ API_KEYS: `ada=${key}` });
  const asked = { scheme: 'Bearer', method: 'POST', url: 'http://127.0.0.1/mcp', headers: {} };
  expect(await verify(key, asked)).toMatchObject({ id: 'ada' });
  expect(await verify(key.slice(0, -1), asked)).toBeUndefined();
});

describe('the change of src/main.ts in the guide', () => {
  const root = join(__dirname, '..', '..', '..');
  const page = readFileSync(join(root, 'docs', 'authorization.md'), 'utf8');
  const [, change = ''] = /^`src\/main\.ts`\n\n```diff\n([\s\S]*?)```$/m.exec(page) ?? [];
  const generated = (transport: string): string => {
    const template = join(root, 'packages', 'cli', 'templates', transport, 'src', 'main.ts.template');
    return readFileSync(template, 'utf8')
      .replace(/^\{\{#tokens\}\}\n[\s\S]*?^\{\{\/tokens\}\}\n/gm, '')
      .replace(/^\{\{[#/]open\}\}\n/gm, '')
      .replaceAll('{{js}}', '');
  };

  it('leaves the rest of a new project as it is, so that it still serves stdio', () => {
    const changed = edited(generated('both'), change);
    expect(changed).toContain('return new StdioTransport();');
    expect(changed).toContain('return new HttpTransport({ auth: apiKeys(process.env) });');
    expect(changed.split('\n')).toHaveLength(generated('both').split('\n').length + 1);
  });

  it('has the same lines in a new project that serves only HTTP', () => {
    expect(generated('http')).toContain("import { server } from './server';");
    expect(generated('http').match(/new HttpTransport\(\)/g)).toHaveLength(1);
  });
});

it.each([{}, { API_KEYS: '' }, { API_KEYS: 'ada=short' }, { API_KEYS: ADA }, { API_KEYS: `ada=${ADA},` }])(
  'the server does not start with %j',
  (environment) => {
    expect(() => apiKeys(environment)).toThrow('API_KEYS needs a name and a key');
  },
);
