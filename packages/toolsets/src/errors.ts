/** The errors of this package for authors of servers. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

const ERRORS = defineErrors({
  SIGIL_TOOLSETS_ALWAYS: {
    problem: '{toolset}({ always }) names {name}, but this server has no tool of that name.',
    fix: 'Correct the name.{suggestion} A tool that is added while the server runs can be chosen by a function: always: (tool) => boolean.',
  },
  SIGIL_TOOLSETS_TYPESCRIPT: {
    problem: 'codeToolset() checks scripts with TypeScript, and {what}.',
    fix: 'Install a version from 5.4 that is below 7 as a dependency, not only for development: npm install typescript@6',
  },
});

/** Makes a problem with an option, to be reported. */
export const { problem: toolsetProblem } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Toolsets',
    about: 'Found when a server with `searchToolset()` or `codeToolset()` is defined.',
    errors: ERRORS.entries,
  },
];
