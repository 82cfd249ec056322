/** Distinguishes a compiled revision from any other value that plain JavaScript, or a cast, passes in its place. */
import type { Revision } from './revision';

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
