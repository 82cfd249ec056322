/** Loaded before a program that sigil inspects: reports what its server declares about its entries, as soon as it has started. */
import { subscribe } from 'node:diagnostics_channel';
import { ENTRIES_MARK, type DeclaredEntry } from './declared-entries';

/** The channel on which `@sigil-mcp/core` announces each server that starts. */
const STARTED = 'sigil:server:start';
/** The extension of `@sigil-mcp/tasks`. */
const TASKS = 'io.modelcontextprotocol/tasks';
const KINDS = ['tool', 'resource', 'resource-template', 'prompt'] as const;

/** The part of a server's registry that is needed here; it comes from the project's own copy of the framework. */
interface EntryRegistry {
  entries(kind: string): Iterable<RegisteredEntry>;
}

interface RegisteredEntry extends Omit<DeclaredEntry, 'roles' | 'task'> {
  readonly policy: { readonly roles: DeclaredEntry['roles'] };
  /** The values of each fact; those of the option `task` belong to its extension. */
  readonly facts?: ReadonlyMap<{ readonly extension?: string }, readonly NonNullable<DeclaredEntry['task']>[]>;
}

subscribe(STARTED, (message) => {
  try {
    const { registry } = message as { readonly registry: EntryRegistry };
    const entries = KINDS.flatMap((kind) => [...registry.entries(kind)].map(declared));
    process.stderr.write(`\n${ENTRIES_MARK}${JSON.stringify(entries)}\n`);
  } catch {
    // A server of another version: it is shown as the protocol lists it.
  }
});

function declared({ kind, key, policy, input, asks, facts = new Map() }: RegisteredEntry): DeclaredEntry {
  const [, settings] = [...facts].find(([{ extension }]) => extension === TASKS) ?? [];
  const task = settings?.at(-1);
  return { kind, key, roles: policy.roles, ...(input && { input }), ...(task && { task }), asks };
}
