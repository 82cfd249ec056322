/** The official client, loaded only for signing in, and for the rules of skills. */
import type * as McpSkills from '@modelcontextprotocol/client/ext/skills' with { 'resolution-mode': 'import' };
import type * as Mcp from '@modelcontextprotocol/client' with { 'resolution-mode': 'import' };

/** The exports of the official client. */
export type OfficialClient = typeof Mcp;
/** The client that its rules of skills read a list with. */
export type SkillsJudge = Mcp.Client;
/** The skills of a server: those that are valid, and those that hosts refuse. */
export type SkillListing = McpSkills.SkillListing;

/** The callbacks of the official client during a sign-in. */
export type OAuthProvider = Mcp.OAuthClientProvider;
/** The state that the official client stores during a sign-in. */
export interface OAuthState {
  tokens?: Mcp.StoredOAuthTokens;
  client?: Mcp.StoredOAuthClientInformation;
  discovery?: Mcp.OAuthDiscoveryState;
  codeVerifier?: string;
  /** The requested scopes, separated by spaces. */
  scope?: string | undefined;
}

/** Loads the official client, an ES module, by `import`. */
export function loadOfficialClient(): Promise<OfficialClient> {
  return import('@modelcontextprotocol/client');
}

/** Loads the part of the official client that knows skills, for servers that have some. */
export function loadOfficialSkills(): Promise<typeof McpSkills> {
  return import('@modelcontextprotocol/client/ext/skills');
}
