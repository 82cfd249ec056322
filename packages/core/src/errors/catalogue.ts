/**
 * The catalogue: all errors of Sigil for authors of servers and users of its command, by code. `docs/errors.md` is generated from it.
 * Errors for clients only are `ProtocolError`s, with the names that the protocol gives them.
 */
import { ACCESS_ERRORS } from './catalogue/access-errors';
import { ASKING_ERRORS, ENDED_CALLS, HANDLER_ERRORS } from './catalogue/call-errors';
import type { CatalogueEntries } from './catalogue/catalogue-entry';
import { MEETING_ERRORS, TYPING_ERRORS } from './catalogue/command-errors';
import { COMPOSITION_ERRORS } from './catalogue/composition-errors';
import { DTO_ERRORS } from './catalogue/dto-errors';
import { ENTRY_ERRORS } from './catalogue/entry-errors';
import {
  ADD_ERRORS,
  BUILD_ERRORS,
  DEV_ERRORS,
  DTOS_ERRORS,
  NEW_ERRORS,
  PROJECT_ERRORS,
} from './catalogue/project-errors';
import { SCHEMA_ERRORS } from './catalogue/schema-errors';
import { SERVER_ERRORS } from './catalogue/server-errors';
import { TESTING_ERRORS } from './catalogue/testing-errors';

/** Every error by its code. */
export const CATALOGUE = {
  ...SERVER_ERRORS,
  ...COMPOSITION_ERRORS,
  ...ACCESS_ERRORS,
  ...ENTRY_ERRORS,
  ...DTO_ERRORS,
  ...SCHEMA_ERRORS,
  ...HANDLER_ERRORS,
  ...ASKING_ERRORS,
  ...ENDED_CALLS,
  ...TESTING_ERRORS,
  ...TYPING_ERRORS,
  ...MEETING_ERRORS,
  ...PROJECT_ERRORS,
  ...DEV_ERRORS,
  ...DTOS_ERRORS,
  ...BUILD_ERRORS,
  ...ADD_ERRORS,
  ...NEW_ERRORS,
} as const satisfies CatalogueEntries;

/** A code of the catalogue: stable, for programs and searches. */
export type ErrorCode = keyof typeof CATALOGUE;

/** The errors of one section of the page. */
export interface CatalogueGroup {
  readonly title: string;
  /** When they occur, and who receives them. */
  readonly about: string;
  readonly errors: CatalogueEntries;
}

/** The catalogue as it is read: in the order in which users meet its errors. */
export const CATALOGUE_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Servers, options and providers',
    about: 'Found by `createServer`, `server.override`, `server.registry` and `server.listen`.',
    errors: SERVER_ERRORS,
  },
  {
    title: 'Modules, and what is made for each call',
    about: 'Found by `createServer`; SIGIL_SCOPE_OVER by `context.get`.',
    errors: COMPOSITION_ERRORS,
  },
  {
    title: 'Scopes, roles and public entries',
    about: 'Found by `createServer`, `server.registry`, `Roles()`, and when a transport is opened.',
    errors: ACCESS_ERRORS,
  },
  {
    title: 'Features, tools, resources and prompts',
    about: 'Found at start, and when an entry or a class is added with `server.registry`.',
    errors: ENTRY_ERRORS,
  },
  {
    title: 'Classes of arguments, results and forms',
    about:
      'Found together with the entry that uses the class; those of forms at the handler that names them (`asks`), otherwise when a form is used for the first time.',
    errors: DTO_ERRORS,
  },
  {
    title: 'Schemas as data, and headers',
    about: 'Found like those of classes.',
    errors: SCHEMA_ERRORS,
  },
  {
    title: 'Handlers, interceptors and lists',
    about: 'Thrown while a call runs, because of what your code did or returned; masked for the client.',
    errors: HANDLER_ERRORS,
  },
  {
    title: 'Asking the client',
    about:
      'Thrown by `context.elicit`, `elicitUrl`, `sample`, `roots` and `once`; masked for the client, except for faults in its own answer (`InvalidAnswer`).',
    errors: ASKING_ERRORS,
  },
  {
    title: 'Why a call ended',
    about: 'The `reason` of `context.signal`, an `EndedCall`: not a mistake in your code.',
    errors: ENDED_CALLS,
  },
  {
    title: 'Tests',
    about: 'Thrown by `@sigil-mcp/testing`.',
    errors: TESTING_ERRORS,
  },
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
  { title: 'sigil doctor --dtos', about: 'Ends the command.', errors: DTOS_ERRORS },
  { title: 'sigil build', about: 'Ends the command; the previous output stays unchanged.', errors: BUILD_ERRORS },
  { title: 'sigil add', about: 'Ends the command before a file is changed.', errors: ADD_ERRORS },
  { title: 'sigil new', about: 'Ends the command with what is on disk then.', errors: NEW_ERRORS },
];
