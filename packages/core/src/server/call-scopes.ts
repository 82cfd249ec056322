/** What calls may ask for: what is made for them, and what the whole server shares. */
import type { CallScope, Container } from '../container/container';
import { nameOfToken, tokenOf, type Provider, type Token } from '../container/provider';
import { McpContext } from '../context/mcp-context';
import { problem, type ReportProblem } from '../errors/definition-error';

/** Stands for the context of each call, so that it can be asked for by what is made for calls, and by nothing else. */
export const CONTEXT_PROVIDER: Provider = { provide: McpContext, scope: 'request', useFactory: () => undefined };

/** Reports providers that are scoped to the request where the container cannot make them. */
export function checkScopes(container: Container, providers: readonly Provider[], report: ReportProblem): void {
  if (container.openScope) return;
  for (const provider of providers.filter(isPerCall))
    report(problem('SIGIL_SCOPE_CONTAINER', 'createServer({ container })', { token: nameOfToken(tokenOf(provider)) }));
}

function isPerCall(provider: unknown): boolean {
  const isOne = (typeof provider === 'object' && provider !== null) || typeof provider === 'function';
  return isOne && 'scope' in provider && provider.scope === 'request';
}

/** The tokens without that of the context, which is what each call is, whoever provides something else. */
export function replaceable(tokens: Iterable<Token>): Token[] {
  return [...tokens].filter((token) => token !== McpContext);
}

/** @returns opens the scope of a call; of one that is over, a closed one */
export function scopeOpener(container: Container): (context: McpContext, isOver: boolean) => CallScope {
  return (context, isOver) => {
    const scope = container.openScope?.(new Map([[McpContext, context]])) ?? sharedScope(container, context);
    // Nothing was made in it that could fail to stop.
    if (isOver) scope.close().catch(() => undefined);
    return scope;
  };
}

/** Where the container makes nothing for calls, they have what the server shares. */
function sharedScope(container: Container, context: McpContext): CallScope {
  return {
    get: async (token) => (token === McpContext ? context : container.get(token)),
    close: () => Promise.resolve(),
  };
}
