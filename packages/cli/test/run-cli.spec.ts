/** How the command ends: what it says, and its exit status. */
import { runCaptured } from './captured-cli';
import { doctor, removeProjects } from './sound-project';
import { TemporaryFolders } from './temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => {
  removeProjects();
  folders.removeAll();
});

it('says what is wrong with its code behind it, and how to fix it in a line to copy from', async () => {
  const folder = folders.make();
  expect(await runCaptured('doctor', folder)).toEqual({
    status: 1,
    stdout: '',
    stderr: `There is no package.json in ${folder} or in a folder above it. [SIGIL_PROJECT_MANIFEST]\nGo to the folder of a server.\n`,
  });
});

it('shows the stack of an error that nobody foresaw, and nothing of it that a terminal would obey', async () => {
  const { status, stderr } = await doctor({ 'node_modules/broken/package.json': '\u001b[2J' });
  expect(status).toBe(70);
  expect(stderr).toMatch(/^SyntaxError: .*\\u001b.*\n {4}at /);
  expect(stderr).not.toContain('\u001b');
});
