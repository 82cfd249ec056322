/** `server.registry`: changes the entries of a server while it runs. */
import type { Constructor } from '../container/provider';
import { DefinitionError, type DefinitionProblem, type ReportProblem } from '@sigil-mcp/base';
import type { Entry } from '../registry/entry';
import type { ChangesOf, EntryData } from '../kinds/all-kinds';
import type { EntryKind } from '../context/entry-facts';
import type { EntryName, ServerEntries } from './server-entries';

/**
 * Adds, changes and removes entries; calls of an added entry run through the same pipeline as all others. Changes of lists are
 * announced to clients, those of one turn of the event loop together. Available as `server.registry`, and injected into features
 * that have it as a constructor parameter.
 * @example
 * class Plugins {
 *   constructor(private readonly registry: ServerRegistry) {}
 * }
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
export class ServerRegistry {
  constructor(private readonly store: ServerEntries) {}

  /**
   * Adds an entry described by data.
   * @throws DefinitionError with every problem: a name that is taken, a schema that cannot be used, a kind that the server
   *   does not advertise (name it in `createServer({ capabilities })`)
   * @example server.registry.add({ kind: 'tool', name: 'echo', description: 'Says it again', input: Echo, handler: ({ text }: Echo) => text });
   */
  add(data: EntryData): void;
  /**
   * Adds a class with `@Feature`: it is built as at start, with its constructor dependencies. All of its entries are added or, if one of
   * them cannot be, none.
   * @returns when its entries can be called
   * @throws DefinitionError with every problem
   * @example await server.registry.add(ReportsFeature);
   */
  add(feature: Constructor): Promise<void>;
  add(entry: EntryData | Constructor): void | Promise<void> {
    if (typeof entry !== 'function') return collectProblems((report) => this.store.add(entry, report));
    const problems: DefinitionProblem[] = [];
    return this.store.addFeature(entry, (problem) => problems.push(problem)).then(() => throwAll(problems));
  }

  /**
   * Changes an entry, which keeps its name and its place in the list. Of a decorated entry only descriptive options can be changed
   * (title, description, icons, annotations, meta and similar ones); of an entry that was added, everything.
   * @param key name of a tool or prompt, URI of a resource, URI template of a template
   * @param changes members that are left out stay unchanged
   * @throws DefinitionError with every problem, in which case the entry stays unchanged: no such entry, a schema that cannot be used, a
   *   part that cannot be changed
   * @example server.registry.update('tool', 'echo', { description: 'Says it twice', handler: ({ text }: Echo) => text + text });
   */
  update<K extends EntryKind>(kind: K, key: string, changes: ChangesOf[K]): void {
    collectProblems((report) => this.store.update(kind, key, changes, report));
  }

  /**
   * Enables a disabled entry again, in its old place.
   * @param key name of a tool or prompt, URI of a resource, URI template of a template
   * @returns whether it was disabled
   * @throws DefinitionError if there is no such entry
   * @example server.registry.enable('tool', 'echo');
   */
  enable(kind: EntryKind, key: string): boolean;
  /**
   * Enables all disabled entries of a class with `@Feature`, in their old places.
   * @returns whether one of them was disabled; false for a class without entries
   */
  enable(feature: Constructor): boolean;
  enable(...entry: [EntryKind, string] | [Constructor]): boolean {
    return this.#setEnabled(entry, true);
  }

  /**
   * Hides an entry: until it is enabled again, it is not listed and answers as if it did not exist. Its kind stays
   * advertised.
   * @param key name of a tool or prompt, URI of a resource, URI template of a template
   * @returns whether it was enabled
   * @throws DefinitionError if there is no such entry
   * @example server.registry.disable('tool', 'echo');
   */
  disable(kind: EntryKind, key: string): boolean;
  /**
   * Hides all entries of a class with `@Feature` until they are enabled again.
   * @returns whether one of them was enabled; false for a class without entries
   */
  disable(feature: Constructor): boolean;
  disable(...entry: [EntryKind, string] | [Constructor]): boolean {
    return this.#setEnabled(entry, false);
  }

  /**
   * Removes an entry, either a defined or an added one.
   * @param key name of a tool or prompt, URI of a resource, URI template of a template
   * @returns whether it existed
   * @example server.registry.remove('tool', 'echo');
   */
  remove(kind: EntryKind, key: string): boolean;
  /**
   * Removes all entries of a class with `@Feature`. Its instance stays until the server closes.
   * @returns whether there were any
   */
  remove(feature: Constructor): boolean;
  remove(...entry: [EntryKind, string] | [Constructor]): boolean {
    return this.#namesOf(entry).filter(({ kind, key }) => this.store.remove(kind, key)).length > 0;
  }

  /** The entries of a kind that are enabled, in the order of their lists; empty until the server was started. */
  entries<K extends EntryKind>(kind: K): Iterable<Entry<K>> {
    return this.store.entries(kind);
  }

  #setEnabled(entry: [EntryKind, string] | [Constructor], enabled: boolean): boolean {
    return collectProblems((report) => {
      const names = this.#namesOf(entry);
      return names.filter(({ kind, key }) => this.store.setEnabled(kind, key, enabled, report)).length > 0;
    });
  }

  #namesOf(entry: [EntryKind, string] | [Constructor]): readonly EntryName[] {
    return entry.length === 1 ? this.store.keysOf(entry[0]) : [{ kind: entry[0], key: entry[1] }];
  }
}

function collectProblems<T>(change: (report: ReportProblem) => T): T {
  const problems: DefinitionProblem[] = [];
  const result = change((problem) => problems.push(problem));
  throwAll(problems);
  return result;
}

function throwAll(problems: readonly DefinitionProblem[]): void {
  if (problems.length > 0) throw new DefinitionError(problems);
}
