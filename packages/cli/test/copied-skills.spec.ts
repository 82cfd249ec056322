/** What is served of a folder of skills is what `sigil build` and `sigil pack` copy of it. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from '@sigil-mcp/core';
import { skills } from '@sigil-mcp/skills';
import { connect } from '@sigil-mcp/testing';
import { copyProgramFiles } from '../src/files/program-files';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const FILES = {
  'SKILL.md': '---\nname: orders\ndescription: How to place an order.\n---\n[prices](references/prices.md)\n',
  'references/prices.md': 'prices',
  'scripts/run.ts': 'export {};',
  'node_modules/x/index.js': '',
  '.git/config': 'token',
  '..data/mounted.md': 'mounted',
  'references/.env': 'SECRET=1',
};
const LINKED = ['same/prices.md', 'mounted.md'];

/** The files that a client can read, by their paths in the skill. */
async function readableIn(folder: string): Promise<readonly string[]> {
  const server = createServer({
    name: 'shop',
    version: '1.0.0',
    logger: false,
    extensions: [skills({ folders: [folder] })],
  });
  const client = await connect(server);
  const readable: string[] = [];
  for (const path of [...Object.keys(FILES), ...LINKED]) {
    const read = client.readResource(`skill://orders/${path}`);
    await read.then(
      () => readable.push(path),
      () => undefined,
    );
  }
  await server.close();
  return readable;
}

it('serves the same files of a folder and of its copy', async () => {
  const original = folders.make(
    Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`skills/orders/${path}`, text])),
  );
  const skill = join(original, 'skills', 'orders');
  symlinkSync('references', join(skill, 'same'));
  symlinkSync('..data/mounted.md', join(skill, 'mounted.md'));
  symlinkSync('/etc', join(skill, '.outside'));
  const copy = join(folders.make(), 'skills');
  copyProgramFiles(join(original, 'skills'), copy);
  const served = await readableIn(join(original, 'skills'));
  expect(served).toEqual([...Object.keys(FILES).filter((path) => !/^\.|\/\./.test(path)), ...LINKED]);
  expect(await readableIn(copy)).toEqual(served);
});
