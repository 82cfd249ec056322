/** What a program that a command starts inherits. */
import { join } from 'node:path';
import { readTarget } from '../src/targets/read-target';
import { Shell } from '../src/terminal/shell';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const OTHERS = { PATH: '/bin', API_KEY: 'key', SIGIL_LOG_FORMAT: 'json' };
const CREDENTIALS = { SIGIL_TOKEN: 'a', SIGIL_SECRETS: 'b', SIGIL_AUDIT_SECRET: 'c', sigil_other_key: 'd' };

async function inherited(cwd: string, words: readonly string[]): Promise<NodeJS.ProcessEnv | undefined> {
  const shell = new Shell({ cwd, env: { ...OTHERS, ...CREDENTIALS } });
  const target = await readTarget(shell, words, new AbortController().signal);
  return target.kind === 'command' ? target.env : undefined;
}

const temporary = new TemporaryFolders();
afterEach(() => temporary.removeAll());

/** A project beside another one. */
function project(): string {
  const files = ['own/dist/main.js', 'own/data.json', 'own/node_modules/strange/main.js', 'own-too/main.js'];
  return join(temporary.make(Object.fromEntries(files.map((file) => [file, '']))), 'own');
}

it.each([
  ['of a package that it fetches', ['npx -y strange-server']],
  ['in separate words', ['npx', '-y', 'strange-server']],
  ['of a package of the project', ['node node_modules/strange/main.js']],
  ['whose file is a package of the project', ['node_modules/strange/main.js']],
  ['of another folder', ['node ../own-too/main.js']],
  ['whose file is in another folder', ['../own-too/main.js']],
  ['that is given the folder', ['strange-server .']],
  ['that is given a file of the folder', ['npx strange-server data.json']],
  ['of a package, which is given a file of the folder', ['node node_modules/strange/main.js data.json']],
])('gives a program %s no credentials of Sigil', async (_which, words) => {
  expect(await inherited(project(), words)).toEqual(OTHERS);
});

it.each([
  ['as a file', ['dist/main.js']],
  ['as a command', ['node dist/main.js']],
  ['with the path of its runtime', [`${process.execPath} dist/main.js`]],
  ['in separate words', ['node', '--enable-source-maps', 'dist/main.js']],
])('gives a program of the folder the whole environment: %s', async (_how, words) => {
  expect(await inherited(project(), words)).toEqual({ ...OTHERS, ...CREDENTIALS });
});

it('gives the project around a folder the whole environment', async () => {
  const folder = temporary.make({ 'package.json': '{"main":"start.js"}', 'start.js': '', 'docs/page.md': '' });
  expect(await inherited(join(folder, 'docs'), [])).toEqual({ ...OTHERS, ...CREDENTIALS });
});
