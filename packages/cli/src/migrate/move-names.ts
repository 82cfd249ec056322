/** Names of the old package that stand outside of decorators: types of contexts and requests, and everything that has no counterpart. */
import type * as TypeScript from 'typescript';
import { importsFrom } from './imported-names';
import { moveContext } from './move-context';
import { CORE, NEST, type MovedFile } from './moved-file';
import type { PageName } from './pages';
import { nodesIn } from './syntax';

/** Types with a counterpart. */
const TYPES: Readonly<Record<string, readonly [module: string, name: string]>> = {
  Context: [CORE, 'McpContext'],
  McpContext: [CORE, 'McpContext'],
  McpRequestWithUser: [NEST, 'McpRequest'],
  HttpRequest: [NEST, 'McpRequest'],
};

/** The authorization server of the old package and what belongs to it: it stays, as a package of its own. */
export const KEPT: readonly string[] = [
  ...['McpAuthModule', 'McpAuthJwtGuard', 'McpUser', 'JwtTokenService', 'MemoryStore', 'OAuthClient', 'IOAuthStore'],
  ...['GitHubOAuthProvider', 'GoogleOAuthProvider', 'AzureADOAuthProvider', 'AuthenticatedRequest'],
  ...['OAuthProviderConfig', 'OAuthUserProfile', 'OAuthUserModuleOptions', 'AuthorizationCode', 'JwtPayload'],
];

const REGISTRY =
  'Inject Server of @sigil-mcp/core, and add entries with server.registry.add(tool(name, options, handler)).';

/** What is left to do for names that have no counterpart of the same shape. */
const LEFT: Readonly<Record<string, readonly [reason: string, page: PageName]>> = {
  McpRegistryService: [REGISTRY, 'registry'],
  MCP_STRATEGY: [REGISTRY, 'registry'],
  McpStrategy: [REGISTRY, 'registry'],
  McpStreamableHttpService: ['SigilModule serves the endpoint itself: take the controller out.', 'nest'],
  McpSseService: ['SigilModule serves the endpoint itself: take the controller out.', 'nest'],
  McpHttpControllerFor: ['SigilModule serves the endpoint itself: name its guards in endpointGuards.', 'guards'],
  McpExceptionFilter: ['Messages of errors are masked: throw ToolFailure, or an HttpException below 500.', 'errors'],
  ToolOptions: ['Its counterpart in @sigil-mcp/core has no description: that is the first argument of @Tool.', 'guide'],
  ...Object.fromEntries(
    ['Tool', 'Resource', 'ResourceTemplate', 'Prompt'].map((name) => [
      name,
      [
        'A decorator around it, or a call of it: write it at the method, or add the entry with server.registry.add.',
        'registry',
      ],
    ]),
  ),
};

const FALLBACK = ['It has no counterpart of the same name.', 'guide'] as const;

/** Moves types, and the contexts of all functions that have one. */
export function moveTypes(file: MovedFile): void {
  const { compiler, old } = file;
  for (const node of nodesIn(file, file.tree, compiler.isTypeReferenceNode)) {
    const now = TYPES[old.exportedOf(node.typeName) ?? ''];
    if (!now) continue;
    file.handled.add(node.typeName);
    // Within code that was replaced already, nothing is left of it.
    if (file.edits.outside(node.getStart()) !== node.getStart()) continue;
    const local = file.want(...now);
    if (local !== node.typeName.getText()) file.replace(node.typeName, local);
    const isContext = now[1] === 'McpContext';
    const { parent } = node;
    const isParameter = compiler.isParameter(parent) && compiler.isIdentifier(parent.name);
    if (isContext && isParameter && compiler.isFunctionLike(parent.parent))
      moveContext(file, parent.parent as TypeScript.FunctionLikeDeclaration, parent.name.getText());
  }
}

/** Comments on every use that is left. */
export function commentOnTheRest(file: MovedFile): void {
  const { compiler, old } = file;
  for (const node of nodesIn(file, file.tree, compiler.isIdentifier)) {
    const name = old.exportedOf(node);
    if (name === undefined || file.handled.has(node) || KEPT.includes(name)) continue;
    if (compiler.isImportSpecifier(node.parent) || isMemberName(file, node)) continue;
    const [reason, page] = LEFT[name] ?? FALLBACK;
    file.todo(node, `${name}: ${reason}`, page);
  }
}

function isMemberName({ compiler }: MovedFile, node: TypeScript.Identifier): boolean {
  const { parent } = node;
  if (compiler.isPropertyAccessExpression(parent)) return parent.name === node;
  return compiler.isPropertyAssignment(parent) && parent.name === node;
}

/** Whether the file names something that stays with the authorization server of the old package. */
export function keeps(file: MovedFile): readonly string[] {
  return file.old.locals.filter((local) => {
    const name = importsFrom(file.compiler, file.tree, '@rekog/mcp-nest')
      .declarations.flatMap(({ importClause }) => importClause?.namedBindings ?? [])
      .filter((each) => file.compiler.isNamedImports(each))
      .flatMap(({ elements }) => [...elements])
      .find((each) => each.name.text === local);
    return name !== undefined && KEPT.includes((name.propertyName ?? name.name).text);
  });
}
