/** Tests of tokens, as somebody writes them in a project of their own: what needs jose, which is ES modules only, under their jest. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Packed } from './packed';
import { run, runWell, type Ran } from './run-command';

const TESTS = `
import { Caller, Feature, Tool, createServer, type Server } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { jwt } from '@sigil-mcp/oauth';
import { connect, issuer, type TestIssuer } from '@sigil-mcp/testing';
import * as jose from 'jose';

@Feature()
class Desk {
  @Tool('Says who calls')
  who(caller: Caller): string {
    return caller.id;
  }
}

let id: TestIssuer;
let server: Server;
let url: string;
beforeAll(async () => {
  id = await issuer({ audience: 'https://mcp.example.com/mcp', algorithms: ['RS256', 'ES256'] });
  const auth = jwt({ issuer: id.url, resource: 'https://mcp.example.com/mcp' });
  const transport = new HttpTransport({ port: 0, auth, handleSignals: false });
  server = createServer({ name: 'desk', version: '1.0.0', features: [Desk], logger: false });
  await server.listen(transport);
  url = transport.url ?? '';
});
afterAll(() => Promise.all([server.close(), id.close()]));

it.each(['RS256', 'ES256'])('knows whose token of %s it is', async (alg) => {
  const client = await connect(url, { headers: { authorization: \`Bearer \${id.token({ alg, sub: 'ada' })}\` } });
  expect(await client.callTool('who')).toHaveText('ada');
  await client.close();
});

it('refuses a token that has expired', async () => {
  const headers = { authorization: \`Bearer \${id.token({ expiresIn: -60_000 })}\` };
  expect((await fetch(url, { method: 'POST', headers })).status).toBe(401);
});

it('loads jose, too', () => {
  expect(jose.decodeJwt(id.token({ sub: 'ada' }))).toMatchObject({ sub: 'ada' });
});
`;

/** Installs `@sigil-mcp/oauth` in a project that lacks it, gives it the tests and runs them, those alone. */
export async function runTokenTests(project: string, packed: Packed): Promise<Ran> {
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--no-save'];
  if (!existsSync(join(project, 'node_modules', '@sigil-mcp', 'oauth')))
    await runWell('npm', ['install', ...flags, packed.tarballs['oauth'] ?? ''], project);
  const folder = join(project, 'test', 'tokens');
  mkdirSync(folder);
  writeFileSync(join(folder, 'tokens.spec.ts'), TESTS.trimStart());
  try {
    return await run('npx', ['--no-install', 'jest', 'test/tokens'], project);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
