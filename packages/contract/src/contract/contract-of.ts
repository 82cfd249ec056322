/** The description of a server -> its contract. */
import { isObject } from '@sigil-mcp/base';
import type { DescribedEntry, DescribedServer, EntryKind, JsonObject, JsonValue, LimitsOfEntry } from '@sigil-mcp/core';
import { contractError } from '../errors';
import { canonicalText, sorted } from '../schema/json-document';

/** The member of a patch that replaces the whole object. */
const WHOLE = '$whole';

/**
 * The contract of a server: what its clients may count on.
 * @param described the result of `server.describe()`
 * @example const contract = contractOf(server.describe());
 */
export function contractOf(
  described: Pick<DescribedServer, 'server' | 'instructions' | 'revisions' | 'extensions' | 'entries'>,
): ServerContract {
  const { server, instructions, revisions, extensions, entries } = described;
  const { name, version } = server;
  const ofKinds = CONTRACT_KINDS.map((kind) => [
    kind,
    entriesOf(
      entries.filter((entry) => entry.kind === kind),
      revisions,
    ),
  ]);
  return {
    contract: CONTRACT_FORMAT,
    server: { name, version },
    ...(instructions !== undefined && { instructions }),
    revisions,
    extensions: [...extensions].sort(),
    // One member for each kind.
    entries: Object.fromEntries(ofKinds) as ServerContract['entries'],
  };
}

/** The item that lists of a revision have for an entry of a contract that has the revision. */
export function wireOf(
  { definition, older = {} }: ContractEntry,
  revision: string,
  { revisions }: ServerContract,
): JsonObject {
  if (revision === revisions[0]) return definition;
  const [, patch] = Object.entries(older).find(([names]) => names.split(', ').includes(revision)) ?? [];
  if (!patch) return definition;
  const whole = patch[WHOLE];
  return whole === undefined ? patched(definition, patch) : (whole as JsonObject);
}

function entriesOf(entries: readonly DescribedEntry[], revisions: readonly string[]): ContractEntries {
  const sortedEntries = [...entries].sort((one, other) => (one.key < other.key ? -1 : 1));
  return Object.fromEntries(sortedEntries.map((entry) => [entry.key, contractEntry(entry, revisions)]));
}

function contractEntry(entry: DescribedEntry, [newest = '', ...older]: readonly string[]): ContractEntry {
  const definition = plain(entry.wire[newest] ?? {});
  const patches = new Map<string, string[]>();
  for (const revision of older) {
    const wire = plain(entry.wire[revision] ?? {});
    const text = JSON.stringify(sorted(mergePatch(definition, wire) ?? { [WHOLE]: wire }));
    if (text !== '{}') patches.set(text, [...(patches.get(text) ?? []), revision]);
  }
  const asks = entry.asks.map((form) => plain(form));
  return {
    definition,
    ...(patches.size > 0 && {
      older: Object.fromEntries(
        [...patches].map(([text, names]) => [names.join(', '), JSON.parse(text) as JsonObject]),
      ),
    }),
    ...(entry.input && { input: plain(entry.input) }),
    ...(asks.length > 0 && { asks }),
    ...(entry.completes.length > 0 && { completes: [...entry.completes].sort() }),
    ...accessOf(entry),
    ...(Object.keys(entry.limits).length > 0 && { limits: entry.limits }),
    ...(entry.cache && { cache: plain(entry.cache) }),
    ...(entry.isUnlisted && { isUnlisted: true as const }),
    ...taskOf(entry),
    ...versionsOf(entry),
  };
}

function versionsOf({
  since,
  deprecated,
  replaces = [],
}: DescribedEntry): Pick<ContractEntry, 'since' | 'deprecated' | 'replaces'> {
  const names = replaces.map(
    ({ name, convertsArguments }) => [name, convertsArguments ? 'converted arguments' : 'same arguments'] as const,
  );
  return {
    ...(since !== undefined && { since }),
    ...(deprecated !== undefined && { deprecated }),
    ...(names.length > 0 && { replaces: Object.fromEntries(names.sort(([one], [other]) => (one < other ? -1 : 1))) }),
  };
}

/** Whether its calls are tasks. What other extensions say to clients is in `_meta`. */
function taskOf({ options }: DescribedEntry): Pick<ContractEntry, 'task'> {
  const { task } = options;
  return isObject(task) ? { task: plain(task) } : {};
}

function accessOf({ access }: DescribedEntry): Pick<ContractEntry, 'access'> {
  const { scopes, roles, guards, isPublic, isListed } = access;
  const wanted = {
    ...(scopes.length > 0 && { scopes: [...scopes].sort() }),
    ...(roles.length > 0 && { roles }),
    ...(guards.length > 0 && { guards }),
    ...(isPublic && { isPublic }),
    ...(!isListed && { isListed }),
  };
  return Object.keys(wanted).length > 0 ? { access: wanted } : {};
}

/** A copy with sorted members, so that the file does not depend on their order in the source. */
function plain(value: object): JsonObject {
  return sorted(JSON.parse(JSON.stringify(value))) as JsonObject;
}

