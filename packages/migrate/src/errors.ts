/** The errors of `sigil migrate`, by code. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/base';
import { failuresOf } from '@sigil-mcp/cli/kit';

const ERRORS = defineErrors({
  SIGIL_MIGRATE_NOTHING: {
    problem: 'No file of {folder} imports {package}.',
    fix: 'Name the folder of the project that does: sigil migrate {name} <folder>.',
  },
  SIGIL_MIGRATE_UNCLEAN: {
    problem: '{folder} has changes that are not committed.',
    fix: 'Commit or stash them, so that you can see and undo what the migration changes, or add --force.',
  },
});

/** Makes the failure of a code. */
export const { failure } = failuresOf(ERRORS);

/** The section of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  { title: 'sigil migrate', about: 'Ends the command before a file is changed.', errors: ERRORS.entries },
];
