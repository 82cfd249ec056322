/** What can be wrong with what a server says of its callers. */
import type { CatalogueEntries } from './catalogue-entry';

/** Of `@Scopes`, `@Public`, `Roles`, and of the scopes that `auth` knows. */
export const ACCESS_ERRORS = {
  SIGIL_SCOPES_NONE: {
    what: 'it wants scopes, and names none.',
    mend: "Name at least one: @Scopes('notes:write'); or leave it out for every caller who is let in.",
  },
  SIGIL_SCOPE: {
    what: 'it wants the scope {scope}, which is none.',
    mend: "Use visible characters of ASCII without spaces, quotes and backslashes, one text for each scope, and behind them nothing but { listed: false }: @Scopes('notes:read', 'notes:write').",
  },
  SIGIL_PUBLIC_SCOPES: {
    what: 'it is public, and wants the scopes {scopes}.',
    mend: 'Take one of them away: who calls without a token has no scopes.',
  },
  SIGIL_POLICY_TARGET: {
    what: 'it has @Scopes or @Public, and is no tool, resource or prompt.',
    mend: 'Put them on the method of the entry: what completes and lists follows it.',
  },
  SIGIL_POLICY_WITHOUT_AUTH: {
    what: 'it {wants}, and a transport serves it to a network without knowing who calls.',
    mend: 'Give `auth` to HttpTransport or mcpPlugin, such as jwt() of @sigil-mcp/oauth; or take its @Scopes and @Public away.',
  },
  SIGIL_AUTH_IMPLIES: {
    what: 'the scopes of `auth` imply each other in a circle: {circle}.',
    mend: 'Name in `implies` what a scope holds beside itself, the wider one as the key: { admin: ["write"], write: ["read"] }.',
  },
  SIGIL_ROLES: {
    what: 'Roles() names {value}, which is no role.',
    mend: "Name the roles of which a caller needs one: @UseGuards(Roles('admin', 'editor')).",
  },
  SIGIL_DENIAL_STATUS: {
    what: 'new Denial() has the HTTP status {status}, which is not the status of an error.',
    mend: 'Give a whole number from 400 to 599, such as 403, 409 or 429.',
  },
  SIGIL_DENIAL_RETRY: {
    what: 'new Denial() has the retryAfter {retryAfter}, which is no number of seconds.',
    mend: 'Give a whole number of at least 0, or leave it out.',
  },
} as const satisfies CatalogueEntries;
