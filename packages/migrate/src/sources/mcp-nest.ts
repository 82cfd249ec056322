/** `@rekog/mcp-nest`, versions 1 and 2: its names and their counterparts. */
import { CORE, NEST } from './packages';
import type { Source } from './source';

const REGISTRY =
  'Inject Server of @sigil-mcp/core, and add entries with server.registry.add(tool(name, options, handler)).';

/** The table. */
export const MCP_NEST: Source = {
  name: 'mcp-nest',
  package: '@rekog/mcp-nest',
  title: 'MCP-Nest',
  guide: 'guide',
  companions: [
    '@modelcontextprotocol/sdk',
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/core',
    '@modelcontextprotocol/node',
    '@nestjs/microservices',
  ],
  types: {
    Context: [CORE, 'McpContext'],
    McpContext: [CORE, 'McpContext'],
    McpRequestWithUser: [NEST, 'McpRequest'],
    HttpRequest: [NEST, 'McpRequest'],
  },
  left: {
    McpRegistryService: [REGISTRY, 'registry'],
    MCP_STRATEGY: [REGISTRY, 'registry'],
    McpStrategy: [REGISTRY, 'registry'],
    McpStreamableHttpService: ['SigilModule serves the endpoint itself: take the controller out.', 'nest'],
    McpSseService: ['SigilModule serves the endpoint itself: take the controller out.', 'nest'],
    McpHttpControllerFor: ['SigilModule serves the endpoint itself: name its guards in endpointGuards.', 'guards'],
    McpExceptionFilter: ['Messages of errors are masked: throw ToolFailure, or an HttpException below 500.', 'errors'],
    ToolOptions: [
      'Its counterpart in @sigil-mcp/core has no description: that is the first argument of @Tool.',
      'guide',
    ],
    ...Object.fromEntries(
      ['Tool', 'Resource', 'ResourceTemplate', 'Prompt'].map((name) => [
        name,
        [
          'A decorator around it, or a call of it: write it at the method, or add the entry with server.registry.add.',
          'registry',
        ],
      ]),
    ),
  },
  // The authorization server, which is a package of its own, and what belongs to it.
  kept: [
    ...['McpAuthModule', 'McpAuthJwtGuard', 'McpUser', 'JwtTokenService', 'MemoryStore', 'OAuthClient', 'IOAuthStore'],
    ...['GitHubOAuthProvider', 'GoogleOAuthProvider', 'AzureADOAuthProvider', 'AuthenticatedRequest'],
    ...['OAuthProviderConfig', 'OAuthUserProfile', 'OAuthUserModuleOptions', 'AuthorizationCode', 'JwtPayload'],
  ],
  entryOptions: [
    ['parameters', 'input'],
    ['outputSchema', 'output'],
    ['_meta', 'meta'],
  ],
  context: 'known',
  tellsErrors: 'version 1',
  hasTransports: true,
};
