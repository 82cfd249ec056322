/**
 * The specs for a change: those of the packages that it touches, those that name a changed script, table or page, and those that
 * check the whole repository.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { root } from './prepare.mjs';
import { runNode } from './run-command.mjs';

/** These specs start or install programs. */
const slow = [
  'test/documents/docs',
  'test/programs/e2e',
  'test/endurance/account',
  'test/endurance/faults',
  'test/endurance/fuzz',
  'test/programs/packaging',
  'test/behaviour/wire',
];
/** These specs read all files. */
const always = ['test/judges/architecture.spec.ts', 'test/documents/readme.spec.ts'];

/**
 * @param files that have changed
 * @returns the paths of specs to run, and a description of the relevant specs that are skipped
 */
export async function chooseSpecs(files) {
  const touched = new Set(files.map(memberOf).filter((member) => member !== undefined));
  const { namers, unseen } = findNamers(files);
  const related = new Set([...(await relatedSpecs([...files, ...namers])), ...always]);
  // Templates and manifests are not imported.
  for (const file of files) {
    const member = memberOf(file);
    if (member && !file.endsWith('.ts'))
      filesUnder(`${member}/test`)
        .filter(isSpec)
        .forEach((spec) => related.add(spec));
  }
  const reasons = new Map();
  const chosen = [...related].sort().filter((spec) => {
    const reason = files.includes(spec) ? undefined : reasonAgainst(spec, { touched, namers });
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  const leftOut = [...reasons].map(([reason, number]) => `${number} of ${reason}`);
  return { chosen, leftOut: [...leftOut, ...unseen.map((file) => `what depends on ${file} (no spec is known to)`)] };
}

/** The reason why a relevant spec is skipped. */
function reasonAgainst(spec, { touched, namers }) {
  const folder = slow.find((each) => spec.startsWith(`${each}/`));
  if (folder) return `${folder} (slow)`;
  const member = memberOf(spec);
  return member && !touched.has(member) && !namers.has(spec) ? `${member} (only its imports have changed)` : undefined;
}

/** The specs and helpers that name a file which is not imported as a module, and the files that no spec names. */
function findNamers(files) {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  );
  const helpers = ['test', ...folders.map((folder) => `${folder}/test`)].flatMap(filesUnder);
  const texts = helpers.map((helper) => [helper, readFileSync(join(root, helper), 'utf8')]);
  const namers = new Set();
  const unseen = files.filter((file) => {
    const member = memberOf(file);
    if (member) return !file.endsWith('.ts') && !filesUnder(`${member}/test`).some(isSpec);
    if (file.startsWith('test/') && file.endsWith('.ts')) return false;
    const name = new RegExp(`(?<![\\w.-])${basename(file).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`);
    const found = texts.filter(([, text]) => name.test(text));
    for (const [helper] of found) namers.add(helper);
    return found.length === 0;
  });
  return { namers, unseen };
}

/** The package or app of a file, such as `packages/core`. */
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

/** The sources below a folder. */
function filesUnder(folder) {
  if (!existsSync(join(root, folder))) return [];
  const names = readdirSync(join(root, folder), { recursive: true }).map((name) => name.split(sep).join('/'));
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`);
}

function isSpec(file) {
  return file.endsWith('.spec.ts');
}
