/** The errors of `sigil pack` and `sigil publish`, by code. */
import { defineErrors, type CatalogueEntries, type CatalogueGroup } from '@sigil-mcp/base';
import { failuresOf } from '@sigil-mcp/cli/kit';

/** Of `sigil pack`. */
const PACK_ERRORS = {
  SIGIL_PACK_FACTS: {
    problem: '{file} has no valid {members}, which the manifest needs.',
    fix: 'Add them, for example "author": "Ada Lovelace" and "version": "1.0.0".',
  },
  SIGIL_PACK_VERSION: {
    problem: 'The server says that its version is {said}, but package.json says {version}.',
    fix: "Read it from package.json: const { version } = require('../package.json'), as a new project does.",
  },
  SIGIL_PACK_DIFFERENT: {
    problem: 'The packed server ({what}) differs from the original: it {differences}.',
    fix: 'Look for files or packages that it reads at run time, and that are not imported. Nothing was written.',
  },
} as const satisfies CatalogueEntries;

/** Of `sigil publish --check`. */
const PUBLISH_ERRORS = {
  SIGIL_PUBLISH_CHECK: {
    problem: 'sigil publish publishes nothing itself.',
    fix: 'Run sigil publish --check, then npm publish and mcp-publisher publish.',
  },
  SIGIL_PUBLISH_PACK: {
    problem: 'npm pack does not pack the project: {reason}',
    fix: 'Run npm pack --dry-run, and fix what it says.',
  },
  SIGIL_PUBLISH_PROBLEMS: {
    problem: 'The server cannot be published: {count}.',
    fix: 'Fix what is listed above. Nothing was written.',
  },
  SIGIL_PUBLISH_STALE: {
    problem: 'Not up to date: {files}.',
    fix: 'Run sigil publish --check without --dry-run, and commit the change.',
  },
} as const satisfies CatalogueEntries;

/** Make the failure of a code. */
export const { failure, wrongUsage } = failuresOf(defineErrors({ ...PACK_ERRORS, ...PUBLISH_ERRORS }));

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  { title: 'sigil pack', about: 'Ends the command before the bundle is written.', errors: PACK_ERRORS },
  { title: 'sigil publish', about: 'Ends the command; nothing is written then.', errors: PUBLISH_ERRORS },
];
