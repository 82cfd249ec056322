/** What a later run says about the document of the last one: operations, edits, features and files. */
import { WHOLE } from './merge/merge-file';
import type { Differences, RemovedOperation } from './merge/compare-lock';
import type { ApiRun, WrittenApi } from './plan-changes';
import type { LeftFeature } from './left-files';

/** What there is to say of differences. */
export interface DifferenceReport {
  readonly run: ApiRun;
  readonly written: WrittenApi;
  readonly differences: Differences;
}

/** The differences, in sections; nothing in the first run. */
export function describeDifferences(report: DifferenceReport): string[] {
  const { run, differences } = report;
  if (!run.place.lock) return [];
  const { changed, removed, dropped, added, deleted } = differences;
  const named = ({ key, tool }: { readonly key: string; readonly tool: string }): string => `${key}: ${tool}`;
  return [
    ...section(
      'Changed in the document:',
      changed.map(({ key, words }) => `${key}: ${words.join('; ')}`),
    ),
    ...section(
      'New:',
      added.map(({ key }) => key),
    ),
    ...removedLines(removed),
    ...section('Not chosen any more:', dropped.map(named)),
    ...section(
      'Renamed by you, and kept:',
      run.renamed.map(({ key, before, after }) => `${key}: ${after}, which was ${before}`),
    ),
    ...section('Your changes stay:', editLines(report)),
    ...section('Left out, because you have deleted the method:', deleted.map(named)),
    ...leftLines(report),
  ];
}

/** What `--check` says: every tool that is not that of the document. */
export function differenceWords({ changed, removed, dropped, added }: Differences): string[] {
  return [
    ...changed.map(({ key, words }) => `${key}: ${words.join('; ')}`),
    ...removed.map(({ key, reason }) => `${key}: ${reason ?? 'gone'}`),
    ...dropped.map(({ key }) => `${key}: not chosen any more`),
    ...added.map(({ key }) => `${key}: new`),
  ];
}

/** Lines below a heading; nothing without lines. */
export function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`)];
}

function removedLines(removed: readonly RemovedOperation[]): string[] {
  return [
    ...section(
      'Gone from the document:',
      removed.flatMap(({ key, tool, reason }) => (reason === undefined ? [`${key}: ${tool}`] : [])),
    ),
    ...section(
      'Its tool is gone:',
      removed.flatMap(({ key, tool, reason }) => (reason === undefined ? [] : [`${key}: ${tool}, because ${reason}`])),
    ),
  ];
}

function editLines({ written: { merged } }: DifferenceReport): string[] {
  return merged.flatMap(({ shown, edited, conflicts }) =>
    edited
      .filter((name) => name !== WHOLE || edited.length === 1)
      .map((name) => {
        const where = name === WHOLE ? shown : `${name} (${shown})`;
        const isConflict = conflicts.includes(name);
        return isConflict ? `${where}: look at it, since the document says something else now` : where;
      }),
  );
}

function leftLines({ run, written: { left, merged } }: DifferenceReport): string[] {
  const ofFeatures = new Set(left.flatMap(({ files }) => files));
  const others = merged.filter(({ stays, shown }) => stays && !ofFeatures.has(shown)).map(({ shown }) => shown);
  const { folder } = run.place;
  const module =
    merged.find(({ path }) => path.startsWith(folder) && path.endsWith('.module.ts'))?.shown ?? 'the module';
  return [
    ...section(
      'Features without an operation:',
      left.map((feature) => describeFeature(feature, module)),
    ),
    ...section('Files that nothing needs any more, unless code of yours does:', others),
  ];
}

function describeFeature({ slug, className, files, isEdited }: LeftFeature, module: string): string {
  const list = files.join(', ');
  if (!isEdited) return `${slug}: the module has it no more, and its files stay. Delete them: ${list}`;
  return (
    `${slug}: you have changed it, so that its tools stay, although the API may not know them. ` +
    `To remove it, take ${className} out of ${module}, and delete ${list}`
  );
}
