/** `sigil dev` follows the files next to the sources, which no compiler looks at. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@sigil-mcp/testing';
import { freePort } from '../../support/free-port';
import { until } from '../../support/until';
import { DevProject } from './dev-project';

jest.setTimeout(120_000);

it('a new version serves a skill that was changed, added or removed', async () => {
  const project = new DevProject();
  const source = join(project.folder, 'src');
  const skill = (name: string, words: string, folder = source): void => {
    mkdirSync(join(folder, 'skills', name), { recursive: true });
    writeFileSync(join(folder, 'skills', name, 'SKILL.md'), `---\nname: ${name}\ndescription: ${words}\n---\n`);
  };
  skill('one', 'first');
  const server = readFileSync(join(source, 'server.ts'), 'utf8')
    .replace("from '@sigil-mcp/core';", "from '@sigil-mcp/core';\nimport { skills } from '@sigil-mcp/skills';")
    .replace('features: [Versions],', "features: [Versions], extensions: [skills({ folders: ['./skills'] })],");
  writeFileSync(join(source, 'server.ts'), server);
  const port = await freePort();
  let child: ChildProcess | undefined;
  try {
    child = project.serve(port);
    const listed = async (): Promise<string> => {
      const client = await connect(`http://127.0.0.1:${port}/mcp`).catch(() => undefined);
      const page = await client?.request('skills/list').catch(() => undefined);
      await client?.close();
      const found = (page?.['skills'] ?? []) as { frontmatter: { description: string } }[];
      return found.map(({ frontmatter: { description } }) => description).join();
    };
    await until(async () => (await listed()) === 'first');
    skill('one', 'changed');
    await until(async () => (await listed()) === 'changed');
    skill('two', 'added');
    await until(async () => (await listed()) === 'changed,added');
    // A mistake leaves the last version.
    writeFileSync(join(source, 'skills', 'two', 'SKILL.md'), 'no front matter');
    rmSync(join(source, 'skills', 'one'), { recursive: true });
    skill('two', 'alone');
    await until(async () => (await listed()) === 'alone');
    // A folder outside of that of the entry, as soon as a source names it.
    skill('zoo', 'outside', project.folder);
    writeFileSync(join(source, 'server.ts'), server.replace("'./skills'", "'./skills', '../skills'"));
    await until(async () => (await listed()) === 'alone,outside');
    skill('zoo', 'changed outside', project.folder);
    await until(async () => (await listed()) === 'alone,changed outside');
  } finally {
    child?.kill('SIGTERM');
    project.remove();
  }
});
