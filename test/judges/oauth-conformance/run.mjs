/**
 * The OAuth conformance of `@mcpjam/sdk` against a server of ours and a real authorization server, in its three modes and on the
 * revisions that it knows. Takes the folder in which it is installed. Exits with 1 for what fails.
 */
import { createServer, tool } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { jwt } from '@sigil-mcp/oauth';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createNet } from 'node:net';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [, , folder] = process.argv;
const found = createRequire(join(folder, 'package.json')).resolve('@mcpjam/sdk');
const { OAuthConformanceTest } = await import(pathToFileURL(found).href);

const REDIRECT = 'http://127.0.0.1:53682/callback';
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25'];
const MODES = {
  preregistered: {
    registrationStrategy: 'preregistered',
    auth: { mode: 'headless' },
    client: { preregistered: { clientId: 'conformance' } },
  },
  registered: { registrationStrategy: 'dcr', auth: { mode: 'headless' } },
  'in its own name': {
    registrationStrategy: 'preregistered',
    auth: { mode: 'client_credentials', clientId: 'robot', clientSecret: 'secret-of-the-robot' },
    client: { preregistered: { clientId: 'robot', clientSecret: 'secret-of-the-robot' } },
  },
};

const authority = fork(fileURLToPath(new URL('../../support/authorization-server/provider.mjs', import.meta.url)), {
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
});
const [{ issuer }] = await once(authority, 'message');
const server = createServer({
  name: 'judged',
  version: '1.0.0',
  features: [tool('whoami', { description: 'Says who calls' }, (_input, { caller }) => caller.id)],
  logger: false,
});
const port = await freePort();
const resource = `http://127.0.0.1:${port}/mcp`;
const auth = jwt({ issuer, resource, scopes: ['notes:read'], mirrorMetadata: true });
await server.listen(new HttpTransport({ port, host: '127.0.0.1', handleSignals: false, auth }));
try {
  for (const protocolVersion of REVISIONS)
    for (const [name, mode] of Object.entries(MODES))
      await judge(`${protocolVersion}, ${name}`, { ...mode, protocolVersion });
} finally {
  await server.close();
  authority.disconnect();
}

async function judge(title, options) {
  const test = new OAuthConformanceTest({
    serverUrl: resource,
    redirectUrl: REDIRECT,
    scopes: 'notes:read',
    fetchFn: cookieFetch(),
    verification: { listTools: true, callTool: { name: 'whoami' } },
    oauthConformanceChecks: true,
    ...options,
  });
  const { passed, steps, summary } = await test.run();
  const counts = ['passed', 'failed', 'skipped'].map(
    (kind) => `${steps.filter(({ status }) => status === kind).length} ${kind}`,
  );
  console.log(`${passed ? 'passed' : 'FAILED'} ${title}: ${counts.join(', ')}`);
  if (passed) return;
  process.exitCode = 1;
  console.log(`  ${summary}`);
  for (const { status, title: step, error } of steps)
    if (status === 'failed') console.log(`  ${step}: ${error?.message}`);
}

async function freePort() {
  const taken = createNet().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port: free } = taken.address();
  taken.close();
  await once(taken, 'close');
  return free;
}

/** A `fetch` that keeps cookies, as the browser does that a person would sign in with. */
function cookieFetch() {
  const jars = new Map();
  return async (input, init = {}) => {
    const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
    const jar = jars.get(url.origin) ?? new Map();
    jars.set(url.origin, jar);
    const headers = new globalThis.Headers(init.headers ?? input.headers);
    if (jar.size > 0) headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '));
    const response = await fetch(input, { ...init, headers });
    for (const each of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (name !== undefined) jar.set(name, value);
    }
    return response;
  };
}
