/** The revisions that are served. To add one, add a file to this folder and a line here. */
import { RULES_2024_11_05 } from './2024-11-05';
import { RULES_2025_03_26 } from './2025-03-26';
import { RULES_2025_06_18 } from './2025-06-18';
import { RULES_2025_11_25 } from './2025-11-25';
import { RULES_2026_07_28 } from './2026-07-28';
import { compileRevision } from './compile-revision';
import type { Revision } from './revision';
import type { RevisionRules } from './revision-rules';

/** The rules of all revisions, oldest first: further revisions are defined by their differences from these. */
export const ALL_RULES: readonly [RevisionRules, ...RevisionRules[]] = [
  RULES_2024_11_05,
  RULES_2025_03_26,
  RULES_2025_06_18,
  RULES_2025_11_25,
  RULES_2026_07_28,
];

/** The newest revision that is negotiated with `initialize`: the counter-offer to a client that asks for an unknown one. */
export const NEWEST_HANDSHAKE_REVISION: Revision = compileRevision(RULES_2025_11_25);

/** The newest revision in which each request names its revision. */
export const NEWEST_PER_REQUEST_REVISION: Revision = compileRevision(RULES_2026_07_28);

/** All revisions, oldest first. */
export const ALL_REVISIONS: readonly Revision[] = [
  compileRevision(RULES_2024_11_05),
  compileRevision(RULES_2025_03_26),
  compileRevision(RULES_2025_06_18),
  NEWEST_HANDSHAKE_REVISION,
  NEWEST_PER_REQUEST_REVISION,
];

/** The revisions that are negotiated with `initialize`, oldest first. */
export const HANDSHAKE_REVISIONS: readonly Revision[] = ALL_REVISIONS.filter(
  ({ lifecycle }) => lifecycle === 'handshake',
);

/** The revisions whose requests are complete in themselves, oldest first. */
export const PER_REQUEST_REVISIONS: readonly Revision[] = ALL_REVISIONS.filter(
  ({ lifecycle }) => lifecycle === 'per-request',
);

const BY_VERSION: ReadonlyMap<string, Revision> = new Map(
  ALL_REVISIONS.map((revision) => [revision.version, revision]),
);

/** The revision of this date, if Sigil knows it. */
export function findRevision(version: string): Revision | undefined {
  return BY_VERSION.get(version);
}
