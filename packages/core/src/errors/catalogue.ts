/**
 * The catalogue: all errors of this package for authors of servers, by code. The other packages define theirs in the same way, and
 * `docs/errors` is generated from all of them. Errors for clients only are `ProtocolError`s, with the names that the protocol gives them.
 */
import {
  defineErrors,
  nameValue,
  shorten,
  type CatalogueEntries,
  type CatalogueGroup,
  type ReportProblem,
  type ValuesOf,
} from '@sigil-mcp/base';
import { ProtocolError } from '@sigil-mcp/protocol';
import type { SchemaErrorCode } from '@sigil-mcp/schema';
import { ACCESS_ERRORS } from './catalogue/access-errors';
import { ASKING_ERRORS, ENDED_CALLS, HANDLER_ERRORS } from './catalogue/call-errors';
import { ENTRY_ERRORS } from './catalogue/entry-errors';
import { EXTENSION_ERRORS } from './catalogue/extension-errors';
import { SERVER_ERRORS } from './catalogue/server-errors';

/** Of `createServer({ modules })` and of providers that are scoped to the request. */
const COMPOSITION_ERRORS = {
  SIGIL_MODULES: {
    problem: 'its modules are {value}.',
    fix: 'Pass an array of modules made with defineModule().',
  },
  SIGIL_NOT_A_MODULE: {
    problem: '{value} is not a module.',
    fix: 'Pass the result of defineModule({ features, providers, ... }). Classes belong in its features.',
  },
  SIGIL_MODULE_PREFIX: {
    problem: 'the prefix {prefix} cannot start a tool name.',
    fix: 'Use 1 to 64 characters of A-Z a-z 0-9 _ - . (an underscore is added after it), or leave it out.',
  },
  SIGIL_MODULE_PROVIDER: {
    problem: 'it provides {token}, which {other} provides in another way.',
    fix: 'Choose one in createServer({ providers }), which overrides modules.',
  },
  SIGIL_REQUEST_SCOPE: {
    problem: 'it is created once, but depends on {token}, which is created for each call ({path}).',
    fix: "Get it during the call with await context.get({token}), or create the class that depends on it for each call as well: scope: 'request'.",
  },
  SIGIL_REQUEST_ROOT: {
    problem: "its scope is 'request', but features, guards and interceptors are created once.",
    fix: 'Remove the scope. Move what belongs to one call into a provider and get it with await context.get(...).',
  },
  SIGIL_SCOPE_CONTAINER: {
    problem: "the scope of {token} is 'request', but the container has no openScope() method.",
    fix: 'Add the method to the container, or remove createServer({ container }).',
  },
  SIGIL_SCOPE_OVER: {
    problem: '{token} is created for a call, and the call has ended.',
    fix: 'Get it before the handler returns. After a cancellation nothing new is created.',
  },
} as const satisfies CatalogueEntries;

/** Of `@McpHeader`, and of the keyword that it writes. */
const HEADER_ERRORS = {
  SIGIL_HEADER_NAME: {
    problem:
      'The argument {argument} is mirrored into the header {header}, which is not a valid header name (RFC 9110).',
    fix: "Name it with letters, digits and !#$%&'*+-.^_`|~ only, for example 'Region'.",
  },
  SIGIL_HEADER_TWICE: {
    problem: 'The arguments {other} and {argument} use the same header {header}. Header names ignore case.',
    fix: 'Use a different header for each argument.',
  },
  SIGIL_HEADER_TYPE: {
    problem: 'The argument {argument} is mirrored into a header, but {type}.',
    fix: 'Mirror only strings, integers (@IsInt()) and booleans. Instead of @Nullable() use @IsOptional(), which treats null as absent.',
  },
  SIGIL_HEADER_SENSITIVE: {
    problem: 'The argument {argument} is mirrored into the header {header} and is sensitive. Proxies log headers.',
    fix: 'Remove @McpHeader (x-mcp-header) from it, or mirror another argument.',
  },
  SIGIL_HEADER_PLACE: {
    problem: 'The schema mirrors {place} into a header, but it is not an argument at a fixed path of nested objects.',
    fix: 'Mirror only properties of the input and of objects in it: no array items, no alternatives, and nothing in a class that contains itself, which is listed as a $ref.',
  },
  SIGIL_HEADER_NOT_ON_TOOL: {
    problem: 'The input of this {kind} mirrors {argument} into a header, which works for tools only.',
    fix: 'Use a separate class here, without @McpHeader on that property.',
  },
} as const satisfies CatalogueEntries;

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

// Texts that a definition must not leave blank.

/**
 * Whether every word says something; reports those that are empty, only spaces, or no text.
 * @param words by what they are: `{ description: '' }`
 */
export function checkWords(words: Readonly<Record<string, unknown>>, where: string, report: ReportProblem): boolean {
  const blank = Object.entries(words).filter(([, text]) => typeof text !== 'string' || text.trim() === '');
  for (const [part, text] of blank) report(problem('SIGIL_BLANK_WORDS', where, { part, value: nameValue(text) }));
  return blank.length === 0;
}

// Errors for entries that do not exist, or that the caller may not know of.

/** No tool has this name, as far as the caller may know. */
export function unknownTool(name: string): ProtocolError {
  return new ProtocolError('invalid-params', `Unknown tool: ${excerpt(name)}`);
}

/** No prompt has this name, as far as the caller may know. */
export function unknownPrompt(name: string): ProtocolError {
  return new ProtocolError('invalid-params', `Unknown prompt: ${excerpt(name)}`);
}

/** No resource is under this URI, as far as the caller may know. */
export function unknownResource(uri: string): ProtocolError {
  return new ProtocolError('resource-not-found', `Resource not found: ${excerpt(uri)}`, { uri: shorten(uri, 2000) });
}

/** A name of a client's choosing, short enough for an error message. */
function excerpt(text: string): string {
  return shorten(text, 200);
}
