/** From a call to a task. */
import {
  ProtocolError,
  TypedResult,
  type EntryStage,
  type ExtensionCall,
  type ExtensionServices,
} from '@sigil-mcp/core';
import type { TaskBoard } from '../board';
import { TASKS } from '../names';
import { newTask } from '../record/transitions';
import { viewOf } from '../record/task-view';
import { letStart, TaskStart } from '../start-task';
import type { ResolvedTasks, TaskSettings } from '../tasks-options';
import { noRoom } from '../task-room';
import { TASK } from './operations';

/** What creating tasks needs. */
export interface TaskMaking {
  readonly board: TaskBoard;
  readonly services: Pick<ExtensionServices, 'account'>;
  readonly options: ResolvedTasks;
  /** Tells the worker of this process of a new task. */
  readonly offer: (id: string) => void;
}

/**
 * Runs around a tool with the option `task`.
 */
export function taskStage(settings: TaskSettings): EntryStage<TaskMaking> {
  return {
    isForEveryone: true,
    async run(call, next, making) {
      if (call.isBackground || call.isNested) return next();
      if (!call.canAnswerWith(TASK)) {
        if (settings.support === 'required') throw needsTasks(call);
        return next();
      }
      const create = (): Promise<object> => createTask(call, settings, making);
      if (settings.starts === 'in-handler') return startInHandler(call, next, create);
      await call.checkArguments();
      return create();
    },
  };
}

async function startInHandler(
  call: ExtensionCall,
  next: Parameters<EntryStage['run']>[1],
  create: () => Promise<object>,
): Promise<object> {
  letStart(call.context);
  try {
    return await next();
  } catch (error) {
    if (error instanceof TaskStart) return create();
    throw error;
  }
}

/** What makes room: those that have ended give way to others. */
const ROOM_COMES = 'Wait until some have ended, or cancel them.';

async function createTask(
  call: ExtensionCall,
  settings: TaskSettings,
  { board, services, options, offer }: TaskMaking,
): Promise<object> {
  const { principal } = call.context.caller;
  const ttl = settings.ttl ?? options.ttl;
  // A store has no addresses.
  const holder = call.countedFor;
  const retry = settings.retry ?? 'never';
  const state = newTask(
    {
      tool: call.entry?.key ?? '',
      id: board.newId(holder),
      call: call.record,
      owner: principal ?? null,
      holder,
      ttl: Number.isFinite(ttl) ? Math.ceil(ttl) : null,
      pollInterval: Math.ceil(settings.pollInterval ?? options.pollInterval),
      retries: retry === 'never' ? 0 : retry,
    },
    board.now(),
  );
  const limit = await board.create(state);
  if (limit !== undefined) throw noRoom(limit, { limits: options.limits, account: services.account }, ROOM_COMES);
  offer(state.id);
  return new TypedResult(TASK, viewOf(state, state.createdAt));
}

function needsTasks({ method }: ExtensionCall): ProtocolError {
  return new ProtocolError(
    'missing-client-capability',
    `${method} of this tool needs the extension ${TASKS}, which the client did not declare.`,
    { requiredCapabilities: { extensions: { [TASKS]: {} } } },
  );
}
