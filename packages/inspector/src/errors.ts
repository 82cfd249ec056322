/** The errors of the page, by code. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/base';

const ERRORS = defineErrors({
  SIGIL_DEV_PAGE_REFUSED: {
    problem: 'The question was not answered in the page of sigil dev.',
    fix: 'Open the page, and answer it under Questions.',
  },
  SIGIL_DEV_PAGE_REQUEST: {
    problem: 'The request of the page is not valid: {reason}.',
    fix: 'Reload the page.',
  },
});

/** Makes the error of a code. */
export const { error: pageError } = ERRORS;

/** The section of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'The page of sigil dev',
    about: 'Answers a request of the page, or a question of the server.',
    errors: ERRORS.entries,
  },
];
