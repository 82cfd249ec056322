/** The field `taskIds` of `subscriptions/listen`: the client is sent every change of its tasks. */
import { ProtocolError, type ExtensionCall, type ExtensionListenField, type JsonValue } from '@sigil-mcp/core';
import { isObject } from '@sigil-mcp/core/adapter';
import { detailsOf } from '../record/task-view';
import type { TaskState } from '../record/task-state';
import { checkPolls, findTask, type TaskAccess } from './handlers';
import type { ListenedTasks } from './listened-tasks';
import { TASK_CHANGED } from './operations';
import type { ResolvedTasks } from '../tasks-options';

/** Tasks that one subscription may name. */
const MOST = 1000;
/** Tasks that are read at once. So many count as one poll. */
const BATCH = 20;

/** What subscriptions need. */
export interface ListenedAccess extends TaskAccess {
  readonly limits: ResolvedTasks['limits'];
  /** Undefined where every change of other instances is announced. */
  readonly listened: ListenedTasks | undefined;
}

/** The field. */
export const TASK_IDS: ExtensionListenField<readonly string[], ListenedAccess> = {
  name: 'taskIds',
  read: readIds,
  async honour(wanted, call, access) {
    const found = await ownTasks(wanted, call, access, () => checkPolls(call, access.limits.polls));
    return found.map(({ id }) => id);
  },
  async first(wanted, call, access) {
    const read = (ids: readonly string[]): Promise<TaskState[]> => ownTasks(ids, call, access);
    const found = await (access.listened?.begin(wanted, read, call.context.signal) ?? read(wanted));
    return found.map((state) => ({
      method: TASK_CHANGED.method,
      params: detailsOf(state, access.board.now()),
      subject: state.id,
    }));
  },
  covers: (wanted, { params }) => isObject(params) && wanted.some((id) => id === params['taskId']),
};

/**
 * Tasks of others, and ids that are not known, are left out.
 * @param before each batch
 */
async function ownTasks(
  ids: readonly string[],
  call: ExtensionCall,
  access: TaskAccess,
  before: () => Promise<void> = () => Promise.resolve(),
): Promise<TaskState[]> {
  const find = (id: string): Promise<TaskState | undefined> =>
    findTask(id, call, access).catch((error: unknown) => {
      if (error instanceof ProtocolError) return undefined;
      throw error;
    });
  const all = [...new Set(ids)];
  const found: TaskState[] = [];
  for (let at = 0; at < all.length; at += BATCH) {
    await before();
    const states = await Promise.all(all.slice(at, at + BATCH).map(find));
    found.push(...states.filter((state) => state !== undefined));
  }
  return found;
}

function readIds(value: JsonValue, at: string): readonly string[] {
  const isList = Array.isArray(value) && value.every((id) => typeof id === 'string');
  if (!isList || value.length > MOST)
    throw new ProtocolError('invalid-params', `${at}.taskIds must be an array of at most ${MOST} ids`);
  return value;
}
