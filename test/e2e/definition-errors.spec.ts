/** What Node prints of a definition error that nobody catches. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const CORE = join(__dirname, '../../packages/core');

it('prints every problem of a definition once', () => {
  const program = `require(${JSON.stringify(CORE)}).createServer({ name: '', version: ' ' })`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('The server has 2 definition errors:');
  expect(stderr.match(/its name is ""/g)).toHaveLength(1);
  expect(stderr.match(/its version is " "/g)).toHaveLength(1);
  expect(stderr.match(/\[SIGIL_BLANK_WORDS\]/g)).toHaveLength(2);
  expect(stderr).toContain("code: 'SIGIL_DEFINITION'");
});
