/** The errors of this package. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

const ERRORS = defineErrors({
  SIGIL_CONTRACT_FILE: {
    problem: '{file} is not a contract: {reason}.',
    fix: 'Write it with sigil contract, or take it from your version control.',
  },
  SIGIL_CONTRACT_FORMAT: {
    problem: '{file} is a contract in the format {format}, which this version cannot read.',
    fix: 'Use the newest version of @sigil-mcp/cli, or write the file again with sigil contract.',
  },
});

/** Makes an error of this package, to be thrown. */
export const { error: contractError } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Contracts',
    about: 'Thrown where the contract of a server is read, and where calls are recorded.',
    errors: ERRORS.entries,
  },
];
