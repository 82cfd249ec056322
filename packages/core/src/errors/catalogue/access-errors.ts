/** Errors of scopes, roles and public entries. */
import type { CatalogueEntries } from '@sigil-mcp/base';

/** Of `@Scopes`, `@Public`, `Roles`, guards, interceptors, and of the scopes that `auth` knows. */
export const ACCESS_ERRORS = {
  SIGIL_SCOPES_NONE: {
    problem: '@Scopes() names no scope.',
    fix: "Name at least one: @Scopes('notes:write'). To let in every caller, remove @Scopes().",
  },
  SIGIL_SCOPE: {
    problem: '{scope} is not a valid scope.',
    fix: "Pass one string for each scope, made of visible ASCII characters without spaces, quotes or backslashes: @Scopes('notes:read', 'notes:write'). The only option, as the last argument, is { listed: false }.",
  },
  SIGIL_PUBLIC_SCOPES: {
    problem: 'it has both @Public and @Scopes({scopes}).',
    fix: 'Remove one of them: a caller without a token has no scopes.',
  },
  SIGIL_POLICY_TARGET: {
    problem: 'it has @Scopes or @Public, but is not a tool, resource or prompt.',
    fix: 'Put them on the method of the tool, resource or prompt. Its completions and lists follow the same rules.',
  },
  SIGIL_POLICY_WITHOUT_AUTH: {
    problem: 'it {wants}, but a transport serves it over the network without authenticating callers.',
    fix: 'Pass `auth` to HttpTransport or mcpPlugin, for example jwt() of @sigil-mcp/oauth, or remove its @Scopes and @Public.',
  },
  SIGIL_ROLES: {
    problem: 'Roles() was given {value}, which is not a role.',
    fix: "Name the roles that are allowed: @UseGuards(Roles('admin', 'editor')). A caller needs one of them.",
  },
  SIGIL_NOT_A_GUARD: {
    problem: '{value} is not a guard.',
    fix: "Pass a class with the method allows(), or an object that has it: @UseGuards(Staff), @UseGuards(Roles('admin')). undefined usually means a circular import.",
  },
  SIGIL_NOT_AN_INTERCEPTOR: {
    problem: '{value} is not an interceptor.',
    fix: 'Pass a class with the method intercept(), or an object that has it: @UseInterceptors(Timing). undefined usually means a circular import.',
  },
  SIGIL_DENIAL_STATUS: {
    problem: 'new Denial() has the HTTP status {status}, which is not an error status.',
    fix: 'Use a whole number from 400 to 599, such as 403, 409 or 429.',
  },
  SIGIL_DENIAL_RETRY: {
    problem: 'new Denial() has the retryAfter {retryAfter}, which is not a number of seconds.',
    fix: 'Use a whole number of at least 0, or leave it out.',
  },
} as const satisfies CatalogueEntries;
