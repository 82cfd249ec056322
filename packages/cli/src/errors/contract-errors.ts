/** Errors that end `sigil contract`. */
import type { CatalogueEntries } from '@sigil-mcp/core/adapter';

/** Errors of `sigil contract`. */
export const CONTRACT_ERRORS = {
  SIGIL_CONTRACT_TARGET: {
    problem: 'The contract of a server is read from its program.',
    fix: 'Name the file that defines or starts the server, such as src/server.ts.',
  },
  SIGIL_CONTRACT_OPTION: {
    problem: '{option} is an option of a check, and nothing is checked.',
    fix: 'Write the contract with sigil contract, or check it with sigil contract check {option}.',
  },
  SIGIL_CONTRACT_PROGRAM: {
    problem: '{file} defines no server: {reason}.',
    fix: 'Name a file that exports a server of createServer, or starts one, with @sigil-mcp/core of this version.',
  },
  SIGIL_CONTRACT_MISSING: {
    problem: 'There is no contract {file}.',
    fix: 'Write it with sigil contract, and commit it.',
  },
  SIGIL_CONTRACT_AGAINST: {
    problem: 'There is no contract at {against}: {reason}.',
    fix: 'Name a commit or branch that has the file, a URL, or a path.',
  },
} as const satisfies CatalogueEntries;
