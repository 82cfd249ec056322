/** Providers that replace others: checks that there is a token to replace. */
import { problem } from '../errors/catalogue';
import { DefinitionError, type DefinitionProblem } from '@sigil-mcp/base';
import { nameOfToken, tokenOf, type Provider, type Token } from './provider';

/**
 * Refuses overrides that would change nothing, because nothing in the definition knows their token.
 * @param tokens what the container of the definition was prepared for; undefined if the container is the user's
 * @throws DefinitionError with every such override, or because the container is the user's
 */
export function checkOverrides(tokens: Iterable<Token> | undefined, overrides: readonly Provider[]): void {
  if (!tokens) throw new DefinitionError([problem('SIGIL_OVERRIDE_FOREIGN_CONTAINER', 'server.override')]);
  const known = new Set(tokens);
  const unknown = overrides.map(tokenOf).filter((token) => token === undefined || !known.has(token));
  if (unknown.length > 0) throw new DefinitionError(unknown.map((token) => unknownToken(token, [...known])));
}

function unknownToken(wanted: Token | undefined, known: readonly Token[]): DefinitionProblem {
  const token = nameOfToken(wanted);
  const where = `server.override(${token})`;
  const names = known.map(nameOfToken);
  if (names.includes(token)) return problem('SIGIL_OVERRIDE_LOADED_TWICE', where, { token });
  return problem('SIGIL_UNKNOWN_OVERRIDE', where, { token, known: names.join(', ') });
}
