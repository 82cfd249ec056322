/** The field `taskIds` of `subscriptions/listen`: the client is sent every change of its tasks. */
import {
  ProtocolError,
  type ExtensionCall,
  type ExtensionListenField,
  type ExtensionServices,
  type JsonValue,
} from '@sigil-mcp/core';
import { isObject } from '@sigil-mcp/core/adapter';
import { detailsOf } from '../record/task-view';
import type { TaskState } from '../record/task-state';
import { findTask, type TaskAccess } from './access';
import type { ListenedTasks } from './listened-tasks';
import { TASK_CHANGED } from './operations';

/** Tasks that one subscription may name. */
const MOST = 1000;

/** What subscriptions need. */
export interface ListenedAccess extends TaskAccess {
  /** Undefined where every change of other instances is announced. */
  readonly listened: ListenedTasks | undefined;
}

/** @param accessOf what there is of a server that has started */
export function taskIds(
  accessOf: (services: ExtensionServices) => ListenedAccess,
): ExtensionListenField<readonly string[]> {
  return {
    name: 'taskIds',
    read: readIds,
    async honour(wanted, call, services) {
      const found = await ownTasks(wanted, call, accessOf(services));
      return found.map(({ id }) => id);
    },
    async first(wanted, call, services) {
      const access = accessOf(services);
      const found = await ownTasks(wanted, call, access);
      access.listened?.add(found, call.context.signal);
      return found.map((state) => ({ method: TASK_CHANGED.method, params: detailsOf(state), subject: state.id }));
    },
    covers: (wanted, { params }) => isObject(params) && wanted.some((id) => id === params['taskId']),
  };
}

/** Tasks of others, and ids that are not known, are left out. */
async function ownTasks(ids: readonly string[], call: ExtensionCall, access: TaskAccess): Promise<TaskState[]> {
  const found: TaskState[] = [];
  for (const id of new Set(ids)) {
    try {
      found.push(await findTask(id, call, access));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
    }
  }
  return found;
}

function readIds(value: JsonValue, at: string): readonly string[] {
  const isList = Array.isArray(value) && value.every((id) => typeof id === 'string');
  if (!isList || value.length > MOST)
    throw new ProtocolError('invalid-params', `${at}.taskIds must be an array of at most ${MOST} ids`);
  return value;
}
