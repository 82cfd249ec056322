/** The checks of `sigil doctor`, in the order of the report, and their results. */
import type { ProjectCheck, Finding } from './check';
import { belowGuard } from './check-below-guard';
import { circularImports } from './check-circular-imports';
import { clientSettings } from './check-client-settings';
import { flattenedTypes } from './check-flattened-types';
import { importedTypes } from './check-imported-types';
import { placeholders } from './check-placeholders';
import { compilerSettings, metadataRunners } from './check-settings';
import { stdioGuard } from './check-stdio-guard';
import { typeImports } from './check-type-imports';
import { vagueProperties } from './check-vague-properties';
import { fittingVersions, nodeVersion, oneCopy, ownEngines } from './check-versions';
import type { ReadSetup } from './read-setup';

/** Every check. */
const CHECKS: readonly ProjectCheck[] = [
  nodeVersion,
  ownEngines,
  compilerSettings,
  typeImports,
  circularImports,
  vagueProperties,
  placeholders,
  importedTypes,
  flattenedTypes,
  stdioGuard,
  belowGuard,
  clientSettings,
  metadataRunners,
  oneCopy,
  fittingVersions,
];

/** A check, and its findings. */
export interface Examined {
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** Runs every check. */
export function examine(setup: ReadSetup): readonly Examined[] {
  return CHECKS.map((check) => ({ title: check.title, findings: check.find(setup) }));
}

/** @returns the list for users */
export function describeExamined(examined: readonly Examined[]): string {
  const lines = examined.flatMap(({ title, findings }) => [
    `${findings.length === 0 ? '✓' : '✗'} ${title}`,
    ...findings.flatMap(({ problem, fix }) => [`    ${problem}`, `    → ${fix}`]),
  ]);
  const count = examined.reduce((sum, { findings }) => sum + findings.length, 0);
  const verdict = count === 0 ? 'No problems found.' : `${count} ${count === 1 ? 'thing' : 'things'} to fix.`;
  return `${lines.join('\n')}\n\n${verdict}\n`;
}
