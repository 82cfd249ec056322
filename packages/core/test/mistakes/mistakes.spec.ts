/** The table of mistakes: what newcomers do wrong, and the whole message that each gives. */
import { DefinitionError, SigilError } from '../../src';
import { ACCESS_MISTAKES } from './access-mistakes';
import { DTO_MISTAKES } from './dto-mistakes';
import { ENTRY_MISTAKES } from './entry-mistakes';
import { FIXED_CLASSES } from './fixed-classes';
import { FIXED_ENTRIES } from './fixed-entries';
import type { Mistake } from './mistake';
import { RULE_MISTAKES } from './rule-mistakes';
import { SERVER_MISTAKES } from './server-mistakes';
import { TEXT_MISTAKES } from './text-mistakes';

/** All that is said of a mistake. */
function saidOf(make: () => unknown): string[] {
  try {
    make();
    return [];
  } catch (error) {
    if (error instanceof DefinitionError)
      return error.problems.map(({ where, problem, fix, code }) => `${where}: ${problem} ${fix} [${code}]`);
    if (error instanceof SigilError) return [`${error.message} [${error.code}]`];
    throw error;
  }
}

describe.each<[string, readonly Mistake[]]>([
  ['in a rule', RULE_MISTAKES],
  ['in a class of arguments', DTO_MISTAKES],
  ['in a feature', ENTRY_MISTAKES],
  ['in a resource or a prompt', TEXT_MISTAKES],
  ['in a server', SERVER_MISTAKES],
  ['in what callers need', ACCESS_MISTAKES],
])('a mistake %s', (_place, mistakes) => {
  it.each(mistakes)('says where it is, what is wrong and how to fix it: $title', ({ make, says }) => {
    expect(saidOf(make)).toEqual([says]);
  });
});

it.each(Object.entries({ ...FIXED_CLASSES, ...FIXED_ENTRIES }))('the code that fixes %s is accepted', (_code, make) => {
  expect(saidOf(make)).toEqual([]);
});

it('the table has at least forty mistakes, each with its own message', () => {
  const all = [
    ...RULE_MISTAKES,
    ...DTO_MISTAKES,
    ...ENTRY_MISTAKES,
    ...TEXT_MISTAKES,
    ...SERVER_MISTAKES,
    ...ACCESS_MISTAKES,
  ];
  const said = all.map(({ says }) => says);
  expect(said.length).toBeGreaterThanOrEqual(40);
  expect(new Set(said).size).toBe(said.length);
});
