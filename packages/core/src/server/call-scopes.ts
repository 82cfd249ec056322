/** Dependencies of calls: instances made for a call, and instances shared by the whole server. */
import type { CallScope, Container } from '../container/container';
import { nameOfToken, tokenOf, type Provider, type Token } from '../container/provider';
import { McpContext } from '../context/mcp-context';
import { problem } from '../errors/catalogue';
import type { ReportProblem } from '@sigil-mcp/base';

/** Represents the context of each call, so that providers of the request scope can inject it, and no others. */
export const CONTEXT_PROVIDER: Provider = { provide: McpContext, scope: 'request', useFactory: () => undefined };

/** Reports providers of the request scope if the container does not support them. */
export function checkScopes(container: Container, providers: readonly Provider[], report: ReportProblem): void {
  if (container.openScope) return;
  for (const provider of providers.filter(isPerCall))
    report(problem('SIGIL_SCOPE_CONTAINER', 'createServer({ container })', { token: nameOfToken(tokenOf(provider)) }));
}

function isPerCall(provider: unknown): boolean {
  const isOne = (typeof provider === 'object' && provider !== null) || typeof provider === 'function';
  return isOne && 'scope' in provider && provider.scope === 'request';
}

/** The tokens without that of the context, which no provider can replace. */
export function replaceable(tokens: Iterable<Token>): Token[] {
  return [...tokens].filter((token) => token !== McpContext);
}

/** @returns a function that opens the scope of a call; after the call has ended, a closed scope */
export function scopeOpener(container: Container): (context: McpContext, isOver: boolean) => CallScope {
  return (context, isOver) => {
    const scope = container.openScope?.(new Map([[McpContext, context]])) ?? sharedScope(container, context);
    // The scope is empty, so closing it cannot fail.
    if (isOver) scope.close().catch(() => undefined);
    return scope;
  };
}

/** The scope of a container without request scope: calls use the shared instances. */
function sharedScope(container: Container, context: McpContext): CallScope {
  return {
    get: async (token) => (token === McpContext ? context : container.get(token)),
    close: () => Promise.resolve(),
  };
}
