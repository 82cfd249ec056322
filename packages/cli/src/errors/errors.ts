/** The errors of the command, by code. */
import { defineErrors, type CatalogueGroup, type ValuesOf } from '@sigil-mcp/core/adapter';
import { AUDIT_ERRORS, MEETING_ERRORS, TYPING_ERRORS } from './command-errors';
import { CONTRACT_ERRORS } from './contract-errors';
import { DOCTOR_ERRORS, DTOS_ERRORS } from './doctor-errors';
import { REPLAY_ERRORS } from './replay-errors';
import { INSTALL_ERRORS, PACK_ERRORS, PUBLISH_ERRORS } from './install-errors';
import { OPENAPI_ERRORS } from './openapi-errors';
import {
  ADD_ERRORS,
  BUILD_ERRORS,
  COPY_ERRORS,
  DEV_ERRORS,
  MIGRATE_ERRORS,
  NEW_ERRORS,
  PROJECT_ERRORS,
} from './project-errors';

const ERRORS = defineErrors({
  ...TYPING_ERRORS,
  ...MEETING_ERRORS,
  ...PROJECT_ERRORS,
  ...DEV_ERRORS,
  ...DOCTOR_ERRORS,
  ...DTOS_ERRORS,
  ...BUILD_ERRORS,
  ...COPY_ERRORS,
  ...ADD_ERRORS,
  ...OPENAPI_ERRORS,
  ...NEW_ERRORS,
  ...MIGRATE_ERRORS,
  ...INSTALL_ERRORS,
  ...PACK_ERRORS,
  ...PUBLISH_ERRORS,
  ...AUDIT_ERRORS,
  ...CONTRACT_ERRORS,
  ...REPLAY_ERRORS,
});

/** A code of these errors. */
export type CommandErrorCode = keyof typeof ERRORS.entries;

/** The values for the placeholders of a code; empty if it has no placeholders. */
export type CommandErrorValues<Code extends CommandErrorCode> = ValuesOf<(typeof ERRORS.entries)[Code]>;

/** What makes the errors of the command: thrown by a room that others use, or as plain sentences. */
export const { error: commandError, words: commandWords } = ERRORS;

/** The sections of docs/command-errors.md. */
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
  { title: 'sigil add openapi', about: 'Ends the command before a file is changed.', errors: OPENAPI_ERRORS },
  { title: 'sigil migrate', about: 'Ends the command before a file is changed.', errors: MIGRATE_ERRORS },
  { title: 'sigil new', about: 'Ends the command with what is on disk then.', errors: NEW_ERRORS },
  { title: 'sigil install', about: 'Ends the command before a file is changed.', errors: INSTALL_ERRORS },
  { title: 'sigil pack', about: 'Ends the command before the bundle is written.', errors: PACK_ERRORS },
  { title: 'sigil publish', about: 'Ends the command; nothing is written then.', errors: PUBLISH_ERRORS },
  { title: 'sigil contract', about: 'Ends the command with status 1, 2 or 4.', errors: CONTRACT_ERRORS },
  {
    title: 'sigil replay',
    about: 'Ends the command with status 1, 2 or 4, or `sigil dev --record` before the server starts.',
    errors: REPLAY_ERRORS,
  },
  { title: 'sigil audit verify', about: 'Ends the command with status 2.', errors: AUDIT_ERRORS },
];
