/** `npm run fuzz -- --inputs 1000000 --seed 1 --target http`: as long as it takes; what fails is made smaller and kept. */
import { parseArgs } from 'node:util';
import { fuzzTarget } from './fuzz-target';
import { keep, keptInputs } from './kept';
import { Stage } from './play-round';
import { TARGETS } from './targets';

/** Milliseconds for making one failure smaller. */
const SHRINKING = 120_000;

async function main(): Promise<number> {
  const options = { seed: { type: 'string' }, inputs: { type: 'string' }, target: { type: 'string' } } as const;
  const { values } = parseArgs({ options });
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const inputs = Number(values.inputs ?? 1_000_000);
  const targets = TARGETS.filter(({ name }) => values.target === undefined || name === values.target);
  const whole = targets.reduce((sum, { share }) => sum + share, 0);
  say(`seed ${seed}, ${inputs} inputs (npm run fuzz -- --seed ${seed} --inputs ${inputs})`);
  let failures = await replayKept();
  for (const target of targets)
    failures += await fuzz(target, { seed, inputs: Math.ceil((inputs * target.share) / whole) });
  say(failures === 0 ? 'Nothing was found.' : `${failures} failed.`);
  return failures === 0 ? 0 : 1;
}

async function replayKept(): Promise<number> {
  let failures = 0;
  for (const { file, target, conversations } of keptInputs()) {
    const stage = new Stage(TARGETS.find(({ name }) => name === target) ?? TARGETS[0]!);
    const problems = await stage.play(conversations);
    await stage.close();
    if (problems.length > 0) say(`kept/${file} fails again: ${problems.join('\n')}`);
    failures += problems.length > 0 ? 1 : 0;
  }
  return failures;
}

async function fuzz(
  target: (typeof TARGETS)[number],
  { seed, inputs }: { seed: number; inputs: number },
): Promise<number> {
  const began = performance.now();
  let told = began;
  const onProgress = (sent: number): void => {
    if (performance.now() < told + 30_000) return;
    told = performance.now();
    say(`  ${target.name}: ${sent} of ${inputs}`);
  };
  const outcome = await fuzzTarget(target, { seed, inputs, shrinking: SHRINKING, onProgress });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(`${target.name}: ${outcome.inputs} inputs in ${seconds} s`);
  if (!outcome.finding) return 0;
  say(outcome.finding.problems.map((problem) => problem.slice(0, 2000)).join('\n'));
  if (outcome.finding.conversations.length > 0) say(`kept as ${keep(outcome.finding)}`);
  return 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main().then((code) => process.exit(code));
