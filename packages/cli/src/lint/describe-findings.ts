/** Findings as lines for users, and as a table in Markdown. */
import { oneLine, plainMarkdown } from '../terminal/server-text';
import type { Styles } from '../terminal/styles';
import type { FindingSeverity } from './definition-rule';
import { RULES, type DefinitionFinding } from './lint-server';

/** How many findings of a rule are shown, unless all of them are. */
const MOST = 10;
const INDENT = 2;

/**
 * The findings by rule: each rule with what it asks, then its findings, each with its place; the fix once if it is the same for all.
 * @param whole the rules of which all findings are shown
 */
export function describeFindings(
  findings: readonly DefinitionFinding[],
  styles: Styles,
  whole: readonly string[] = [],
): readonly string[] {
  const dress: Readonly<Record<FindingSeverity, (text: string) => string>> = {
    error: styles.bad,
    warning: styles.warn,
    hint: styles.dim,
  };
  return groupsOf(findings).flatMap(({ severity, rule, snyk, found }) => {
    const codes = snyk === undefined ? rule : `${rule}, ${snyk}`;
    const asks = RULES.find(({ name }) => name === rule)?.asks ?? '';
    const shown = whole.includes(rule) ? found : found.slice(0, MOST);
    const lines = shown.flatMap((finding, index) => findingLines(finding, shown[index + 1], styles));
    const left = found.length - shown.length;
    const more = left > 0 ? [`${' '.repeat(INDENT)}and ${left} more`] : [];
    return ['', `${dress[severity](severity)}  ${asks} ${styles.dim(`[${codes}]`)}`, ...lines, ...more];
  });
}

/** Findings of one rule and one severity. */
interface FindingGroup extends Pick<DefinitionFinding, 'severity' | 'rule' | 'snyk'> {
  readonly found: readonly DefinitionFinding[];
}

function groupsOf(findings: readonly DefinitionFinding[]): readonly FindingGroup[] {
  const groups = new Map<string, DefinitionFinding[]>();
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.rule}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap((found) => (found[0] ? [{ ...found[0], found }] : []));
}

function findingLines(
  { entry, place, problem, fix }: DefinitionFinding,
  next: DefinitionFinding | undefined,
  styles: Styles,
): readonly string[] {
  const indent = ' '.repeat(INDENT);
  const where = place === undefined ? '' : styles.dim(` ${place}`);
  const line = `${indent}${styles.name(oneLine(entry ?? 'the server'))}: ${oneLine(problem)}${where}`;
  return next?.fix === fix ? [line] : [line, `${indent}→ ${oneLine(fix)}`];
}

/** A table of findings in Markdown. */
export function findingsMarkdown(findings: readonly DefinitionFinding[]): string {
  if (findings.length === 0) return 'No problems found in the definitions.\n';
  const rows = findings.map(({ severity, entry = 'the server', problem, fix, rule, place = '' }) =>
    [severity, ...[entry, problem, fix, `${rule} ${place}`.trim()].map(plainMarkdown)].join(' | '),
  );
  return ['| | entry | problem | fix | rule |', '|---|---|---|---|---|', ...rows.map((row) => `| ${row} |`), ''].join(
    '\n',
  );
}

/** Such as `1 error, 2 warnings, 1 hint`. */
export function countFindings(findings: readonly DefinitionFinding[]): string {
  const severities: readonly FindingSeverity[] = ['error', 'warning', 'hint'];
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((each) => each.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`];
  });
  return counts.join(', ') || 'no findings';
}
