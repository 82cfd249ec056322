/** How much of the tools that a search has found is described. */
import type { EntryFacts } from '@sigil-mcp/core';
import { describeFound } from '../src/search/found-tools';

// Of an entry, its name and its definition are described.
const entry = (key: string) =>
  ({
    key,
    definition: { name: key, description: 'Sends', inputSchema: { type: 'object' } },
  }) as unknown as EntryFacts<'tool'>;
const lengthOf = (value: object): number => JSON.stringify(value).length;

it('describes tools whole as long as they have room, to its last character', () => {
  const all = ['one', 'two'].map(entry);
  const { tools } = describeFound(all, 1000);
  const room = tools.reduce((sum, tool) => sum + lengthOf(tool), 0);
  expect(describeFound(all, room)).toEqual({ tools });
  const [first, second] = describeFound(all, room - 1).tools;
  expect(first).toEqual(tools[0]);
  expect(second).toEqual({ name: 'two', description: 'Sends' });
});

it('describes the first tool whole, also where there is no room', () => {
  expect(describeFound([entry('one')], 0).tools).toMatchObject([{ name: 'one', inputSchema: { type: 'object' } }]);
});
