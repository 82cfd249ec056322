/** Tells a compiled revision from whatever else a program in JavaScript, or a cast, puts in its place. */
import type { Revision } from './revision';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

const LIFECYCLES: ReadonlySet<unknown> = new Set<Revision['lifecycle']>(['handshake', 'per-request']);

/** What rules that were not compiled have none of. */
const METHODS = [
  'readRequest',
  'readMeta',
  'readRetry',
  'writerFor',
  'writeError',
  'missingCapabilities',
  'writeServerRequest',
  'readServerResult',
  'writeNotification',
] as const satisfies readonly (keyof Revision)[];

/** Whether a value is a revision as `compileRevision` makes them: by its members, because one may be made from another. */
export function isRevision(value: unknown): value is Revision {
  if (typeof value !== 'object' || value === null) return false;
  // Of an object, anything can be asked; each member is looked at before it is believed.
  const members = value as Readonly<Record<string, unknown>>;
  const { version, lifecycle, http } = members;
  return (
    typeof version === 'string' &&
    DATE.test(version) &&
    LIFECYCLES.has(lifecycle) &&
    typeof http === 'object' &&
    http !== null &&
    METHODS.every((name) => typeof members[name] === 'function')
  );
}
