/** The errors of the command, by code. */
import { defineErrors, type CatalogueGroup, type CatalogueEntries } from '@sigil-mcp/base';
import { AUDIT_ERRORS, MEETING_ERRORS, TYPING_ERRORS } from './command-errors';
import { ADD_ERRORS, BUILD_ERRORS, COPY_ERRORS, DEV_ERRORS, NEW_ERRORS, PROJECT_ERRORS } from './project-errors';

/** Errors of `sigil doctor` with an address. */
const DOCTOR_ERRORS = {
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
const DTOS_ERRORS = {
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

/** Errors of `sigil contract`. */
const CONTRACT_ERRORS = {
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

/** Errors of recorded calls. */
const REPLAY_ERRORS = {
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

/** The errors of the command. Commands with packages of their own have theirs there. */
export const COMMAND_ERRORS = defineErrors({
  ...TYPING_ERRORS,
  ...MEETING_ERRORS,
  ...PROJECT_ERRORS,
  ...DEV_ERRORS,
  ...DOCTOR_ERRORS,
  ...DTOS_ERRORS,
  ...BUILD_ERRORS,
  ...COPY_ERRORS,
  ...ADD_ERRORS,
  ...NEW_ERRORS,
  ...AUDIT_ERRORS,
  ...CONTRACT_ERRORS,
  ...REPLAY_ERRORS,
});

/** What makes the errors of the command: thrown by a room that others use, or as plain sentences. */
export const { error: commandError, words: commandWords } = COMMAND_ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'The command: what is typed',
    about:
      'Ends `sigil` with status 2 while the command reads its arguments; with 3 or 4 if they do not fit the server, with 130 after Ctrl-C.',
    errors: TYPING_ERRORS,
  },
  {
    title: 'The command: servers that it talks to',
    about:
      'Ends `sigil inspect`, `call`, `read` and `prompt` with status 4 if no server can be reached, with 3 if its answer is an error.',
    errors: MEETING_ERRORS,
  },
  {
    title: 'The command: projects',
    about: 'Ends each command that compiles or inspects a project.',
    errors: PROJECT_ERRORS,
  },
  {
    title: 'sigil dev',
    about:
      'Ends the command at its start; later on, the errors of a server are shown, and the command waits for the next change.',
    errors: DEV_ERRORS,
  },
  { title: 'sigil doctor of a running server', about: 'Ends the command.', errors: DOCTOR_ERRORS },
  { title: 'sigil doctor --dtos', about: 'Ends the command.', errors: DTOS_ERRORS },
  { title: 'sigil build', about: 'Ends the command; the previous output stays unchanged.', errors: BUILD_ERRORS },
  { title: 'sigil copy', about: 'Ends the command.', errors: COPY_ERRORS },
  { title: 'sigil add', about: 'Ends the command before a file is changed.', errors: ADD_ERRORS },
  { title: 'sigil new', about: 'Ends the command with what is on disk then.', errors: NEW_ERRORS },
  { title: 'sigil contract', about: 'Ends the command with status 1, 2 or 4.', errors: CONTRACT_ERRORS },
  {
    title: 'sigil replay',
    about: 'Ends the command with status 1, 2 or 4, or `sigil dev --record` before the server starts.',
    errors: REPLAY_ERRORS,
  },
  { title: 'sigil audit verify', about: 'Ends the command with status 2.', errors: AUDIT_ERRORS },
];
