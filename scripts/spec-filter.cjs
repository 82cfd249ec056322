/**
 * Which specs a run has, by SIGIL_SPECS: `everyday` (what `npm test` runs), `rest` (what it leaves, and the specs in which it skipped
 * tests), `all` or nothing (everything). Sets that go by turns are divided by SIGIL_MATRIX: each slice has its share of their specs.
 * `jest --filter` calls it.
 */
const { existsSync, readFileSync } = require('node:fs');
const { join, relative, sep } = require('node:path');

const root = join(__dirname, '..');
const sets = Object.entries(JSON.parse(readFileSync(join(root, 'test', 'spec-sets.json'), 'utf8')));

/** The specs in which the last `npm test` skipped tests, one path a line. */
const skippedFile = join(root, '.sigil', 'specs-with-skipped-tests');

/** A path as the sets have it: `test/programs/e2e/start.spec.ts`. */
const nameOf = (path) => relative(root, path).split(sep).join('/');

/** The name of the first set that a spec belongs to; undefined for the specs of every day. */
function setOf(name) {
  return sets.find(([, { specs }]) => specs.some((start) => name.startsWith(start)))?.[0];
}

/** The specs (paths) of a run. `which`: everyday, rest or all. `matrix`: as SIGIL_MATRIX. `withSkipped`: names of specs in which tests were skipped. */
function chooseSpecs(paths, which = 'all', matrix = 'all', withSkipped = readSkipped()) {
  const named = paths
    .map((path) => ({ path, name: nameOf(path) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const inTurns = named.filter(({ name }) => new Map(sets).get(setOf(name))?.byTurns === true);
  const [slice, slices] = matrix === 'all' ? [1, 1] : matrix.split('/').map(Number);
  const otherTurns = new Set(inTurns.filter((_, index) => index % slices !== slice - 1));
  const skipped = which === 'rest' ? withSkipped : [];
  return named
    .filter((spec) => {
      const isEveryday = setOf(spec.name) === undefined;
      if (which === 'everyday') return isEveryday;
      return (which === 'all' || !isEveryday || skipped.includes(spec.name)) && !otherTurns.has(spec);
    })
    .map(({ path }) => path);
}

function readSkipped() {
  return existsSync(skippedFile) ? readFileSync(skippedFile, 'utf8').split('\n') : [];
}

/** What a run leaves out: the name of each set -> its number of specs. */
function leftOut(paths, chosen) {
  const counts = new Map();
  const has = new Set(chosen);
  for (const path of paths.filter((each) => !has.has(each))) {
    const set = setOf(nameOf(path));
    counts.set(set, (counts.get(set) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count, what: new Map(sets).get(name)?.what }));
}

module.exports = (paths) => ({ filtered: chooseSpecs(paths, process.env.SIGIL_SPECS, process.env.SIGIL_MATRIX) });
Object.assign(module.exports, { chooseSpecs, leftOut, nameOf, skippedFile });
