/**
 * `npm run weight`: how heavy this repository is, next to what was recorded last; exits with 1 if a figure has become worse.
 * `--record` records the figures. Where one has become worse, `--because "..."` says why, and the record keeps the reason.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compareWeight, nextRecord } from './weight/compare-weight.mjs';
import { FIGURES, measureWeight } from './weight/measure-weight.mjs';

const root = resolve(import.meta.dirname, '..');
const file = join(root, 'scripts', 'weight', 'recorded.json');
const { values } = parseArgs({ options: { record: { type: 'boolean' }, because: { type: 'string' } } });
const measured = measureWeight(root);
const recorded = JSON.parse(readFileSync(file, 'utf8'));
const compared = compareWeight(measured, recorded);

for (const { name, before, now, change } of compared) {
  const against = change === 'none' ? '' : ` (${change} than ${before})`;
  console.log(`${String(now).padStart(7)}  ${name}: ${FIGURES[name].counts}${against}`);
}
const next = values.record ? nextRecord(measured, recorded, values.because) : undefined;
if (next) {
  writeFileSync(file, `${JSON.stringify(next, null, 2)}\n`);
  console.log('Recorded.');
} else if (compared.some(({ change }) => change === 'worse')) {
  console.log('Heavier than before: make it lighter, or record it with its reason (--record --because "...").');
  process.exitCode = 1;
} else if (compared.some(({ change }) => change === 'better')) {
  console.log('Lighter than before: npm run weight -- --record keeps it so.');
}
