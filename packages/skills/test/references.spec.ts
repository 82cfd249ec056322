/** What counts as a name in the text of a skill. */
import { findReferences } from '../src/text/find-references';

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

  it('is read in little time, however it looks', () => {
    const start = performance.now();
    for (const odd of ['[', '`', '``` ', '> ', '[](', '`a(', '!['])
      namesIn(`${odd.repeat(4000)}\n${odd.repeat(1_000_000)}`);
    expect(performance.now() - start).toBeLessThan(25_000);
  });
});
