/** How sigil counts tokens, and what it counts of a definition. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { costOf, offerCost, partsOf } from '../src/budget/offer-cost';
import type { OfferedEntry } from '../src/offer/offered-server';
import { loadTokenizer } from '../src/tokens/count-tokens';
import { cpuGrowth } from '../../../test/support/cpu-growth';

const count = loadTokenizer(__dirname);

it('counts as the tokenizer does, and special tokens as words', () => {
  const text = 'Finds notes by words of their title.\n{"type":"object","properties":{"words":{"type":"string"}}}';
  expect(count(text)).toBe(encode(text).length);
  expect(count('')).toBe(0);
  expect(count('<|endoftext|>')).toBeGreaterThan(1);
});

it('counts a long run of characters nearly as the tokenizer does, in linear time', () => {
  const run = 'a1'.repeat(2000);
  expect(Math.abs(count(run) / encode(run).length - 1)).toBeLessThan(0.02);
  for (const one of ['x', ' '])
    expect(cpuGrowth((length) => count(one.repeat(length)), 10_000, 200_000)).toBeLessThan(5);
});

it('counts the beginning of a text that is over every budget, and the rest of it in proportion', () => {
  const words = 'one two three four '.repeat(5_500);
  expect(words.length).toBeGreaterThan(100_000);
  expect(Math.abs(count(words) / encode(words).length - 1)).toBeLessThan(0.01);
  const beginning = 'word '.repeat(20_000);
  expect(count(beginning + '\u{1f600}'.repeat(50_000))).toBe(2 * encode(beginning).length);
});

const tool = (key: string, listed: object): OfferedEntry => ({ kind: 'tool', key, listed: { name: key, ...listed } });
const states = { type: 'string', enum: ['open', 'closed'], description: 'The state of the issues to find' };
const find = tool('findIssues', {
  description: 'Finds issues',
  inputSchema: { type: 'object', properties: { state: states, page: { anyOf: [{ description: 'The page' }] } } },
  outputSchema: { type: 'object', properties: { issues: { type: 'array' } } },
  _meta: { a: 'word '.repeat(500) },
});
const close = tool('closeIssue', {
  description: 'Closes an issue',
  inputSchema: { type: 'object', properties: { state: states } },
});

it('counts of a tool what hosts pass on, and its result apart', () => {
  const { tokens, name, description, arguments: input, result } = costOf(find, count);
  expect([name, description].every((part) => part > 0)).toBe(true);
  expect(tokens).toBeGreaterThan(name + description + input);
  expect(tokens).toBeLessThan(name + description + input + 15);
  expect(result).toBeGreaterThan(10);
});

it('names the texts of a definition by their place, at every depth', () => {
  expect(partsOf(find)).toEqual([
    { where: 'description', text: 'Finds issues' },
    { where: 'state: 2 values', text: '["open","closed"]' },
    { where: 'state: description', text: 'The state of the issues to find' },
    { where: 'page: description', text: 'The page' },
  ]);
});

it('adds up lists and audiences, the dearest first, and counts equal texts together', () => {
  const audiences = [
    { name: 'without a token', sees: [close] },
    { name: 'with a token', sees: [find, close] },
  ];
  const server = { name: 'issues', instructions: 'Finds and closes issues.', revision: '2026-07-28' };
  const cost = offerCost({ ...server, entries: [find, close], audiences }, count);
  const [dearest, other] = cost.audiences;
  const sum = cost.entries.reduce((all, { tokens }) => all + tokens, 0);
  expect(dearest).toMatchObject({ name: 'with a token', tools: 2, tokens: cost.instructions + sum });
  expect(other).toMatchObject({ name: 'without a token', tools: 1 });
  const shared = cost.texts.find(({ text }) => text === states.description);
  expect(shared?.tokens).toBe(2 * count(states.description));
  expect(shared?.places.map(({ entry, where }) => [entry.key, where])).toEqual([
    ['findIssues', 'state: description'],
    ['closeIssue', 'state: description'],
  ]);
});
