/** Errors that end `sigil replay` and `sigil dev --record`. */
import type { CatalogueEntries } from '@sigil-mcp/core/adapter';

/** Errors of recorded calls. */
export const REPLAY_ERRORS = {
  SIGIL_REPLAY_FILE: {
    problem: 'The recorded calls in {file} cannot be read: {reason}.',
    fix: 'Name a file that sigil dev --record or recordCalls() has written.',
  },
  SIGIL_REPLAY_LINE: {
    problem: 'Line {line} of {file} is no recorded call.',
    fix: 'Name a file that sigil dev --record or recordCalls() has written, or remove the line.',
  },
  SIGIL_REPLAY_EMPTY: {
    problem: '{file} has no recorded calls.',
    fix: 'Run sigil dev --record {file}, and use the server with a client.',
  },
  SIGIL_RECORD_FILE: {
    problem: 'Calls cannot be recorded in {file}: {reason}.',
    fix: 'Name a file in a folder that exists and can be written.',
  },
} as const satisfies CatalogueEntries;
