/** Which specs `npm test`, `npm run test:all` and CI run: nothing is left out by all of them, and nothing runs twice. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');

interface SpecFilter {
  chooseSpecs(paths: readonly string[], which?: string, matrix?: string, withSkipped?: readonly string[]): string[];
  leftOut(paths: readonly string[], chosen: readonly string[]): { name: string; count: number; what: string }[];
}
const { chooseSpecs, leftOut } = jest.requireActual<SpecFilter>('../../../scripts/spec-filter.cjs');
const sets = JSON.parse(readFileSync(join(root, 'test', 'spec-sets.json'), 'utf8')) as Readonly<
  Record<string, { readonly specs: readonly string[] }>
>;

const specs = ['packages', 'apps', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts') && !name.includes('node_modules'))
    .map((name) => join(root, folder, name)),
);

it('every set has specs', () => {
  const empty = Object.values(sets)
    .flatMap((set) => set.specs)
    .filter((start) => !specs.some((spec) => spec.startsWith(join(root, start))));
  expect(empty).toEqual([]);
});

it('what runs every day and the rest are everything, and nothing is in both', () => {
  const [everyday, rest] = [chooseSpecs(specs, 'everyday'), chooseSpecs(specs, 'rest', 'all', [])];
  expect([...everyday, ...rest].sort()).toEqual([...specs].sort());
  expect(chooseSpecs(specs).length).toBe(specs.length);
});

it('five slices of the matrix have every spec, and what does not go by turns is in each of them', () => {
  const slices = [1, 2, 3, 4, 5].map((slice) => chooseSpecs(specs, 'rest', `${slice}/5`, []));
  expect([...new Set(slices.flat())].sort()).toEqual(chooseSpecs(specs, 'rest', 'all', []).sort());
  const start = join(root, 'test', 'programs', 'e2e', 'start.spec.ts');
  expect(slices.filter((slice) => slice.includes(start)).length).toBe(5);
});

it('the rest has the specs in which npm test skipped tests', () => {
  const skipped = 'packages/redis/test/stores.spec.ts';
  expect(chooseSpecs(specs, 'rest', '1/5', [skipped])).toContain(join(root, skipped));
});

it('what is left out is told by its sets', () => {
  const told = leftOut(specs, chooseSpecs(specs, 'everyday'));
  expect(told.map(({ name }) => name).sort()).toEqual(Object.keys(sets).sort());
  expect(told.every(({ count, what }) => count > 0 && what.length > 0)).toBe(true);
});
