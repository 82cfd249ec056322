/** Which specs see a change first: those of the packages that it touches, and what holds across them. */
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './prepare.mjs';
import { runNode } from './run-command.mjs';

/** They start programs, or install them. */
const slow = ['test/e2e', 'test/packaging', 'test/wire'];
/** They look at all files. */
const always = ['test/architecture.spec.ts', 'test/readme.spec.ts'];

/**
 * @param files that have changed
 * @returns the paths of specs to run, and what of the specs that could see the change is left out, in words
 */
export async function chooseSpecs(files) {
  const touched = new Set(files.map(memberOf).filter((member) => member !== undefined));
  const related = new Set([...(await relatedSpecs(files)), ...always]);
  // Nobody imports a template or a manifest.
  for (const file of files) {
    const member = memberOf(file);
    if (member && !file.endsWith('.ts')) specsUnder(member).forEach((spec) => related.add(spec));
  }
  const reasons = new Map();
  const chosen = [...related].sort().filter((spec) => {
    const reason = files.includes(spec) ? undefined : reasonAgainst(spec, touched);
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  return { chosen, leftOut: [...reasons].map(([reason, number]) => `${number} of ${reason}`) };
}

/** Why a spec is not run, though it could see the change. */
function reasonAgainst(spec, touched) {
  const folder = slow.find((each) => spec.startsWith(`${each}/`));
  if (folder) return `${folder} (slow)`;
  const member = memberOf(spec);
  return member && !touched.has(member) ? `${member} (only its imports have changed)` : undefined;
}

/** `packages/core`, for what belongs to it. */
function memberOf(file) {
  return /^(?:packages|apps)\/[^/]+(?=\/)/.exec(file)?.[0];
}

async function relatedSpecs(files) {
  const sources = files.filter((file) => file.endsWith('.ts'));
  if (sources.length === 0) return [];
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--listTests', '--json', '--findRelatedTests', ...sources];
  const { output } = await runNode(jest, args, { cwd: root, capture: true });
  const list = output.split('\n').find((line) => line.startsWith('[')) ?? '[]';
  return JSON.parse(list).map((path) => relative(root, path).split(sep).join('/'));
}

function specsUnder(member) {
  const names = readdirSync(join(root, member), { recursive: true }).map((name) => name.split(sep).join('/'));
  return names.filter((name) => /^test\/.*\.spec\.ts$/.test(name)).map((name) => `${member}/${name}`);
}
