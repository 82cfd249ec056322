/** `npm run schemas`, and where the tests look for what it fetched. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOfficialSchemas } from './find-official-schemas';
import { describeWithSchemas, loadSchemas } from './official-schema';
import { revisions } from './official-schemas.json';

const script = join(__dirname, '..', '..', '..', 'scripts', 'schemas.mjs');
const versions = revisions.map(({ version }) => version);
let place: string;
let mirror: Server;
/** Path -> what the mirror has there. */
const files = new Map<string, string | Buffer>();

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'sigil-schemas-'));
  files.clear();
  mirror = createServer((request, response) => {
    const body = files.get(request.url ?? '');
    response.writeHead(body === undefined ? 404 : 200).end(body);
  }).listen(0, '127.0.0.1');
  await once(mirror, 'listening');
});

afterEach(async () => {
  rmSync(place, { recursive: true, force: true });
  mirror.close();
  mirror.closeAllConnections();
});

const target = (): string => join(place, 'schemas');
const mirrorUrl = (): string => `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/files/`;
const pathOf = (version: string): string =>
  `/files/${revisions.find((revision) => revision.version === version)?.commit}/schema/${version}/schema.json`;

async function run(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [script, '--to', target(), ...args]);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const [status] = (await once(child, 'close')) as [number];
  return { status, ...output };
}

describe('npm run schemas', () => {
  it('says in one sentence that there is no network, and changes nothing', async () => {
    const nobody = mirrorUrl();
    mirror.close();
    await once(mirror, 'close');
    const { status, stdout, stderr } = await run('--from', nobody);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^\S+ could not be fetched \(ECONNREFUSED\): check the network.* Nothing was changed\.\n$/);
    expect(existsSync(target())).toBe(false);
  });

  it('keeps nothing where one schema is not the one that was pinned', async () => {
    for (const version of versions) files.set(pathOf(version), '{}');
    const { status, stderr } = await run('--from', mirrorUrl());
    expect(status).toBe(1);
    expect(stderr).toMatch(/its digest differs\. Nothing was changed\.\n$/);
    expect(existsSync(target())).toBe(false);
  });

  it('says what the server answered where a file is not there', async () => {
    const { status, stderr } = await run('--from', mirrorUrl());
    expect(status).toBe(1);
    expect(stderr).toMatch(/could not be fetched: the server answered 404\. Nothing was changed\.\n$/);
  });

  it('refuses an option that it does not have', async () => {
    const { status, stderr } = await run('--form', 'x');
    expect(status).toBe(1);
    expect(stderr).toMatch(/'--form'\. Use: npm run schemas -- --from <url> --to <folder>\. Nothing was changed\.\n$/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.each([
    ['the folder', ''],
    ['the folder of one revision', '2025-06-18'],
  ])('says in one sentence that %s is a file, and changes nothing', async (_, inside) => {
    const file = join(target(), inside);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'notes');
    const { status, stdout, stderr } = await run('--from', mirrorUrl());
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^\S+schemas\S+ cannot be (read|written) \(\w+\): [^\n]+\. Nothing was changed\.\n$/);
    expect(readFileSync(file, 'utf8')).toBe('notes');
    expect(readdirSync(join(file, '..'))).toHaveLength(1);
  });

  it('says in one sentence that a folder stands where a schema should', async () => {
    const last = versions.at(-1) ?? '';
    mkdirSync(join(target(), last, 'schema.json'), { recursive: true });
    const { status, stderr } = await run('--from', mirrorUrl());
    expect(status).toBe(1);
    expect(stderr).toMatch(/^\S+schema\.json cannot be read \(EISDIR\): [^\n]+ Nothing was changed\.\n$/);
    expect(readdirSync(target())).toEqual([last]);
  });
});

