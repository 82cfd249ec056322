/** Applies the changes of a revision, or what an extension adds, to the rules of a revision. */
import type { FieldTable } from '../rules/wire-rules';
import type { RevisionDelta, RevisionRules } from './revision';

/**
 * The rules of a revision, from those of another and what changed: of the one before, or of the same one without an extension. Of two
 * operations with the same name, the first one counts.
 * @example const rules = extendRevision(revision.rules, { adds: { requests: [TASKS_GET], resultTypes: [TASK] } });
 */
export function extendRevision(base: RevisionRules, delta: RevisionDelta): RevisionRules {
  const { adds = {}, removes = {}, errorCodes, http, ...replaced } = delta;
  return {
    ...base,
    ...replaced,
    requests: change(base.requests, adds.requests, removes.requests),
    notifications: change(base.notifications, adds.notifications, removes.notifications),
    clientNotifications: change(base.clientNotifications, adds.clientNotifications),
    serverNotifications: change(base.serverNotifications, adds.serverNotifications),
    metaKeys: change(base.metaKeys, adds.metaKeys),
    resultTypes: change(base.resultTypes, adds.resultTypes),
    listenFields: change(base.listenFields, adds.listenFields),
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
