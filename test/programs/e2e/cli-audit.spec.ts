/** `sigil audit verify`, as operators run it. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit, fileSink } from '@sigil-mcp/audit';
import { createServer, tool } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { sigil, spawnSigil, type Ran } from './terminal';

const SECRET = 'w'.repeat(32);
const command = join(__dirname, '..', '..', '..', 'packages', 'cli', 'dist', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'sigil-cli-audit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = { cwd: folder, env: { SIGIL_AUDIT_SECRET: SECRET, OTHER_SECRET: 'o'.repeat(32) } };
const verify = (...words: string[]): Promise<Ran> => sigil(['audit', 'verify', ...words], options);

beforeAll(async () => {
  for (let run = 0; run < 2; run += 1) {
    const log = audit({
      sink: fileSink({ path: join(folder, 'audit.log'), maxBytes: 4000 }),
      secret: SECRET,
      chain: true,
    });
    const features = [tool('now', { description: 'Tells the time' }, () => 'noon')];
    const server = createServer({ name: 'clock', version: '1.0.0', features, observers: [log], logger: false });
    const client = await connect(server);
    for (let count = 0; count < 10; count += 1) await client.callTool('now');
    await client.close();
    await server.close();
  }
});

const rotated = (): string[] =>
  readdirSync(folder)
    .filter((name) => /^audit\.log\.\d+$/.test(name))
    .sort();

/** A copy of the newest file with other text, and its head. */
function copyWith(name: string, change: (text: string) => string): string {
  writeFileSync(join(folder, name), change(readFileSync(join(folder, 'audit.log'), 'utf8')));
  copyFileSync(join(folder, 'audit.log.head'), join(folder, `${name}.head`));
  return name;
}

it('finds the files of a server sound, with the rotated ones in their order', async () => {
  expect(rotated().length).toBeGreaterThan(1);
  const { status, stdout, stderr } = await spawnSigil(
    ['audit', 'verify', ...rotated(), 'audit.log', '--whole'],
    options,
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^✓ 2\d records in \d files, unchanged and complete: 1 to 2\d of the chain\.\n$/);
  expect((await verify('audit.log')).stdout).toMatch(/Those before \d+ are in earlier files\.\n$/);
  expect(await verify('audit.log', '--whole')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('is not the first'),
  });
  const [first = '', ...others] = rotated();
  expect(await verify(...others, first, 'audit.log')).toMatchObject({ status: 1 });
});

it('says the line of what was changed or removed, and ends with 1', async () => {
  const changed = copyWith('changed.log', (text) => text.replace('"outcome":"result"', '"outcome":"denied"'));
  expect(await verify(changed)).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^✗ changed\.log:\d was changed/),
  });
  const cut = copyWith('cut.log', (text) => text.trimEnd().split('\n').slice(0, -1).join('\n') + '\n');
  expect(await verify(cut)).toMatchObject({ status: 1, stdout: expect.stringContaining('newer records were there') });
  const { stdout } = await verify(changed, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, faultCount: 1, faults: [{ file: changed, fault: 'changed' }] });
});

it('says that a last line is torn', async () => {
  const torn = copyWith('torn.log', (text) => text);
  appendFileSync(join(folder, torn), '{"version":1,"kind":"req');
  expect(await verify(torn)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^! torn\.log:\d+ is torn/) });
});

it('needs the secret, and the files', async () => {
  expect(await verify('audit.log', '--secret-env', 'NOT_SET')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('[SIGIL_AUDIT_SECRET_ENV]'),
  });
  expect(await verify('audit.log', '--secret-env', 'OTHER_SECRET')).toMatchObject({ status: 1 });
  expect(await verify('audit.log', '--secret-env', 'OTHER_SECRET', 'SIGIL_AUDIT_SECRET')).toMatchObject({ status: 0 });
  expect(await verify('no-such.log')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('[SIGIL_AUDIT_UNREADABLE]'),
  });
  expect(await verify()).toMatchObject({ status: 2, stderr: expect.stringContaining('[SIGIL_CLI_USAGE_MISSING]') });
});

it('verifies a copy without its head', async () => {
  copyFileSync(join(folder, 'audit.log'), join(folder, 'copy.log'));
  expect(await verify('copy.log')).toMatchObject({ status: 1, stdout: expect.stringContaining('Use --no-head') });
  expect(await verify('copy.log', '--no-head')).toMatchObject({ status: 0 });
});

