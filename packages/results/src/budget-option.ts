/** The option `budget` of tools. */
import { createFact, entryOption, type EntryOption } from '@sigil-mcp/core';
import { isObject, nameValue, type OptionRule } from '@sigil-mcp/core/adapter';
import { resultsWords } from './errors';
import { RESULT_BUDGETS } from './names';

/** How long the results of a tool may be, and what is done with the rest. */
export interface BudgetSettings {
  /** Characters of a result as the model reads it, at least 1,000. Four of them are about one token of English. */
  readonly characters: number;
  /** The member of its output that is cut; its only list if left out. */
  readonly list?: string;
  /** Milliseconds that the rest can be read; `resultBudgets({ ttl })` if left out. */
  readonly ttl?: number;
}

declare module '@sigil-mcp/core' {
  interface ToolOptions {
    /**
     * Characters of its results, at least 1,000: a longer result is cut after a whole item, with a cursor for the next part, and a resource with
     * the rest. Any length if left out. The server needs `extensions: [resultBudgets()]`.
     * @example budget: 8_000
     */
    readonly budget?: number | BudgetSettings;
  }
}

/** What the option says. */
export const BUDGET = createFact<BudgetSettings>({ label: 'The option budget', extension: RESULT_BUDGETS });

/** The smallest budget: what a cut result says of itself takes some hundred characters. */
export const LEAST_CHARACTERS = 1000;

const CHARACTERS: OptionRule = {
  wanted: `a whole number of characters, at least ${LEAST_CHARACTERS}`,
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= LEAST_CHARACTERS,
};

const MEMBERS: Readonly<Record<string, OptionRule>> = {
  characters: CHARACTERS,
  list: { wanted: 'the name of a list of the output', fits: (value) => typeof value === 'string' && value !== '' },
  ttl: {
    wanted: 'milliseconds, more than 0',
    fits: (value) => typeof value === 'number' && value > 0 && Number.isFinite(value),
  },
};

/** Adds the option to tools. */
export const BUDGET_OPTION: EntryOption = entryOption({
  kind: 'tool',
  name: 'budget',
  fact: BUDGET,
  read(value, report) {
    const isSpelt = isObject(value) && !Array.isArray(value);
    const settings: Readonly<Record<string, unknown>> = isSpelt ? value : { characters: value };
    const members = Object.entries({ characters: undefined, ...settings });
    const wrong = members.filter(([name, each]) => {
      if (each === undefined && name !== 'characters') return false;
      return !memberOf(name)?.fits(each);
    });
    for (const [name, each] of wrong) {
      const wanted = memberOf(name)?.wanted ?? `only ${Object.keys(MEMBERS).join(', ')}`;
      report(resultsWords('SIGIL_BUDGET', { member: isSpelt ? `.${name}` : '', value: nameValue(each), wanted }));
    }
    // All members were checked.
    return wrong.length === 0 ? (settings as unknown as BudgetSettings) : undefined;
  },
});

function memberOf(name: string): OptionRule | undefined {
  return Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
}
