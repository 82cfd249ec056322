/** How deep a text is nested, compared with what its value is. */
import fc from 'fast-check';
import { isDeeperThan, isValueDeeperThan } from '../src/jsonrpc/parse-message';
import { runs } from '../../../test/support/matrix';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('the depth of a JSON text', () => {
  it('is that of its value, whatever brackets and quotes its strings hold', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[[\]{}"\\,:]{0,30}$/));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 8 },
        texts,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(texts, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.nat(10), fc.constantFrom(undefined, 2), (value, levels, indent) => {
        expect(isDeeperThan(levels, JSON.stringify(value, null, indent))).toBe(depthOf(value) > levels);
        expect(isValueDeeperThan(levels, value)).toBe(depthOf(value) > levels);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('is found in linear time', () => {
    const started = process.cpuUsage().user;
    expect(isDeeperThan(200, `"${'['.repeat(4_000_000)}"`)).toBe(false);
    expect(isDeeperThan(200, `[${'{},'.repeat(1_300_000)}0]`)).toBe(false);
    expect(isDeeperThan(200, `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`)).toBe(true);
    // Microseconds of work, whatever else the machine does; what is not linear would take hours.
    expect(process.cpuUsage().user - started).toBeLessThan(5_000_000);
  });
});
