/** The contract of stores runs in other test runners than jest. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

it('runs in the test runner of Node, which ends when nothing keeps the process', () => {
  const words = ['--test-reporter=tap', join(__dirname, 'fixtures', 'stores-in-node.cjs')];
  const { stdout, status } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect([status, /^# cancelled 0$/m.test(stdout), stdout]).toEqual([0, true, stdout]);
  expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(50);
});
