/** What a message suggests in place of a name that was mistyped. */
import { nearestNames } from '@sigil-mcp/core/adapter';

/** A sentence with the nearest names, or with all names if none is near. */
export function suggest(word: string, names: readonly string[]): string {
  const near = nearestNames(word, names);
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`;
  return names.length === 0 ? 'None are available.' : `Available: ${names.join(', ')}.`;
}
