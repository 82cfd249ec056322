/** The errors of this package for authors of servers. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/adapter';

const ERRORS = defineErrors({
  SIGIL_NEST_PLATFORM: {
    problem: 'The HTTP platform of the Nest application is {platform}.',
    fix: 'Use @nestjs/platform-express or @nestjs/platform-fastify, or set `http: false` and serve the server (inject `Server`) yourself.',
  },
  SIGIL_NEST_TWO_GATES: {
    problem: 'The endpoint has both `endpointGuards` and `http.auth`, which identify callers in different ways.',
    fix: 'Keep one of them. `http.auth` verifies OAuth tokens itself and publishes where to get them.',
  },
  SIGIL_NEST_CALL_LOST: {
    problem: 'An interceptor or a guard of Nest has left the asynchronous context of the call of {method}.',
    fix: 'Call `next.handle()` in the function that Nest calls, and not in a queue or an event listener.',
  },
});

/** Makes an error of this package, to be thrown. */
export const { error: nestError } = ERRORS;

/** The sections of docs/errors.md. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Nest',
    about: 'Thrown by the module for Nest applications.',
    errors: ERRORS.entries,
  },
];
