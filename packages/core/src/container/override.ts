/** Providers that stand in the place of others: whether there is anything that they could replace. */
import { DefinitionError, type DefinitionProblem } from '../errors/definition-error';
import { nameOfToken, type Provider, type Token } from './provider';

/**
 * Refuses overrides that would change nothing, because nothing in the definition knows their token.
 * @param tokens what the container of the definition was prepared for; undefined if the container is the user's
 * @throws DefinitionError with every such override, or because the container is the user's
 */
export function checkOverrides(tokens: Iterable<Token> | undefined, overrides: readonly Provider[]): void {
  if (!tokens) throw new DefinitionError([FOREIGN_CONTAINER]);
  const known = new Set(tokens);
  const unknown = overrides.map(tokenOf).filter((token) => !known.has(token));
  if (unknown.length > 0) throw new DefinitionError(unknown.map((token) => unknownToken(token, [...known])));
}

function tokenOf(provider: Provider): Token {
  return typeof provider === 'function' ? provider : provider.provide;
}

function unknownToken(token: Token, known: readonly Token[]): DefinitionProblem {
  const name = nameOfToken(token);
  const names = known.map(nameOfToken);
  return {
    code: 'SIGIL_UNKNOWN_OVERRIDE',
    where: `server.override(${name})`,
    what: names.includes(name)
      ? `the server knows another ${name} than this one: its module was loaded twice.`
      : `nothing in the server knows ${name}: it is no provider, and no constructor asks for it.`,
    mend: names.includes(name)
      ? 'Import it from the file, and in the way, that the server imports it.'
      : `Override one of these: ${names.join(', ')}.`,
  };
}

const FOREIGN_CONTAINER: DefinitionProblem = {
  code: 'SIGIL_OVERRIDE_FOREIGN_CONTAINER',
  where: 'server.override',
  what: 'the server has a container of its own, createServer({ container }), and another server cannot share it.',
  mend: 'Call createServer() again, with a new container that has the other providers.',
};
