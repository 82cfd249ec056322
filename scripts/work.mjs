/**
 * `npm run work`: counts the work of a call on every transport and prints it next to the recorded counts. `--record` records it, for
 * test/measures/work/work.spec.ts to compare with.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '..', 'test', 'measures', 'work');
const file = join(folder, 'recorded.json');
const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
const counted = JSON.parse(execFileSync(process.execPath, ['--no-opt', join(folder, 'count-work.cjs')], options));
const recorded = JSON.parse(readFileSync(file, 'utf8'));

for (const [way, { total, writes }] of Object.entries(counted.ways)) {
  const before = recorded.ways?.[way];
  console.log(
    `${way}: ${total} calls (recorded ${before?.total ?? 'none'}), ${writes} writes (${before?.writes ?? 'none'})`,
  );
}
if (process.argv.includes('--record')) writeFileSync(file, tableOf(counted));

/** One line for each transport and each function, so that diffs are readable. */
function tableOf({ ways, functions }) {
  const lines = (object) =>
    Object.entries(object).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n  "ways": {\n${lines(ways).join(',\n')}\n  },\n  "functions": {\n${lines(functions).join(',\n')}\n  }\n}\n`;
}
