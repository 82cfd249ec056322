/** `server.registry`: what a server offers, changed while it runs. */
import { DefinitionError, type DefinitionProblem, type ReportProblem } from '../errors/definition-error';
import type { Entry } from './entry';
import type { ChangesOf, EntryChanges } from './entry-changes';
import type { EntryKind } from './entry-facts';
import type { EntryData } from './entry-data';

/** What stands behind the registry of a server, before and after its start. */
export interface EntryStore {
  /** Reports what is wrong, or adds the entry. */
  add(data: EntryData, report: ReportProblem): void;
  /** Reports what is wrong and leaves the entry as it is, or changes it. */
  update(kind: EntryKind, key: string, changes: EntryChanges, report: ReportProblem): void;
  /** Whether that changed anything. */
  setEnabled(kind: EntryKind, key: string, enabled: boolean, report: ReportProblem): boolean;
  remove(kind: EntryKind, key: string): boolean;
  entries<K extends EntryKind>(kind: K): Iterable<Entry<K>>;
}

/**
 * Adds, changes and removes entries; the calls of an added one run through the same pipeline as any other. What a list shows
 * of that is announced to clients, all changes of one turn of the event loop at once.
 */
export class ServerRegistry {
  constructor(private readonly store: EntryStore) {}

  /**
   * Adds an entry described by data.
   * @throws DefinitionError with every problem: a name that is taken, a schema that cannot be used, a kind that the server
   *   does not advertise (name it in `createServer({ capabilities })`)
   * @example server.registry.add({ kind: 'tool', name: 'echo', description: 'Says it again', input: Echo, handler: ({ text }: Echo) => text });
   */
  add(data: EntryData): void {
    collectProblems((report) => this.store.add(data, report));
  }

  /**
   * Changes an entry, which keeps its name and its place in the list. Of a decorated entry only the words can be changed
   * (title, description, icons, annotations, meta and the like), of one that was added everything.
   * @param key name of a tool or prompt, URI of a resource, URI template of a template
   * @param changes what is left out stays as it is
   * @throws DefinitionError with every problem, and the entry is as it was: no such entry, a schema that cannot be used, a
   *   part that cannot be changed
   * @example server.registry.update('tool', 'echo', { description: 'Says it twice', handler: ({ text }: Echo) => text + text });
   */
  update<K extends EntryKind>(kind: K, key: string, changes: ChangesOf[K]): void {
    collectProblems((report) => this.store.update(kind, key, changes, report));
  }

  /**
   * Brings a disabled entry back, in its old place.
   * @returns whether it was disabled
   * @throws DefinitionError if there is no such entry
   */
  enable(kind: EntryKind, key: string): boolean {
    return collectProblems((report) => this.store.setEnabled(kind, key, true, report));
  }

  /**
   * Hides an entry: it is not listed and answers as one that does not exist, until it is enabled again. Its kind stays
   * advertised.
   * @returns whether it was enabled
   * @throws DefinitionError if there is no such entry
   */
  disable(kind: EntryKind, key: string): boolean {
    return collectProblems((report) => this.store.setEnabled(kind, key, false, report));
  }

  /**
   * Removes an entry, whoever added it.
   * @param key name of a tool or prompt, URI of a resource, URI template of a template
   * @returns whether there was one
   */
  remove(kind: EntryKind, key: string): boolean {
    return this.store.remove(kind, key);
  }

  /** The entries of a kind that are enabled, in the order of their lists; empty until the server was started. */
  entries<K extends EntryKind>(kind: K): Iterable<Entry<K>> {
    return this.store.entries(kind);
  }
}

function collectProblems<T>(change: (report: ReportProblem) => T): T {
  const problems: DefinitionProblem[] = [];
  const result = change((problem) => problems.push(problem));
  if (problems.length > 0) throw new DefinitionError(problems);
  return result;
}
