/** Skills in a new project reach production: from dist, from a container without sources, and from a bundle. */
import { Client, type Transport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildImage } from './dockerfile';
import { createInstalled, linkInstalled, sigilIn } from './installed-project';
import { packAll } from './packed';
import { run, runWell, type Ran } from './run-command';
import { writeDescriptions } from './write-descriptions';

const LONG = 300_000;
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-skills-')));
const project = join(folder, 'my-server');
const sigil = (...words: string[]): Promise<Ran> => sigilIn(project, ...words);

beforeAll(async () => {
  await createInstalled(folder, 'my-server', ['--transport', 'both']);
  const tarball = (await packAll()).tarballs['skills'] ?? '';
  copyFileSync(tarball, join(project, 'vendor', basename(tarball)));
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', `file:vendor/${basename(tarball)}`];
  await runWell('npm', install, project);
}, LONG);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The skills that the official client reads and verifies, file by file. */
async function verified(transport: Transport): Promise<string[]> {
  const client = new Client(
    { name: 'official', version: '2' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(transport);
  const skills = new SkillsClient(client);
  const { skills: entries } = await skills.list();
  for (const entry of entries) expect(await skills.read(entry)).toMatchObject({ verified: true });
  await client.close();
  return entries.map(({ uri }) => uri);
}

/** Does something while a folder is elsewhere. */
async function without(path: string, act: () => Promise<void>): Promise<void> {
  renameSync(path, join(folder, 'elsewhere'));
  await act().finally(() => renameSync(join(folder, 'elsewhere'), path));
}

const program = (file: string): StdioClientTransport =>
  new StdioClientTransport({ command: process.execPath, args: [file] });
const BOTH = ['skill://find-notes/SKILL.md', 'skill://sort-notes/SKILL.md'];

it(
  'sigil add writes skills with their tests, which pass',
  async () => {
    expect(await sigil('add', 'skill', 'find-notes', '--feature', 'notes')).toMatchObject({ code: 0 });
    expect(await sigil('add', 'skill', 'sort-notes')).toMatchObject({ code: 0 });
    writeDescriptions(project);
    const { code, stdout, stderr } = await run('npm', ['test'], project);
    expect([stdout, stderr, code]).toEqual([stdout, expect.stringContaining('Tests:       21 passed, 21 total'), 0]);
    await runWell('npm', ['run', 'lint'], project);
  },
  LONG,
);

it(
  'the build has them, also without the sources',
  async () => {
    await runWell('npm', ['run', 'build'], project);
    await without(join(project, 'src'), async () =>
      expect(await verified(program(join(project, 'dist', 'main.js')))).toEqual(BOTH),
    );
  },
  LONG,
);

it(
  'so has a container, in which there are no sources',
  async () => {
    const image = await buildImage(project, join(folder, 'image'), linkInstalled);
    expect(existsSync(join(image.folder, 'src'))).toBe(false);
    expect(await verified(program(join(image.folder, 'dist', 'main.js')))).toEqual(BOTH);
  },
  LONG,
);

it(
  'so has a bundle, alone in a folder',
  async () => {
    expect(await runWell('npm', ['run', 'bundle'], project)).toContain('belongs to it: files/');
    const alone = join(folder, 'alone');
    cpSync(join(project, 'bundle'), alone, { recursive: true });
    const file = ['main.cjs', 'main.mjs'].map((name) => join(alone, name)).find((path) => existsSync(path)) ?? '';
    await without(project, async () => expect(await verified(program(file))).toEqual(BOTH));
  },
  LONG,
);

it(
  'a build that leaves them behind says what to do',
  async () => {
    rmSync(join(project, 'dist'), { recursive: true });
    await runWell('npx', ['--no-install', 'tsc'], project);
    await without(join(project, 'src'), async () => {
      const { code, stderr } = await run(process.execPath, [join(project, 'dist', 'main.js')], project);
      expect(code).not.toBe(0);
      expect(stderr).toContain('SIGIL_SKILL_MISSING');
      expect(stderr).toContain('tsc && sigil copy');
    });
    expect(readFileSync(join(project, 'package.json'), 'utf8')).toContain('tsc && sigil copy"');
  },
  LONG,
);
