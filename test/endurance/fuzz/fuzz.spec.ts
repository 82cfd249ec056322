/**
 * Whatever clients send, in whatever revision and over whatever way: the process lives, each readable id has exactly one answer
 * that fits the schema of its revision, nothing but JSON-RPC comes back, and nothing is held when they are gone. The inputs are
 * the same in each run, so that it means the same everywhere; `FUZZ_SEED` brings others, and `npm run fuzz` always has new ones.
 */
import { fuzzTarget } from './fuzz-target';
import { keptInputs } from './kept';
import { Stage } from './play-round';
import { TARGETS } from './targets';

/** Messages, lines and requests of one run, over all targets. */
const INPUTS = 20_000;
const seed = Number(process.env['FUZZ_SEED'] ?? 1_355_023_753);

it('what once failed does not fail again', async () => {
  for (const { file, target, conversations } of keptInputs()) {
    const stage = new Stage(TARGETS.find(({ name }) => name === target) ?? TARGETS[0]!);
    const problems = await stage.play(conversations);
    await stage.close();
    expect({ file, problems }).toEqual({ file, problems: [] });
  }
}, 120_000);

describe(`any input, from seed ${seed}`, () => {
  it.each(TARGETS)(
    'does no harm: $name',
    async (target) => {
      const inputs = Math.ceil(INPUTS * target.share);
      const { finding } = await fuzzTarget(target, { seed, inputs, shrinking: 30_000 });
      // `npm run fuzz -- --seed <seed>` finds it again, makes it smaller and keeps it.
      expect(finding && JSON.stringify({ seed, ...finding }).slice(0, 4000)).toBeUndefined();
    },
    300_000,
  );
});
