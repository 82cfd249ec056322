/**
 * The catalogue: every error that Sigil makes for authors of servers and for those who type its command, by its code.
 * `docs/errors.md` is written from it. What only a client reads is a `ProtocolError`, whose names are the protocol's.
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

/** The errors of one page's chapter. */
export interface CatalogueGroup {
  readonly title: string;
  /** When they come, and whom they reach. */
  readonly about: string;
  readonly errors: CatalogueEntries;
}

/** The catalogue as it is read: in the order in which its errors are met. */
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
    about: 'Found by `createServer`, `server.registry`, `Roles()`, and where a transport is opened.',
    errors: ACCESS_ERRORS,
  },
  {
    title: 'Features, tools, resources and prompts',
    about: 'Found at start, and when `server.registry` is given an entry or a class.',
    errors: ENTRY_ERRORS,
  },
  {
    title: 'Classes of arguments, results and forms',
    about:
      'Found where an entry that uses the class is found; those of forms where a handler names them (`asks`), else when a form is asked for the first time.',
    errors: DTO_ERRORS,
  },
  {
    title: 'Schemas as data, and headers',
    about: 'Found as those of classes are.',
    errors: SCHEMA_ERRORS,
  },
  {
    title: 'Handlers, interceptors and lists',
    about: 'Thrown while a call runs, because of what the code of its author did or returned; masked for the client.',
    errors: HANDLER_ERRORS,
  },
  {
    title: 'Asking the client',
    about:
      'Thrown by `context.elicit`, `elicitUrl`, `sample`, `roots` and `once`; masked for the client, but that it is told what is wrong with an answer of its own (`InvalidAnswer`).',
    errors: ASKING_ERRORS,
  },
  {
    title: 'Why a call ended',
    about: 'The `reason` of `context.signal`, an `EndedCall`: nobody did anything wrong.',
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
      'Ends `sigil` with status 2, where the command reads its words; 3 and 4 where they fit no server, 130 after Ctrl-C.',
    errors: TYPING_ERRORS,
  },
  {
    title: 'The command: servers that it talks to',
    about:
      'Ends `sigil inspect`, `call`, `read` and `prompt` with status 4 where there is no server to talk to, 3 where its answer is an error.',
    errors: MEETING_ERRORS,
  },
  {
    title: 'The command: projects',
    about: 'Ends whatever compiles or looks at a project.',
    errors: PROJECT_ERRORS,
  },
  {
    title: 'sigil dev',
    about:
      'Ends the command at its start; later on, what is wrong with a server is shown, and the next change is waited for.',
    errors: DEV_ERRORS,
  },
  { title: 'sigil doctor --dtos', about: 'Ends the command.', errors: DTOS_ERRORS },
  { title: 'sigil build', about: 'Ends the command; what was there before is still there.', errors: BUILD_ERRORS },
  { title: 'sigil add', about: 'Ends the command before a file is changed.', errors: ADD_ERRORS },
  { title: 'sigil new', about: 'Ends the command with what is on disk then.', errors: NEW_ERRORS },
];