describeWithSchemas('npm run schemas, from a mirror', () => {
  const official = (version: string): Buffer => readFileSync(findOfficialSchemas()?.get(version) ?? '');

  it('fetches all of them, whole, and asks for none of them again', async () => {
    for (const version of versions) files.set(pathOf(version), official(version));
    expect(await run('--from', mirrorUrl())).toMatchObject({ status: 0, stderr: '' });
    for (const version of versions) {
      expect(readdirSync(join(target(), version))).toEqual(['schema.json']);
      expect(readFileSync(join(target(), version, 'schema.json')).equals(official(version))).toBe(true);
    }
    files.clear();
    const again = await run('--from', mirrorUrl());
    expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('exist already')]);
  });

  it('writes none of them where one cannot be written', async () => {
    for (const version of versions) files.set(pathOf(version), official(version));
    const last = versions.at(-1) ?? '';
    mkdirSync(target());
    // A way that leads nowhere: neither a folder nor free for one.
    symlinkSync(join(place, 'nowhere'), join(target(), last), 'junction');
    const { status, stdout, stderr } = await run('--from', mirrorUrl());
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^\S+ cannot be written \(\w+\): name another folder with --to\. Nothing was changed\.\n$/);
    expect(readdirSync(target())).toEqual([last]);
  });

  it('fetches one that was changed, and leaves the others', async () => {
    const [changed = '', ...rest] = versions;
    for (const version of versions) files.set(pathOf(version), official(version));
    await run('--from', mirrorUrl());
    writeFileSync(join(target(), changed, 'schema.json'), '{}');
    for (const version of rest) files.delete(pathOf(version));
    expect(await run('--from', mirrorUrl())).toMatchObject({ status: 0, stdout: expect.stringContaining('1 of them') });
    expect(readFileSync(join(target(), changed, 'schema.json')).equals(official(changed))).toBe(true);
  });
});

describe('the place of the schemas', () => {
  const before = process.env['MCP_SCHEMA_DIR'];
  afterEach(() => {
    if (before === undefined) delete process.env['MCP_SCHEMA_DIR'];
    else process.env['MCP_SCHEMA_DIR'] = before;
  });

  const fileOf = (version: string): string => join(place, version, 'schema.json');
  const fill = (...chosen: string[]): void => {
    for (const version of chosen) {
      mkdirSync(join(place, version));
      writeFileSync(fileOf(version), '{"$schema":"http://json-schema.org/draft-07/schema#"}');
    }
  };

  it('is the folder that MCP_SCHEMA_DIR names', () => {
    fill(...versions, 'draft');
    process.env['MCP_SCHEMA_DIR'] = place;
    expect([...(findOfficialSchemas() ?? [])]).toEqual(versions.map((version) => [version, fileOf(version)]));
  });

  it('has all of them: a folder with some is said, with what is missing and the command', () => {
    const [first = '', second = '', ...rest] = versions;
    fill(...rest);
    const problem = `${place} has no schema of ${first}, ${second}: run npm run schemas`;
    delete process.env['MCP_SCHEMA_DIR'];
    expect(() => findOfficialSchemas(place)).toThrow(new Error(`${problem} again.`));
    process.env['MCP_SCHEMA_DIR'] = place;
    expect(() => findOfficialSchemas()).toThrow(new Error(`${problem} -- --to ${place}.`));
  });

  it('may have none, where MCP_SCHEMA_DIR names none', () => {
    delete process.env['MCP_SCHEMA_DIR'];
    expect(findOfficialSchemas(place)).toBeUndefined();
  });

  it.each(['{"$schema":', 'null'])('holds schemas: a file with %j is named', (text) => {
    fill(...versions);
    const [, second = ''] = versions;
    writeFileSync(fileOf(second), text);
    process.env['MCP_SCHEMA_DIR'] = place;
    expect(() => loadSchemas()).toThrow(`${fileOf(second)} is no JSON schema: run npm run schemas again.`);
  });

  it('is no folder without schemas: a variable that leads nowhere is said, not skipped', () => {
    process.env['MCP_SCHEMA_DIR'] = join(place, 'nowhere');
    expect(() => findOfficialSchemas()).toThrow(/^MCP_SCHEMA_DIR is ".*nowhere", where there is no <revision>/);
  });
});
