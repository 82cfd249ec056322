/** The providers of modules: if two modules provide the same token differently, the conflict is reported. */
import { nameOfToken, tokenOf, type Provider, type Token } from '../container/provider';
import { problem } from '../errors/catalogue';
import type { ReportProblem } from '@sigil-mcp/base';
import type { FlatModule } from '../scanner/flatten-modules';

/**
 * @param own of the application, which replace those of modules
 * @returns the providers of all modules
 */
export function providersOfModules(
  modules: readonly FlatModule[],
  own: readonly Provider[],
  report: ReportProblem,
): readonly Provider[] {
  const settled = new Set(own.map(tokenOf));
  const first = new Map<Token, { readonly provider: Provider; readonly label: string }>();
  for (const { providers, surroundings } of modules) {
    for (const provider of providers) {
      // What is no provider is reported where providers are read.
      const token = tokenOf(provider) ?? Symbol('none');
      const { label } = surroundings;
      const other = first.get(token);
      if (!other) first.set(token, { provider, label });
      else if (other.provider !== provider && !settled.has(token))
        report(problem('SIGIL_MODULE_PROVIDER', label, { token: nameOfToken(token), other: other.label }));
    }
  }
  return [...first.values()].map(({ provider }) => provider);
}
