/** The tokens of what the page shows, counted as `sigil check` counts them. */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject } from '@sigil-mcp/protocol';
import { costOf } from '../budget/entry-cost';
import { loadTokenizer } from '../tokens/count-tokens';

/** The tokens of each text, and of each entry as hosts pass it on; `entries` have a kind and the item of its list. */
export function countedTokens({ texts, entries }: JsonObject): { readonly counts: readonly number[] } {
  const count = loadTokenizer();
  return {
    counts: [
      ...listOf(texts).map((text) => (typeof text === 'string' ? count(text) : 0)),
      ...listOf(entries).map((entry) => {
        const { kind, listed } = isObject(entry) ? entry : {};
        if (!isObject(listed)) return 0;
        // All but tools are passed on alike.
        return costOf({ kind: kind === 'tool' ? 'tool' : 'resource', key: '', listed }, count).tokens;
      }),
    ],
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
