/** What a server does until it answers, counted: files that are loaded, and calls in our packages. The same on every machine. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as ClassValidator from 'class-validator';

interface Work {
  readonly files: readonly string[];
  /** Calls of functions by package. */
  readonly calls: Readonly<Record<string, number>>;
}

/** Calls of our functions at a start with three tools, and for each tool with a DTO of four properties, as counted last. */
const FEW = 5150;
const EACH = 272;

const fixture = (name: string): string => join(__dirname, '..', '..', 'programs', 'e2e', 'fixtures', name);
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const folder = mkdtempSync(join(tmpdir(), 'sigil-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the server, lets it answer `initialize`, and ends it. */
function start(tools: number, program = 'start-server.cjs'): Work {
  const work = join(folder, `${program}-${tools}.json`);
  const stdout = execFileSync(process.execPath, ['--require', fixture('count-work.cjs'), fixture(program)], {
    input: `${JSON.stringify(initialize)}\n`,
    encoding: 'utf8',
    env: { ...process.env, SIGIL_TEST_TOOLS: String(tools), SIGIL_TEST_WORK: work },
  });
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
  return JSON.parse(readFileSync(work, 'utf8')) as Work;
}

const callsOf = ({ calls }: Work): number => Object.values(calls).reduce((sum, count) => sum + count, 0);

/** How many of the files are of a package. */
function filesOf({ files }: Work, name: string): number {
  const own = new RegExp(`[\\\\/](?:packages|node_modules)[\\\\/]${name}[\\\\/]`);
  return files.filter((file) => own.test(file)).length;
}

describe('a server over stdio, until it has answered initialize', () => {
  it('loads one file of each package, and an entry for each import', () => {
    const work = start(3);
    const files = Object.fromEntries(['core', 'schema', 'protocol', 'base'].map((name) => [name, filesOf(work, name)]));
    expect(files).toEqual({ core: 4, schema: 3, protocol: 2, base: 3 });
  });

  it('loads nothing of extensions and observers that it does not use', () => {
    const work = start(3);
    const loaded = ['skills', 'apps', 'tasks', 'otel', 'audit', 'nest', 'http'].filter(
      (name) => filesOf(work, name) > 0,
    );
    expect([loaded, work.files.filter((file) => file.includes('opentelemetry'))]).toEqual([[], []]);
  });

  it('loads as much of Sigil as the README says', () => {
    const { files } = start(3);
    const own = files.filter((file) => /[\\/]packages[\\/]\w+[\\/]dist[\\/]/.test(file));
    const size = own.reduce((sum, file) => sum + statSync(file).size, 0) / 1000;
    const readme = readFileSync(join(__dirname, '..', '..', '..', 'README.md'), 'utf8');
    const [, count, kilobytes] = /loads (\d+) files of Sigil, ([\d,]+) kB/.exec(readme) ?? [];
    expect(Number(count)).toBe(own.length);
    expect(Number(kilobytes?.replace(',', '')) / size).toBeCloseTo(1, 1);
  });

  it('loads no more of class-transformer than the file that holds its metadata, and what that needs', () => {
    expect(filesOf(start(3), 'class-transformer')).toBeLessThanOrEqual(4);
  });

  it('loads of class-validator what holds its metadata, and of its validators none that its author does not import', () => {
    const work = start(1, 'start-functions.cjs');
    // One of them only stands for the file that exports all decorators.
    expect(filesOf(work, 'class-validator')).toBeLessThanOrEqual(10);
    expect(filesOf(work, 'validator') + filesOf(work, 'libphonenumber-js')).toBe(0);
  });

  it('loads of class-validator the decorators that its author imports, and no telephone numbers', () => {
    const work = start(3);
    expect(filesOf(work, 'class-validator')).toBeLessThanOrEqual(38);
    expect(filesOf(work, 'validator') + filesOf(work, 'libphonenumber-js')).toBe(0);
  });

  it('makes no more calls than it did, with three tools and for each tool more', () => {
    const [few, many] = [callsOf(start(3)), callsOf(start(103))];
    const each = (many - few) / 100;
    expect(few).toBeLessThan(FEW * 1.1);
    expect(each).toBeLessThan(EACH * 1.1);
  });
});

describe('the storage of class-validator', () => {
  it('is the one of its main entry, whichever of its files is loaded first', () => {
    const require = createRequire(__filename);
    const single = require('class-validator/cjs/metadata/MetadataStorage') as typeof ClassValidator;
    const whole = require('class-validator') as typeof ClassValidator;
    expect(single.getMetadataStorage()).toBe(whole.getMetadataStorage());
    expect(globalThis).toHaveProperty('classValidatorMetadataStorage', whole.getMetadataStorage());
  });
});
