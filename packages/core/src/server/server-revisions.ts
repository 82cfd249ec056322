/** From a server's options to the revisions that it serves. */
import { ALL_REVISIONS, ServedRevisions, isRevision, type Revision } from '@sigil-mcp/protocol';
import { problem } from '../errors/catalogue';
import { nameValue, type ReportProblem } from '@sigil-mcp/base';
import { checkClashes } from '../extensions/check-extensions';
import type { ServerExtensions } from '../extensions/server-extensions';
import { ALL_KINDS } from '../kinds/all-kinds';
import type { ServerOptions } from './server-options';

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
