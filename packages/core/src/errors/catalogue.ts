/**
 * The catalogue: all errors of this package for authors of servers, by code. The other packages define theirs in the same way, and
 * `docs/errors.md` is generated from all of them. Errors for clients only are `ProtocolError`s, with the names that the protocol gives them.
 */
import type { SchemaErrorCode } from '@sigil-mcp/schema';
import { ACCESS_ERRORS } from './catalogue/access-errors';
import { ASKING_ERRORS, ENDED_CALLS, HANDLER_ERRORS } from './catalogue/call-errors';
import { defineErrors, type CatalogueEntries, type CatalogueGroup, type ValuesOf } from '@sigil-mcp/base';
import { COMPOSITION_ERRORS } from './catalogue/composition-errors';
import { ENTRY_ERRORS } from './catalogue/entry-errors';
import { EXTENSION_ERRORS } from './catalogue/extension-errors';
import { HEADER_ERRORS } from './catalogue/header-errors';
import { SERVER_ERRORS } from './catalogue/server-errors';

/** Every error by its code. */
export const CATALOGUE = {
  ...SERVER_ERRORS,
  ...COMPOSITION_ERRORS,
  ...ACCESS_ERRORS,
  ...ENTRY_ERRORS,
  ...HEADER_ERRORS,
  ...EXTENSION_ERRORS,
  ...HANDLER_ERRORS,
  ...ASKING_ERRORS,
  ...ENDED_CALLS,
} as const satisfies CatalogueEntries;

/** A code of the catalogue: stable, for programs and searches. */
export type CatalogueCode = keyof typeof CATALOGUE;

/** A code of an error of any package; editors suggest those of this one and of schemas. */
export type ErrorCode = CatalogueCode | SchemaErrorCode | (string & Record<never, never>);

/** The values for the placeholders of a code; empty if it has no placeholders. */
export type ValuesFor<Code extends CatalogueCode> = ValuesOf<(typeof CATALOGUE)[Code]>;

/** What makes the errors of the catalogue: thrown, reported as a problem of a definition, or as plain sentences. */
export const { error: sigilError, problem, words: wordsFor } = defineErrors(CATALOGUE);

/** The catalogue as it is read: in the order in which users meet its errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
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
    title: 'Arguments in headers',
    about: 'Found together with the entry whose input has them.',
    errors: HEADER_ERRORS,
  },
  {
    title: 'Extensions and facts',
    about: 'Found by `createServer`, except for those of running calls.',
    errors: EXTENSION_ERRORS,
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
];
