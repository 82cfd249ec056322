/** The handlers of the methods. */
import {
  Denial,
  ProtocolError,
  recordCaller,
  type ExtensionCall,
  type ExtensionListenField,
  type ExtensionServices,
  type JsonValue,
  type Rate,
} from '@sigil-mcp/core';
import { isObject, LOCAL_CLIENT } from '@sigil-mcp/core/internal';
import { NoRoom, type TaskBoard } from '../board';
import type { TaskState } from '../record/task-state';
import { detailsOf, type DetailedTask } from '../record/task-view';
import { answer, cancel } from '../record/transitions';
import { noRoom } from '../task-room';
import type { ResolvedTasks } from '../tasks-options';
import type { ListenedTasks } from './listened-tasks';
import { TASK_CHANGED, type TaskParams, type UpdateParams } from './operations';

/** The services of the access to tasks. */
interface TaskAccess {
  readonly board: TaskBoard;
  readonly services: Pick<ExtensionServices, 'entries' | 'account'>;
}

/** Ids have 22 characters; what is longer is not looked up. */
const LONGEST_ID = 64;

const NOT_TAKEN =
  'The answer was not taken, and the task still waits: send a shorter one, or wait until other tasks are removed.';

/** What the methods need besides. */
export interface TaskMethods extends TaskAccess {
  readonly limits: ResolvedTasks['limits'];
  /** Tells the worker of this process of a task that goes on. */
  readonly offer: (id: string) => void;
}

/** Answers `tasks/get`. */
export async function getTask(call: ExtensionCall<TaskParams>, methods: TaskMethods): Promise<DetailedTask> {
  await checkPolls(call, methods.limits.polls);
  return detailsOf(await findTask(call.params.taskId, call, methods), methods.board.now());
}

/**
 * Answers `tasks/update`: unknown keys, and those of questions with an answer, are ignored. One answer that does not fit its question is
 * refused with all others, and the task waits on.
 */
export async function updateTask(call: ExtensionCall<UpdateParams>, methods: TaskMethods): Promise<object> {
  const { taskId, inputResponses } = call.params;
  const { status, questions } = await findTask(taskId, call, methods);
  for (const [key, response] of Object.entries(inputResponses)) {
    const question = Object.hasOwn(questions, key) ? questions[key] : undefined;
    if (question && status === 'input_required') await call.checkAnswer(question, response);
  }
  const caller = recordCaller(call.context.caller);
  const next = await methods.board.grow(taskId, (state, now) => answer(state, inputResponses, caller, now));
  if (next instanceof NoRoom) {
    const { limits, services } = methods;
    throw noRoom(next.limit, { limits, account: services.account }, NOT_TAKEN);
  }
  if (next?.status === 'working') methods.offer(taskId);
  return {};
}

/** Answers `tasks/cancel`: a task that has ended stays as it is. */
export async function cancelTask(call: ExtensionCall<TaskParams>, methods: TaskMethods): Promise<object> {
  const { taskId } = call.params;
  await findTask(taskId, call, methods);
  await methods.board.change(taskId, cancel);
  return {};
}

/**
 * Counts a poll. A local client, without an identity and an address, may poll as it likes.
 * @throws Denial beyond the limit
 */
async function checkPolls(call: ExtensionCall, polls: Rate): Promise<void> {
  const who = call.countedFor;
  if (who === LOCAL_CLIENT || !Number.isFinite(polls.calls)) return;
  const wait = await call.rates.take(`tasks/get ${who}`, polls);
  if (wait === 0) return;
  const retryAfter = Math.ceil(wait / 1000);
  throw new Denial(`Tasks are polled too often: wait ${retryAfter} s, and then as long as pollIntervalMs says.`, {
    status: 429,
    retryAfter,
    limit: 'tasks.limits.polls',
  });
}

/** No task has this id, as far as the caller may know. */
function unknownTask(id: string): ProtocolError {
  return new ProtocolError('invalid-params', `Unknown task: ${id.slice(0, LONGEST_ID)}`);
}

/**
 * A task of the caller, who may still call its tool.
 * @throws ProtocolError for an id that is not known, and for a task of another caller; Denial where a guard or missing scopes say why
 */
async function findTask(id: string, call: ExtensionCall, access: TaskAccess): Promise<TaskState> {
  const state = id.length > LONGEST_ID ? undefined : await access.board.read(id);
  if (!state || state.owner !== (call.context.caller.principal ?? null)) throw unknownTask(id);
  const tool = access.services.entries.find('tool', state.tool);
  // A tool that was removed has no rules any more.
  if (tool) await checkTool(id, () => call.checkAccess(tool));
  return state;
}

/** A tool that is hidden from the caller hides its tasks. */
async function checkTool(id: string, check: () => void | Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (error instanceof Denial || !(error instanceof ProtocolError)) throw error;
    throw unknownTask(id);
  }
}

// The field `taskIds` of `subscriptions/listen`: the client is sent every change of its tasks.

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
