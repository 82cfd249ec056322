/** The platforms that a bundle is made for, and what differs between their bundles. */

/** Where a bundle runs. */
export type BuildTarget = 'node' | 'lambda' | 'worker';

/** What a platform wants of a bundle. */
interface TargetRules {
  /** Whether the file is an ES module; as the project if left out. */
  readonly esm?: boolean;
  /** Packages that the platform has. */
  readonly provided: readonly string[];
  /** The conditions of `exports` that the platform adds. */
  readonly conditions: readonly string[];
  /** Whether every byte counts, because the file is loaded before a request is answered. */
  readonly isSmall: boolean;
  /** The command that runs the file, with its path in place of `{file}`; undefined if a platform runs it. */
  readonly run?: string;
}

/** What each platform wants. */
export const TARGETS: Readonly<Record<BuildTarget, TargetRules>> = {
  node: { provided: [], conditions: [], isSmall: false, run: 'node --enable-source-maps {file}' },
  lambda: { provided: ['@aws-sdk', '@smithy'], conditions: [], isSmall: true },
  worker: { esm: true, provided: [], conditions: ['workerd', 'worker'], isSmall: true },
};
