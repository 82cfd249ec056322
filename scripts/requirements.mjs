/**
 * `npm run requirements`: lists which requirements in test/judges/requirements a test names and so proves.
 * `--json` prints the report as data; `--check` fails if a MUST or MUST NOT in scope is neither proven nor excused.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provenIds } from './requirements/proven-ids.mjs';
import { writeReport } from './requirements/write-report.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name) => JSON.parse(readFileSync(join(root, 'test', 'judges', 'requirements', name), 'utf8'));

const requirements = read('requirements.json');
const scope = read('scope.json');
const { proofs, malformed } = provenIds(root);
const known = new Set(requirements.map(({ id }) => id));
const unknown = [...proofs.keys()].filter((id) => !known.has(id));

const judged = requirements.map((requirement) => ({ ...requirement, ...stateOf(requirement) }));
const broken = judged.filter(({ state, level }) => state === 'open' && /^MUST/.test(level));

if (process.argv.includes('--json')) {
  process.stdout.write(`${JSON.stringify({ unknown, malformed, requirements: judged }, null, 2)}\n`);
} else {
  process.stdout.write(writeReport(judged));
}
for (const id of unknown) complain(`${id} is named in ${proofs.get(id).join(', ')}, but there is no such requirement.`);
for (const { title, file } of malformed) complain(`The ids in '${title}' (${file}) cannot be read.`);
if (process.argv.includes('--check')) {
  for (const { id, level } of broken)
    complain(`${id} (${level}) is neither proven by a test nor excused in scope.json.`);
}

/** proven, open, later or untestable; the last two with their reason. */
function stateOf({ id, area }) {
  if (proofs.has(id)) return { state: 'proven', files: proofs.get(id) };
  const areaReason = scope.areas.later[area];
  if (areaReason) return { state: 'later', reason: areaReason };
  if (scope.later[id]) return { state: 'later', reason: scope.later[id] };
  if (scope.untestable[id]) return { state: 'untestable', reason: scope.untestable[id] };
  return { state: 'open' };
}

function complain(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
