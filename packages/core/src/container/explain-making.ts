/** The error of a constructor or a factory, with its name and the classes that need it. */
import { DefinitionError, SigilError } from '@sigil-mcp/base';
import { sigilError } from '../errors/catalogue';
import { reasonOf } from './hooks';
import { nameOfToken, type Token } from './provider';
import type { Recipe } from './recipe';

/** The classes of errors that nobody throws to tell a client something: a class of the author's own may be meant for an interceptor. */
const UNFORESEEN: ReadonlySet<unknown> = new Set([Error, TypeError, RangeError, ReferenceError, SyntaxError, URIError]);

/** The same for an instance of one call; errors of further classes stay as they are, because code around the call may expect them. */
export function explainMakingForCall(token: Token, error: unknown, recipes: ReadonlyMap<Token, Recipe>): unknown {
  const isUnforeseen = error instanceof Error && UNFORESEEN.has(error.constructor);
  return isUnforeseen ? explainMaking(token, error, recipes) : error;
}

/** Explains what was thrown while an instance was made. Errors with a code are clear already, and stay as they are. */
export function explainMaking(token: Token, error: unknown, recipes: ReadonlyMap<Token, Recipe>): unknown {
  if (error instanceof SigilError || error instanceof DefinitionError) return error;
  const names = [...recipes]
    .filter(([, recipe]) => recipe.dependencies.includes(token))
    .map(([user]) => nameOfToken(user));
  const needed = names.length === 0 ? '' : `, which ${names.join(' and ')} ${names.length === 1 ? 'needs' : 'need'}`;
  return sigilError(
    'SIGIL_NOT_CREATED',
    { owner: nameOfToken(token), needed, reason: reasonOf(error) },
    { cause: error },
  );
}
