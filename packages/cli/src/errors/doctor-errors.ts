/** Errors that end `sigil doctor`. */
import type { CatalogueEntries } from '@sigil-mcp/core/adapter';

/** Errors of `sigil doctor` with an address. */
export const DOCTOR_ERRORS = {
  SIGIL_CLI_DOCTOR_AWAY: {
    problem: '{url} does not answer: {reason}.',
    fix: 'Check the address, and that the server runs.',
  },
  SIGIL_CLI_DOCTOR_SILENT: {
    problem: '{url} does not tell what clients make the server hold.',
    fix: 'Start it with new HttpTransport({ health: { memory: true } }), at an address that only operators reach.',
  },
} as const satisfies CatalogueEntries;

/** Of `sigil doctor --dtos`. */
export const DTOS_ERRORS = {
  SIGIL_DTOS_NO_FILES: {
    problem: 'No TypeScript file matches {pattern} in {folder}.',
    fix: "Use a pattern in quotes, as in --dtos 'src/**/*.dto.ts', or the name of a folder.",
  },
  SIGIL_DTOS_NO_CORE: {
    problem: 'The project in {folder} does not have @sigil-mcp/core, which is needed to examine its classes.',
    fix: 'Install it there first: npm install @sigil-mcp/core reflect-metadata class-validator class-transformer.',
  },
  SIGIL_DTOS_FILE_ENDS: {
    problem: 'The file ends the process with status {status}.',
    fix: 'Select only files that declare classes.',
  },
  SIGIL_DTOS_NOT_LOADED: {
    problem: 'The classes of {folder} could not be loaded: one of the files ended the process.',
    fix: 'Select fewer files: only those that declare classes.',
  },
} as const satisfies CatalogueEntries;
