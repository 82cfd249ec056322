/** The errors of `sigil add openapi`, by code. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/base';
import { failuresOf } from '@sigil-mcp/cli/kit';

const ERRORS = defineErrors({
  SIGIL_OPENAPI_UNREADABLE: {
    problem: '{document} cannot be read: {reason}.',
    fix: 'Check the path or the URL. Nothing was written.',
  },
  SIGIL_OPENAPI_REDIRECT: {
    problem: '{url} redirects to {origin}, which is another server.',
    fix: 'If you trust that server, name the document there. Nothing was written.',
  },
  SIGIL_OPENAPI_SYNTAX: {
    problem: '{document} is not JSON or YAML: {reason}.',
    fix: 'Fix that first. Nothing was written.',
  },
  SIGIL_OPENAPI_VERSION: {
    problem: '{document} is not written in OpenAPI 3: it says {said}.',
    fix: 'Convert it to OpenAPI 3.0 or 3.1 first. Nothing was written.',
  },
  SIGIL_OPENAPI_EMPTY: {
    problem: '{document} has no operations.',
    fix: 'Name a document with paths. Nothing was written.',
  },
  SIGIL_OPENAPI_OUTSIDE: {
    problem: 'The document refers to {reference}, which is not below {folder}.',
    fix: 'Put all files of the document into one folder, with the document at its top. Nothing was written.',
  },
  SIGIL_OPENAPI_MANY: {
    problem: 'The document has {count} operations, and each tool costs every request of a model.',
    fix: 'Choose with --tag {tag}, with --only "{operation}" or with --rules <file>; --all takes all of them. Nothing was written.',
  },
  SIGIL_OPENAPI_UNKNOWN_TAG: {
    problem: 'The document has no tag {tag}.',
    fix: 'It has {tags}.',
  },
  SIGIL_OPENAPI_NO_MATCH: {
    problem: 'No operation fits {patterns}.',
    fix: 'Write an operationId, a path, or a method with a path, such as {example}. * stands for a part, ** for everything.',
  },
  SIGIL_OPENAPI_NO_TOOL: {
    problem: '{operation} cannot be a tool: {reason}.',
    fix: 'Choose other operations, or do what the reason says. Nothing was written.',
  },
  SIGIL_OPENAPI_RULES: {
    problem: '{file}: {member} is not {expected}.',
    fix: 'Fix that member. Nothing was written.',
  },
  SIGIL_OPENAPI_NAME: {
    problem: '{name} cannot be the name of an API.',
    fix: 'Use lowercase words with hyphens, such as pet-store.',
  },
  SIGIL_OPENAPI_SERVER: {
    problem: '{url} is not the address of an API.',
    fix: 'Write a URL that begins with http:// or https://.',
  },
  SIGIL_OPENAPI_LOCK: {
    problem: '{file} cannot be read: {reason}.',
    fix: 'Restore it from your version control. Without it, sigil does not know which code you have changed.',
  },
  SIGIL_OPENAPI_UNLOCKED: {
    problem: '{folder} exists, and has no openapi.lock.json.',
    fix: 'Choose another folder with --name. Nothing was written.',
  },
  SIGIL_OPENAPI_NO_DOCUMENT: {
    problem: 'sigil add openapi needs a document.',
    fix: 'Write its path or its URL. In a project with one openapi.lock.json, --check and a run without arguments use its document.',
  },
  SIGIL_OPENAPI_CHANGED: {
    problem: 'The document has changed: {count}.',
    fix: 'Run sigil add openapi without --check, and look at the changes.',
  },
  SIGIL_OPENAPI_STOPPED: { problem: 'Stopped.', fix: 'Nothing was written.' },
});

/** Make the failure of a code. */
export const { failure, wrongUsage, endedBySignal } = failuresOf(ERRORS);

/** The section of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  { title: 'sigil add openapi', about: 'Ends the command before a file is changed.', errors: ERRORS.entries },
];