describe('A folder', () => {
  const pods = join(folder, 'pods');
  const linesOf = (name: string): string[] => readFileSync(join(pods, name), 'utf8').trimEnd().split('\n');

  beforeEach(async () => {
    rmSync(pods, { recursive: true, force: true });
    mkdirSync(join(pods, 'old'), { recursive: true });
    const servers = [1, 2, 3].map(() => {
      const sink = fileSink({ path: join(pods, 'audit-{slot}.log'), maxBytes: 1000 });
      const observers = [audit({ sink, secret: SECRET, chain: true })];
      return createServer({ name: 'clock', version: '1.0.0', features: [], observers, logger: false });
    });
    for (const server of servers) await (await connect(server)).close();
    // While they run: each has a lock of its own.
    expect(readdirSync(pods).filter((name) => name.endsWith('.lock'))).toHaveLength(3);
    for (const server of servers) await server.close();
    for (const end of ['', '.head'])
      copyFileSync(join(folder, `audit.log${end}`), join(pods, 'old', `audit.log${end}`));
    for (const name of rotated()) copyFileSync(join(folder, name), join(pods, 'old', name));
  });

  it('has the chains of several processes, each with its rotated files', async () => {
    writeFileSync(join(pods, 'README'), 'Audit records of the bank.');
    const { status, stdout } = await verify('pods');
    expect(stdout.split('\n').filter((line) => line.endsWith(':'))).toEqual(
      ['audit-1.log:', 'audit-2.log:', 'audit-3.log:', 'old/audit.log:'].map((name) => join('pods', name)),
    );
    expect(stdout).toContain(`! ${join('pods', 'README')} has no audit records\n✓ 4 chains, all of them whole.\n`);
    expect(status).toBe(0);
    expect(JSON.parse((await verify('pods', '--json')).stdout)).toMatchObject({
      ok: true,
      chains: [{ file: join('pods', 'audit-1.log'), ok: true, faultCount: 0 }, {}, {}, {}],
    });
  });

  it('says of each chain what is wrong with it: changed, cut, torn, or removed as a whole', async () => {
    writeFileSync(join(pods, 'audit-1.log'), `${linesOf('audit-1.log').slice(0, -1).join('\n')}\n`);
    for (const name of readdirSync(pods)) if (/^audit-2\.log(\.\d+)?$/.test(name)) rmSync(join(pods, name));
    appendFileSync(join(pods, 'audit-3.log'), '{"version":1,"kind":"req');
    rmSync(join(pods, 'old', 'audit.log'));
    symlinkSync('gone.log', join(pods, 'link.log'));
    const { status, stdout } = await verify('pods');
    expect(status).toBe(1);
    expect(stdout).toMatch(/audit-1\.log:\n✗ .*audit-1\.log:\d+ is the last, but newer records were there/);
    expect(stdout).toMatch(/audit-2\.log:\n✗ is missing, with all earlier files/);
    expect(stdout).toMatch(/audit-3\.log:\n! .*audit-3\.log:\d+ is torn/);
    expect(stdout).toMatch(/old.audit\.log:\n✗ .*old.audit\.log\.\d+:\d+ is the last, but newer records were there/);
    expect(stdout).toMatch(/link\.log:\n✗ .*link\.log: no such file or directory\n/);
    expect(stdout).toMatch(/5 chains, 1 of them whole\.\n$/);
  });

  it('may be an archive of rotated files, without the newest one and its head', async () => {
    for (const name of readdirSync(pods)) if (name !== 'old') rmSync(join(pods, name));
    for (const end of ['', '.head']) rmSync(join(pods, 'old', `audit.log${end}`));
    expect(await verify('pods')).toMatchObject({ status: 0, stdout: expect.stringContaining('1 chain, all of them') });
  });

  it('is named as it was typed where something cannot be read', async () => {
    const { stderr } = await verify('no-such.log');
    expect(stderr).toContain('cannot be read: no-such.log: no such file or directory.');
    expect(stderr).not.toContain(folder);
    mkdirSync(join(pods, 'empty'));
    expect(await verify('pods/empty')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('[SIGIL_AUDIT_NO_RECORDS]'),
    });
    expect(await verify('pods', 'audit.log')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('[SIGIL_AUDIT_MIXED]'),
    });
  });
});

it('is loaded by no other command', () => {
  const script = `require(${JSON.stringify(join(command, '..', 'run-cli.js'))});
    const files = Object.keys(require.cache).filter((file) => /class-validator|[\\\\/](packages|@sigil-mcp)[\\\\/]audit[\\\\/]/.test(file));
    process.stdout.write(JSON.stringify(files));`;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual([]);
});
