/** The entries of a registry as extensions hold them: facts about them, and nothing that calls or changes them. */
import type { EntryFacts, EntryKind } from '../context/entry-facts';
import type { Registry } from './registry';

/** Reads the registry. */
export class EntryFaces {
  readonly #registry: Pick<Registry, 'all' | 'entries' | 'find'>;

  constructor(registry: Pick<Registry, 'all' | 'entries' | 'find'>) {
    this.#registry = registry;
  }

  /** The enabled entries of a kind, in the order of their lists. */
  *entries<K extends EntryKind>(kind: K): Iterable<EntryFacts<K>> {
    for (const { face } of this.#registry.entries(kind)) yield face;
  }

  /** All entries of a kind, disabled ones included. */
  *all<K extends EntryKind>(kind: K): Iterable<EntryFacts<K>> {
    for (const { face } of this.#registry.all(kind)) yield face;
  }

  /** The enabled entry of a kind and key. */
  find<K extends EntryKind>(kind: K, key: string): EntryFacts<K> | undefined {
    return this.#registry.find(kind, key)?.face;
  }
}
