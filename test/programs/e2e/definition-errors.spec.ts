/** What Node prints of a definition error that nobody catches. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const CORE = join(__dirname, '../../../packages/core');

const broken = `createServer({ name: '', version: ' ' })`;

it.each([
  ['a program', [], `require(${JSON.stringify(CORE)}).${broken}`],
  [
    'an ES module',
    ['--input-type=module'],
    `import sigil from ${JSON.stringify(`${CORE}/dist/index.js`)}; sigil.${broken}`,
  ],
  ['a promise that nobody awaits', [], `(async () => require(${JSON.stringify(CORE)}).${broken})()`],
  ['stacks that name sources', ['--enable-source-maps'], `require(${JSON.stringify(CORE)}).${broken}`],
])('prints every problem of a definition once, out of %s', (_, flags, program) => {
  const { status, stderr } = spawnSync(process.execPath, [...flags, '-e', program], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('The server has 2 definition errors:');
  expect(stderr.match(/its name is ""/g)).toHaveLength(1);
  expect(stderr.match(/its version is " "/g)).toHaveLength(1);
  expect(stderr.match(/\[SIGIL_BLANK_WORDS\]/g)).toHaveLength(2);
  expect(stderr).toContain("code: 'SIGIL_DEFINITION'");
});
