/** Applies the changes of a revision to the rules of the one before it. */
import type { FieldTable } from '../rules/nouns';
import type { RevisionDelta, RevisionRules } from './revision-rules';

/** The rules of a revision, from those of the one before and what changed. */
export function extendRevision(base: RevisionRules, delta: RevisionDelta): RevisionRules {
  const { adds = {}, removes = {}, errorCodes, http, ...replaced } = delta;
  return {
    ...base,
    ...replaced,
    requests: change(base.requests, adds.requests, removes.requests),
    notifications: change(base.notifications, adds.notifications, removes.notifications),
    serverRequests: change(base.serverRequests, adds.serverRequests),
    fields: removeFields(addFields(base.fields, adds.fields ?? {}), removes.fields ?? {}),
    errorCodes: { ...base.errorCodes, ...errorCodes },
    http: { ...base.http, ...http },
  };
}

function change<T>(names: readonly T[], added: readonly T[] = [], removed: readonly T[] = []): readonly T[] {
  return [...names.filter((name) => !removed.includes(name)), ...added];
}

function addFields(base: FieldTable, added: FieldTable): FieldTable {
  const merged: Record<string, readonly string[] | undefined> = { ...base };
  for (const [noun, fields = []] of Object.entries(added)) merged[noun] = [...(merged[noun] ?? []), ...fields];
  return merged;
}

function removeFields(base: FieldTable, removed: FieldTable): FieldTable {
  const left: Record<string, readonly string[] | undefined> = { ...base };
  for (const [noun, fields = []] of Object.entries<readonly string[] | undefined>(removed)) {
    const rest = left[noun]?.filter((field) => !fields.includes(field)) ?? [];
    if (rest.length > 0) left[noun] = rest;
    else delete left[noun];
  }
  return left;
}
