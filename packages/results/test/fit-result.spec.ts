/** Results that take exactly their budget are left as they are. */
import type { ContentBlock } from '@sigil-mcp/core';
import { fitResult, fits, fitContent, type Fitting } from '../src/served/fit-result';

const DATA = { items: ['one', 'two'] };
const { length } = JSON.stringify(DATA);
const answer = { content: [], structuredContent: DATA, isError: false };
const FILE: ContentBlock = { type: 'resource', resource: { uri: 'desk://plan', text: 'a plan' } };

/** The files that are kept. */
const kept: unknown[] = [];
const fitting = (characters: number): Fitting => ({
  tool: 'list',
  characters,
  keep: (rest) => Promise.resolve(`${kept.push(rest)}`),
});
beforeEach(() => void kept.splice(0));

it('lets data have all of the budget, and not a character more', () => {
  expect([length, length - 1].map((characters) => fits(answer, characters))).toEqual([true, false]);
});

it('lets a file have all of the budget, and makes a link of one that is a character longer', async () => {
  const characters = JSON.stringify(FILE).length;
  expect(await fitContent([FILE], fitting(characters))).toEqual([FILE]);
  expect(kept).toEqual([]);
  expect(await fitContent([FILE], fitting(characters - 1))).not.toContainEqual(FILE);
  expect(kept).toHaveLength(1);
});

it('keeps nothing of a list that has all of the budget beside content that is too long', async () => {
  const long = { ...answer, content: [FILE, FILE] };
  const { structuredContent } = await fitResult(long, { ...fitting(length), place: undefined });
  expect(structuredContent).toEqual(DATA);
  expect(kept.filter((rest) => (rest as { kind: string }).kind === 'list')).toEqual([]);
});