/** The patch that makes `to` of `from`; undefined if a member of `to` is null, which no patch can say. */
function mergePatch(from: JsonObject, to: JsonObject): JsonObject | undefined {
  const patch = patchOf(from, to);
  return canonicalText(patched(from, patch)) === canonicalText(to) ? patch : undefined;
}

/** An object with the changes of a patch. */
function patched(from: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(from));
  for (const [name, value] of Object.entries(patch)) {
    const known = from[name];
    if (value === null) result.delete(name);
    else result.set(name, isObject(value) ? patched(isObject(known) ? known : {}, value) : value);
  }
  return Object.fromEntries(result);
}

function patchOf(from: JsonObject, to: JsonObject): JsonObject {
  const gone = Object.keys(from).filter((name) => !Object.hasOwn(to, name));
  const changed = Object.entries(to).filter(([name, value]) => canonicalText(from[name]) !== canonicalText(value));
  return {
    ...Object.fromEntries(gone.map((name) => [name, null])),
    ...Object.fromEntries(changed.map(([name, value]) => [name, partOf(from[name], value)])),
  };
}

function partOf(from: JsonValue | undefined, to: JsonValue | undefined): JsonValue | undefined {
  return isObject(from) && isObject(to) ? patchOf(from, to) : to;
}

// The contract of a server: everything that its clients may count on, as it is kept in a file.

/** The version of the format. */
export const CONTRACT_FORMAT = 1;

/** Who may use an entry; only what it wants. */
export type ContractAccess = Partial<DescribedEntry['access']>;

/** What is promised of one tool, resource, resource template or prompt. Members are left out where nothing is said. */
export interface ContractEntry {
  /** The item of its list in the newest revision. */
  readonly definition: JsonObject;
  /** Other revisions, such as `2025-06-18, 2025-03-26` -> what is different there, as a merge patch (RFC 7396). */
  readonly older?: Readonly<Record<string, JsonObject>>;
  /** The schema of arguments that lists do not have. */
  readonly input?: JsonObject;
  /** The forms that it asks the user. */
  readonly asks?: readonly JsonObject[];
  /** The arguments that it completes. */
  readonly completes?: readonly string[];
  readonly access?: ContractAccess;
  readonly limits?: LimitsOfEntry;
  readonly cache?: JsonObject;
  readonly isUnlisted?: true;
  /** What its option `task` says. */
  readonly task?: JsonObject;
  /** The version of the server in which it appeared. */
  readonly since?: string;
  /** Why it should not be used any more. */
  readonly deprecated?: string;
  /** Old name, by which it is still called -> whether its arguments are those of today, or are converted. */
  readonly replaces?: Readonly<Record<string, 'same arguments' | 'converted arguments'>>;
}

/** Key -> entry. */
export type ContractEntries = Readonly<Record<string, ContractEntry>>;

/** The contract of a server. */
export interface ServerContract {
  /** The version of the format. */
  readonly contract: typeof CONTRACT_FORMAT;
  readonly server: { readonly name: string; readonly version: string };
  readonly instructions?: string;
  /** The revisions that it serves, the newest first. */
  readonly revisions: readonly string[];
  readonly extensions: readonly string[];
  readonly entries: Readonly<Record<EntryKind, ContractEntries>>;
}

/** The kinds of entries, in the order of the file. */
export const CONTRACT_KINDS: readonly EntryKind[] = ['tool', 'resource', 'resource-template', 'prompt'];

// The contract as a file: stable in its order, with a line for each thing that can change.

/** The text of the file; it ends with a line end. */
export function writeContract(contract: ServerContract): string {
  return `${JSON.stringify(contract, null, 2)}\n`;
}

/**
 * Reads the text of a file.
 * @param name of the file, for messages
 * @throws SigilError `SIGIL_CONTRACT_FILE` for a text that is no contract, `SIGIL_CONTRACT_FORMAT` for one of a later version
 */
export function readContract(text: string, name: string): ServerContract {
  const read = parse(text, name);
  if (!isObject(read) || !('contract' in read))
    throw contractError('SIGIL_CONTRACT_FILE', { file: name, reason: 'it has no member "contract"' });
  const { contract: format, server, entries, revisions } = read;
  if (format !== CONTRACT_FORMAT)
    throw contractError('SIGIL_CONTRACT_FORMAT', { file: name, format: JSON.stringify(format) });
  const isWhole =
    isObject(server) && isObject(entries) && Array.isArray(revisions) && Array.isArray(read['extensions']);
  if (
    !isWhole ||
    !CONTRACT_KINDS.every((kind) => isObject(entries[kind]) && Object.values(entries[kind]).every(isEntry))
  )
    throw contractError('SIGIL_CONTRACT_FILE', { file: name, reason: 'parts of it are missing' });
  // Written by `writeContract`, or by hand in its form.
  return read as unknown as ServerContract;
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw contractError('SIGIL_CONTRACT_FILE', {
      file,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}

function isEntry(value: unknown): boolean {
  return isObject(value) && isObject(value['definition']);
}
