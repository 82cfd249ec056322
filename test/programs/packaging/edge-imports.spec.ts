/** What a server with `createFetchHandler` needs of its platform: few modules of Node, and nothing before the first request. */
import { execFileSync } from 'node:child_process';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { compileFixtures } from '../../support/compile-fixture';

const root = join(__dirname, '..', '..', '..');

it('takes only those modules of Node that Cloudflare Workers, Deno and Bun have, too', async () => {
  const { metafile } = await build({
    stdin: {
      contents: "require('@sigil-mcp/core'); require('@sigil-mcp/core/stores'); require('@sigil-mcp/http/fetch');",
      resolveDir: root,
    },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    external: [...builtinModules],
  });
  const needed = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect([...new Set(needed.map((path) => path.replace(/^node:/, '')))].sort()).toEqual([
    'async_hooks',
    'buffer',
    'crypto',
    'diagnostics_channel',
    'events',
    'net',
    'path',
    'url',
    'util',
  ]);
});

it('starts nothing while it is loaded: no timer, and no random value', () => {
  const program = `
    const crypto = require('node:crypto');
    const places = [[globalThis, ['setTimeout', 'setInterval', 'setImmediate']],
      [crypto, ['randomBytes', 'randomUUID', 'randomFillSync', 'randomInt']], [globalThis.crypto, ['getRandomValues', 'randomUUID']]];
    const undo = places.flatMap(([place, names]) => names.map((name) => {
      const own = Object.getOwnPropertyDescriptor(place, name), value = place[name];
      Object.defineProperty(place, name, { configurable: true, writable: true, value: () => { throw new Error(name + ' is not allowed here'); } });
      return () => own ? Object.defineProperty(place, name, own) : delete place[name];
    }));
    const { default: worker } = require(${JSON.stringify(join(compileFixtures(join(root, 'test', 'programs', 'platforms', 'fixtures')), 'worker.js'))});
    for (const each of undo) each();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    worker.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body })).then(async (response) => {
      process.stdout.write(await response.text(), () => process.exit());
    });`;
  const printed = execFileSync(process.execPath, ['-e', program], { cwd: root, encoding: 'utf8' });
  expect(JSON.parse(printed)).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
});
