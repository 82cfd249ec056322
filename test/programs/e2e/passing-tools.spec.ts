/** What is made while a server runs and removed again leaves nothing behind. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { compileFixture } from '../../support/compile-fixture';
import { all } from '../../support/matrix';

const run = promisify(execFile);
const MEGABYTE = 1024 * 1024;
/** How many tools pass in each of four rounds; one that leaves its schema behind holds more than 2 KB. */
const EACH = all ? 2500 : 600;

describe('thousands of tools with schemas of their own that come, are called and go', () => {
  it('hold less than 2 MB in the end, beyond what the first quarter of them took', async () => {
    const program = compileFixture(require.resolve('./fixtures/passing-tools.ts'));
    const { stdout } = await run(process.execPath, ['--expose-gc', program, String(EACH)]);
    const { heaps, unexpected } = JSON.parse(stdout) as { heaps: number[]; unexpected: string[] };
    expect(unexpected).toEqual([]);
    expect(heaps).toHaveLength(4);
    const [first = 0] = heaps;
    expect((heaps.at(-1) ?? Infinity) - first).toBeLessThan(2 * MEGABYTE);
  }, 300_000);
});
