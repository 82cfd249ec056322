/** `server.registry`: what a server offers, changed while it runs. */
import { DefinitionError, type DefinitionProblem } from '../errors/definition-error';
import type { Entry } from './entry';
import type { EntryKind } from './entry-facts';
import type { EntryData } from './entry-data';

/** What stands behind the registry of a server, before and after its start. */
export interface EntryStore {
  /** Reports what is wrong, or adds the entry. */
  add(data: EntryData, report: (problem: DefinitionProblem) => void): void;
  remove(kind: EntryKind, key: string): boolean;
  entries<K extends EntryKind>(kind: K): Iterable<Entry<K>>;
}

/** Adds and removes entries; the calls of an added one run through the same pipeline as any other. */
export class ServerRegistry {
  constructor(private readonly store: EntryStore) {}

  /**
   * Adds an entry described by data.
   * @throws DefinitionError with every problem: a name that is taken, a schema that cannot be used, a kind that the server
   *   does not advertise (name it in `createServer({ capabilities })`)
   * @example server.registry.add({ kind: 'tool', name: 'echo', description: 'Says it again', input: Echo, handler: ({ text }: Echo) => text });
   */
  add(data: EntryData): void {
    const problems: DefinitionProblem[] = [];
    this.store.add(data, (problem) => problems.push(problem));
    if (problems.length > 0) throw new DefinitionError(problems);
  }

  /**
   * Removes an entry, whoever added it.
   * @param key name of a tool or prompt, URI of a resource, URI template of a template
   * @returns whether there was one
   */
  remove(kind: EntryKind, key: string): boolean {
    return this.store.remove(kind, key);
  }

  /** The entries of a kind, in the order of their lists; empty until the server was started. */
  entries<K extends EntryKind>(kind: K): Iterable<Entry<K>> {
    return this.store.entries(kind);
  }
}
