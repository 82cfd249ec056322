/** The checks of `sigil doctor`, in the order in which they are shown, and what they come to. */
import type { Check, Finding } from './check';
import { compilerSettings, metadataRunners } from './check-settings';
import { stdioGuard } from './check-stdio-guard';
import { typeImports } from './check-type-imports';
import { fittingVersions, nodeVersion, oneCopy } from './check-versions';
import type { ReadSetup } from './read-setup';

/** Every check. */
const CHECKS: readonly Check[] = [
  nodeVersion,
  compilerSettings,
  typeImports,
  stdioGuard,
  metadataRunners,
  oneCopy,
  fittingVersions,
];

/** What one check came to. */
export interface Examined {
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** Looks at everything. */
export function examine(setup: ReadSetup): readonly Examined[] {
  return CHECKS.map((check) => ({ title: check.title, findings: check.find(setup) }));
}

/** @returns the list for people */
export function describeExamined(examined: readonly Examined[]): string {
  const lines = examined.flatMap(({ title, findings }) => [
    `${findings.length === 0 ? '✓' : '✗'} ${title}`,
    ...findings.flatMap(({ what, mend }) => [`    ${what}`, `    → ${mend}`]),
  ]);
  const count = examined.reduce((sum, { findings }) => sum + findings.length, 0);
  const verdict = count === 0 ? 'All is well.' : `${count} ${count === 1 ? 'thing' : 'things'} to mend.`;
  return `${lines.join('\n')}\n\n${verdict}\n`;
}
