/** The image of `apps/secured`: what its Dockerfile puts into the last stage is made here, without an engine, weighed and run. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port';
import { sigil } from './terminal';

jest.setTimeout(120_000);

const root = join(__dirname, '..', '..', '..');
const text = readFileSync(join(root, 'apps', 'secured', 'Dockerfile'), 'utf8').replace(/\\\n\s*/g, '');
const last = text.slice(text.lastIndexOf('\nFROM '));
// Far from any node_modules.
const folder = mkdtempSync(join(tmpdir(), 'sigil-image-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What it was when it held the packages of the whole workspace, bytes. */
const ONCE = 243_000_000;

it('holds one file of the server, less than a third of what it was, which runs and is found healthy', async () => {
  const [, entry = '', out = ''] = /^RUN node packages\/cli\/dist\/main\.js build (\S+) --out (\S+)$/m.exec(text) ?? [];
  const [, copied] = /^COPY --from=build \/app\/(\S+) \.\/$/m.exec(last) ?? [];
  expect([last.match(/^COPY/gm)?.length, out.startsWith(`${copied}/`)]).toEqual([1, true]);
  const name = out.slice(`${copied}/`.length);
  const { status, stderr } = await sigil(['build', join(root, entry), '--out', join(folder, name)]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  expect(bytes).toBeLessThan(ONCE / 3);

  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(last) ?? [];
  const [, check = '[]'] = /^HEALTHCHECK .*? CMD (\[.*\])$/m.exec(last) ?? [];
  const [program = '', ...words] = JSON.parse(command) as string[];
  const [checker = '', ...checked] = JSON.parse(check) as string[];
  const env = {
    PATH: process.env['PATH'],
    HOST: '127.0.0.1',
    PORT: `${await freePort()}`,
    NODE_ENV: 'production',
    // The development issuer refuses to run in production; the keys of this one are fetched with the first token.
    ISSUER: 'https://id.example.com',
  };
  const child = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    for await (const part of child.stderr) if (String(part).includes('Listening')) break;
    // It fails where the server is not healthy.
    execFileSync(checker, checked, { env });
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});
