/** The errors of this package for authors of servers. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

const ERRORS = defineErrors({
  SIGIL_RESULTS_SECRETS: {
    problem:
      'resultBudgets({ store }) keeps results where other processes read them, but the server has no secrets to seal them with.',
    fix: 'Set the variable SIGIL_SECRETS, or createServer({ requestState: { secrets } }), to a secret of at least 32 characters, the same for all instances.',
  },
  SIGIL_RESULTS_SHARE: {
    problem: '{store}({ charactersPerCaller }) is {value}, but all callers together have {most}.',
    fix: 'Pass at most {most}, raise characters, or leave charactersPerCaller out: it follows from characters.',
  },
  SIGIL_BUDGET: {
    problem: 'its option budget{member} is {value}.',
    fix: "Pass {wanted}, as in @Tool('...', { budget: 8_000 }).",
  },
  SIGIL_BUDGET_SCHEMA: {
    problem: 'it has a budget, but its output {what}, so nothing of it can be left out.',
    fix: 'Return an object with a list, as in { books: Book[] }, or remove the option budget.',
  },
  SIGIL_BUDGET_LIST: {
    problem: 'it has a budget, but its output {what}.',
    fix: "Name one of its lists, as in budget: { characters: 8_000, list: '{known}' }.",
  },
  SIGIL_BUDGET_MEMBER: {
    problem: 'it has a budget, which adds {member} to its {part}, but it has a {member} of its own.',
    fix: 'Rename it, or remove the option budget if the tool divides its results into pages itself.',
  },
});

/** Make errors of this package: thrown, and reported as problems of a definition, with a place or without. */
export const { error: resultsError, problem: resultsProblem, words: resultsWords } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Results that fit',
    about: 'Found when a server with `resultBudgets()` is defined or starts.',
    errors: ERRORS.entries,
  },
];
