/** The revisions that are served. To add one, add a file to this folder and a line here. */
import { RULES_2024_11_05 } from './2024-11-05';
import { RULES_2025_03_26 } from './2025-03-26';
import { RULES_2025_06_18 } from './2025-06-18';
import { RULES_2025_11_25 } from './2025-11-25';
import { RULES_2026_07_28 } from './2026-07-28';
import { compileRevision } from './compile-revision';
import type { Revision, RevisionRules } from './revision';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

const LIFECYCLES: ReadonlySet<unknown> = new Set<Revision['lifecycle']>(['handshake', 'per-request']);

/** Methods that a compiled revision has, and its rules do not. */
const METHODS = [
  'readRequest',
  'readNotification',
  'readMeta',
  'readRetry',
  'writerFor',
  'writeError',
  'missingCapabilities',
  'writeServerRequest',
  'readServerResult',
  'writeNotification',
] as const satisfies readonly (keyof Revision)[];

/** Sets of names that it has. */
const SETS = ['requests', 'notifications', 'resultsOfParams', 'mayAsk'] as const satisfies readonly (keyof Revision)[];

/** The parts of a set of revisions. */
type RevisionParts = Pick<ServedRevisions, 'handshake' | 'perRequest' | 'newestHandshake' | 'newestPerRequest'>;

/** Revisions in the order of their dates, at least one of each lifecycle. */
export class ServedRevisions {
  /** Those that are negotiated with `initialize`, oldest first. */
  readonly handshake: readonly Revision[];
  /** Those whose requests are complete in themselves, oldest first. */
  readonly perRequest: readonly Revision[];
  /** The counter-offer to a client that asks for a revision that is not served. */
  readonly newestHandshake: Revision;
  readonly newestPerRequest: Revision;

  private constructor({ handshake, perRequest, newestHandshake, newestPerRequest }: RevisionParts) {
    this.handshake = handshake;
    this.perRequest = perRequest;
    this.newestHandshake = newestHandshake;
    this.newestPerRequest = newestPerRequest;
  }

  /** @returns the set, or the lifecycles that none of the revisions has */
  static of(revisions: readonly Revision[]): ServedRevisions | readonly Revision['lifecycle'][] {
    const sorted = [...revisions].sort((one, other) => (one.version < other.version ? -1 : 1));
    const handshake = sorted.filter(({ lifecycle }) => lifecycle === 'handshake');
    const perRequest = sorted.filter(({ lifecycle }) => lifecycle === 'per-request');
    const newestHandshake = handshake.at(-1);
    const newestPerRequest = perRequest.at(-1);
    if (newestHandshake && newestPerRequest)
      return new ServedRevisions({ handshake, perRequest, newestHandshake, newestPerRequest });
    return [...(newestHandshake ? [] : ['handshake' as const]), ...(newestPerRequest ? [] : ['per-request' as const])];
  }
}

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

/** Whether a value is a revision as `compileRevision` makes them. Checks its members, because a copy of a revision is one, too. */
export function isRevision(value: unknown): value is Revision {
  if (typeof value !== 'object' || value === null) return false;
  // Any member of an object may be read; each is checked before it is used.
  const members = value as Readonly<Record<string, unknown>>;
  const { version, lifecycle, http, rules } = members;
  return (
    typeof version === 'string' &&
    DATE.test(version) &&
    LIFECYCLES.has(lifecycle) &&
    typeof http === 'object' &&
    http !== null &&
    typeof rules === 'object' &&
    rules !== null &&
    METHODS.every((name) => typeof members[name] === 'function') &&
    members['resultTypes'] instanceof Set &&
    SETS.every((name) => isSetOfTexts(members[name]))
  );
}

function isSetOfTexts(value: unknown): boolean {
  if (!(value instanceof Set)) return false;
  for (const text of value as Set<unknown>) if (typeof text !== 'string') return false;
  return true;
}
