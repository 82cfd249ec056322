/** What counts as a name in the text of a skill. */
import { findReferences } from '../src/scan/read-skill';
import { cpuGrowth } from '../../../test/support/cpu-growth';

const namesIn = (body: string): string[] =>
  findReferences({ body, bodyLine: 5, folder: 'skill://a', where: 'a.md' }).map(
    ({ name, where }) => `${name} ${where.slice('a.md:'.length)}`,
  );

describe('the text of a skill', () => {
  it('names tools and prompts by calls in backticks, and resources by URIs', () => {
    expect(
      namesIn('Call `create_order({ "item": 1 })`, then `orders.list()`.\nRead ``weather://oslo/today``.'),
    ).toEqual(['create_order 5:7', 'orders.list 5:43', 'weather://oslo/today 6:8']);
    expect(namesIn('`weather://{city}/today` [today](weather://oslo)')).toEqual([
      'weather://{city}/today 5:2',
      'weather://oslo 5:26',
    ]);
  });

  it('names nothing in other words, paths and blocks of code', () => {
    expect(namesIn('create_order() `create_order` `templates/` `a b()` `f(x) + 1` `(x)` `1()` `` `f()` ``')).toEqual(
      [],
    );
    const blocks = ['```ts', 'x = `f()`', '```', '- ~~~', '  `g()`', '  ~~~', '> ```', '> `h()`', '> ```', '`i()`'];
    expect(namesIn(blocks.join('\n'))).toEqual(['i 14:2']);
    expect(namesIn('````\n```\n`f()`\n```\n````\n`g()`')).toEqual(['g 10:2']);
    expect(namesIn('A lonely ` and `f()`')).toEqual([]);
  });

  it.each(['[', '`', '``` ', '> ', '[](', '`a(', '!['])('is read in linear time, even of %s alone', (odd) => {
    const read = (pieces: number): unknown => namesIn(`${odd.repeat(pieces / 20)}\n${odd.repeat(pieces)}`);
    expect(cpuGrowth(read, 10_000, 200_000)).toBeLessThan(5);
  });
});
