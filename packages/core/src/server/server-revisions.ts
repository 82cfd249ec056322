/** From a server's options to the revisions that it serves. */
import { nameValue, type ReportProblem } from '@sigil-mcp/base';
import {
  ALL_REVISIONS,
  isRevision,
  ServedRevisions,
  type JsonObject,
  type Revision,
  type ServerCapabilities,
} from '@sigil-mcp/protocol';
import { problem } from '../errors/catalogue';
import { checkClashes } from '../extensions/check-extensions';
import type { Extension } from '../extensions/extension';
import type { ServerExtensions } from '../extensions/server-extensions';
import { ALL_KINDS } from '../kinds/all-kinds';
import { EntryFaces, type Registry } from '../registry/registry';
import type { CapabilityName, ServerOptions } from './server-options';

const WHERE = 'createServer({ revisions })';

/** Kind of entry -> the options that need no extension. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ALL_KINDS.map(({ dataKind, members }) => [dataKind, Object.keys(members)]),
);

/** The revisions; undefined if one is invalid, or a kind of client could not be served. Reports these problems, duplicates, and extensions that clash. */
export function servedRevisionsOf(
  { revisions = ALL_REVISIONS }: ServerOptions,
  extensions: ServerExtensions,
  report: ReportProblem,
): ServedRevisions | undefined {
  if (!areRevisions(revisions, report)) return undefined;
  reportDoubles(revisions, report);
  const served = ServedRevisions.of(revisions);
  if (served instanceof ServedRevisions) {
    checkClashes(extensions.values, { revisions: served, options: OPTIONS }, report);
    return served;
  }
  for (const kind of served) report(problem('SIGIL_REVISIONS', WHERE, { kind }));
  return undefined;
}

/** The revisions of a server with its extensions. */
export function extendedRevisions(revisions: ServedRevisions, extensions: ServerExtensions): ServedRevisions {
  if (extensions.all.length === 0) return revisions;
  const all = [...revisions.handshake, ...revisions.perRequest].map((revision) => extensions.extend(revision));
  const served = ServedRevisions.of(all);
  // Extensions change no lifecycle: there are as many revisions of each as before.
  return served instanceof ServedRevisions ? served : revisions;
}

function areRevisions(revisions: unknown, report: ReportProblem): revisions is readonly Revision[] {
  if (!Array.isArray(revisions)) {
    report(problem('SIGIL_REVISION_INVALID', WHERE, { value: nameValue(revisions), wanted: 'an array of revisions' }));
    return false;
  }
  // Spread, because a hole in the array is not a revision either.
  const invalid = [...(revisions as unknown[])].flatMap((revision, index) =>
    isRevision(revision) ? [] : [{ value: `revisions[${index}] (${nameValue(revision)})`, wanted: 'a revision' }],
  );
  for (const words of invalid) report(problem('SIGIL_REVISION_INVALID', WHERE, words));
  return invalid.length === 0;
}

function reportDoubles(revisions: readonly Revision[], report: ReportProblem): void {
  const versions = revisions.map(({ version }) => version);
  const doubles = new Set(versions.filter((version, index) => versions.indexOf(version) < index));
  for (const version of doubles) report(problem('SIGIL_REVISION_TWICE', WHERE, { version }));
}

// The capabilities that a server advertises.

/**
 * The capabilities that a server tells its clients of: those of the kinds that have an entry, be it disabled for now, and those
 * that the options name, and their extensions. `logging` is always there: any handler may log to the client.
 */
export function advertisedCapabilities(
  registry: Registry,
  { capabilities = [], extensions = [] }: Pick<ServerOptions, 'capabilities' | 'extensions'>,
): ServerCapabilities {
  const names = new Set<CapabilityName>(capabilities);
  for (const { kind, capability } of ALL_KINDS) if (!registry.all(kind).next().done) names.add(capability);
  if (hasCompleters(registry)) names.add('completions');
  const offered = ALL_KINDS.filter(({ capability }) => names.has(capability));
  return {
    ...Object.fromEntries(offered.map(({ capability, offers }) => [capability, offers])),
    ...(names.has('completions') && { completions: {} }),
    logging: {},
    ...(extensions.length > 0 && { extensions: settingsOf(extensions, registry) }),
  };
}

/** Extension -> its settings. */
function settingsOf(
  extensions: readonly Extension<object>[],
  registry: Registry,
): Readonly<Record<string, JsonObject>> {
  const entries = new EntryFaces(registry);
  return Object.fromEntries(extensions.map((each) => [each.name, each.protocol?.capabilities?.(entries) ?? {}]));
}

function hasCompleters(registry: Registry): boolean {
  return ALL_KINDS.some(({ kind }) => [...registry.all(kind)].some(({ completers }) => completers.size > 0));
}
