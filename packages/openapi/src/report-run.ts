/** What a run says at its end: files, what differs from the last document, costs, and what tools cannot say. */
import { sources, shownPath, type CountTokens, type ReadProject, type Shell } from '@sigil-mcp/cli/kit';
import type { Differences } from './merge/compare-lock';
import type { ApiOperation, LeftOperation, Remark } from './operations/operation';
import { describeDifferences, section } from './describe-differences';
import type { ApiRun, WrittenApi, ApiChange } from './plan-changes';
import { naiveCounter, writtenTokens } from './tokens/operation-tokens';

/** Remarks that are shown unasked. */
const MOST_REMARKS = 12;

/** What there is to say. */
export interface RunReport {
  readonly run: ApiRun;
  readonly written: WrittenApi;
  readonly all: readonly ApiOperation[];
  /** Chosen operations that cannot be tools. */
  readonly left: readonly LeftOperation[];
  readonly differences: Differences;
  readonly changes: readonly ApiChange[];
  readonly remarks: readonly Remark[];
  readonly allRemarks: boolean;
  readonly countTokens: CountTokens;
}

/** The report as text. */
export function describeRun(report: RunReport): string {
  const { run, all, changes, left } = report;
  const { operations, names } = run;
  const title = `${names.title} ${run.document.version}`.trim();
  const lines = [
    `${title}: ${operations.length} of ${all.length + left.length} operations are tools.`,
    ...(changes.length === 0 ? ['Nothing has changed.'] : changes.map((change) => fileLine(run, change))),
    ...describeDifferences(report),
    ...leftLines(report),
    ...tokenLines(report),
    ...remarkLines(report),
    ...nextLines(report),
  ];
  return lines.join('\n');
}

/** Shows what would change. */
export function showChanges(shell: Shell, { folder }: ReadProject, changes: readonly ApiChange[]): void {
  const { styles } = shell;
  for (const { path, text, before } of changes) {
    shell.print(styles.bold(`${shownPath(folder, path)}${before === undefined ? ' (new)' : ''}`));
    shell.print(sources.showChange(before ?? '', text, { styles, secrets: [] }).join('\n'));
  }
  shell.print(changes.length === 0 ? 'Nothing would change.' : 'Nothing was written: --dry-run.');
}

function fileLine({ project: { folder } }: ApiRun, { path, before }: ApiChange): string {
  return `  ${before === undefined ? 'wrote  ' : 'changed'}  ${shownPath(folder, path)}`;
}

/** What was chosen and cannot be a tool, each time: nobody should miss it without knowing why. */
function leftLines({ left, allRemarks }: RunReport): string[] {
  return section(
    'Chosen, but without a tool:',
    firstOf(
      left.map(({ operation, reason }) => `${operation.key}: ${reason}`),
      allRemarks,
    ),
  );
}

function tokenLines({ run, written, all, countTokens }: RunReport): string[] {
  const { operations, document } = run;
  const tools = written.plan.features.flatMap((feature) => feature.tools);
  const naive = naiveCounter(document.pointers, countTokens);
  const shown = (tokens: number): string => tokens.toLocaleString('en').padStart(11);
  return [
    `Tokens of the list of tools (${countTokens.encoding}):`,
    `${shown(naive(all))}  every operation as the document has it (${all.length})`,
    `${shown(naive(operations))}  the chosen ones as the document has them (${operations.length})`,
    `${shown(writtenTokens(tools, countTokens))}  the tools as they are written (${tools.length})`,
  ];
}

function remarkLines({ remarks, allRemarks }: RunReport): string[] {
  const texts = [
    ...new Set(remarks.map(({ operation, text }) => (operation === undefined ? text : `${operation}: ${text}`))),
  ];
  return section('What tools cannot say as the document does:', firstOf(texts, allRemarks));
}

function firstOf(lines: readonly string[], all: boolean): string[] {
  const shown = all ? lines : lines.slice(0, MOST_REMARKS);
  const rest = lines.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more: --remarks shows them`] : [])];
}

/** The names in the query of the document whose values are not written down. */
function leftOut({ source, document: { url } }: ApiRun): readonly string[] {
  const written = URL.canParse(source) ? new URL(source).searchParams : new URLSearchParams();
  return [...url.searchParams].flatMap(([name, value]) => (value !== '' && written.get(name) === '' ? [name] : []));
}

function nextLines({ run, written }: RunReport): string[] {
  const { names, document, place } = run;
  const variables = written.credentials.variables.filter(
    ([name]) => document.server === undefined || !name.endsWith('_URL'),
  );
  return [
    ...section(
      'From the environment:',
      variables.map(([name, purpose]) => `${name}: ${purpose}`),
    ),
    ...(written.isFormatted ? [] : ['The code is not formatted: the project has no prettier.']),
    ...leftOut(run).map(
      (name) =>
        `openapi.lock.json has no value for ${name}, which may be a key: give the whole address to the next run.`,
    ),
    ...(place.lock
      ? []
      : [`The code is yours. Commit ${names.slug}/openapi.lock.json with it: the next run keeps your changes.`]),
  ];
}
