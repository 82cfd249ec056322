/** The sampled matrix: `all` is everything, the slices together are everything, and no slice is empty. */
import fc from 'fast-check';
import { readMatrix } from './matrix';

it('tests everything under "all"', () => {
  const { all, sample, runs } = readMatrix('all');
  expect([all, sample(['a', 'b', 'c']), runs(5000), runs(3)]).toEqual([true, ['a', 'b', 'c'], 5000, 3]);
});

it('tests every n-th member from the k-th in slice k/n, and a twentieth of the runs', () => {
  const { all, sample, runs } = readMatrix('2/3');
  expect([all, sample([...'abcdefgh'].map(String))]).toEqual([false, ['b', 'e', 'h']]);
  expect([runs(5000), runs(410), runs(400), runs(100), runs(20), runs(7)]).toEqual([250, 21, 20, 20, 20, 7]);
});

it('tests the first of five slices where nothing is said', () => {
  const members = [...'abcdefgh'];
  expect(readMatrix().sample(members)).toEqual(readMatrix('1/5').sample(members));
  expect(readMatrix(undefined).sample(members)).toEqual(['a', 'f']);
});

it('takes turns with a list that has fewer members than slices', () => {
  const slices = [1, 2, 3, 4, 5].map((slice) => readMatrix(`${slice}/5`).sample(['a', 'b']));
  expect(slices).toEqual([['a'], ['b'], ['a'], ['b'], ['a']]);
});

it('leaves out no member in all slices together, and no slice is empty', () => {
  const lists = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 12 }), (members, slices) => {
      const chosen = Array.from({ length: slices }, (_, index) => readMatrix(`${index + 1}/${slices}`).sample(members));
      expect(chosen.every(({ length }) => length > 0)).toBe(true);
      expect(new Set(chosen.flat())).toEqual(new Set(members));
    }),
  );
});

it.each(['', 'ALL', '0/5', '6/5', '1/0', '1', '1/5/2', ' 1/5', '1.5/5', '-1/5', '1/99999'])('refuses "%s"', (text) => {
  expect(() => readMatrix(text)).toThrow(
    `SIGIL_MATRIX is "${text}": write "all", or one of the slices, such as "2/5" for the second of five.`,
  );
});

it('has no sample of an empty list', () => {
  expect(() => readMatrix('all').sample([])).toThrow('There is no sample of an empty list.');
});
