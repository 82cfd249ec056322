/** How the command ends: what it says, and its exit status. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { interruptible, type Interruption } from '../src/terminal/interruption';
import { Shell } from '../src/terminal/shell';
import { runCaptured, runCapturedIn } from '../../../test/support/captured-cli';
import { doctor, removeProjects } from '../../../test/support/sound-project';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

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

it('runs twice at once, each with its own streams, folder and status', async () => {
  const [whole, bare] = [folders.make({ 'package.json': '{}' }), folders.make()];
  const [copied, doctored] = await Promise.all([
    runCapturedIn({ cwd: whole }, 'copy', '--project', 'none.json'),
    runCapturedIn({ cwd: bare }, 'doctor'),
  ]);
  expect(copied.stderr).toContain(whole);
  expect(copied.stderr).not.toContain(bare);
  expect(doctored).toEqual({ status: 1, stdout: '', stderr: expect.stringContaining(bare) });
  expect(process.exitCode).toBeUndefined();
});

it('is interrupted by the signal that it is given, also by one that was aborted before', async () => {
  const waiting = ({ signal }: Interruption): Promise<never> =>
    new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const controller = new AbortController();
  const interrupted = interruptible(new Shell({ signal: controller.signal }), waiting);
  controller.abort();
  await expect(interrupted).rejects.toMatchObject({ exitCode: 130 });
  await expect(interruptible(new Shell({ signal: controller.signal }), waiting)).rejects.toMatchObject({
    exitCode: 130,
  });
});

/** Programs of their own, what starts one, and the shell itself. */
const OF_THE_PROCESS =
  /^(?:main|compile-cache|terminal.shell|causes.report-\w+|contract.report-description|declared.report-entries|replay.record-program|doctor.dtos.load-classes|doctor.check-below-guard|build.(?:code-cache|registry-data)|dev.child-server|own-programs)\.ts$/;

it.each(['cli', 'openapi', 'migrate', 'publish', 'install', 'inspector'])(
  'reads streams, folder, environment and signals of the process in one file, in %s',
  (name) => {
    const sources = join(__dirname, '..', '..', name, 'src');
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const reading = files.filter(
      (file) =>
        !OF_THE_PROCESS.test(file) &&
        /(?<!#)\bprocess\.(?:stdin|stdout|stderr|cwd|env|exitCode|exit|on|once|off)\b/.test(
          readFileSync(join(sources, file), 'utf8'),
        ),
    );
    expect(reading).toEqual([]);
  },
);
