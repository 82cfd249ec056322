/** One task of a server: looked at, answered, cancelled, or followed to its result. */
import { requireOptions, withOthers, type OptionRule } from '@sigil-mcp/base';
import {
  ERROR_CODES,
  TypedResult,
  type CallToolResult,
  type JsonObject,
  type NotificationOperation,
  type Operation,
  type ResultType,
  type Revision,
  type SubscriptionFilter,
} from '@sigil-mcp/protocol';
import { clientError } from '../errors';
import { HttpError } from '../pipes/http-error';
import { isPassing } from '../response-status';
import { RpcError } from '../rpc-error';
import { followTask, type TaskLine, type Watch } from '../tasks/follow-task';
import { TASK, TASK_CHANGED, TASKS_CANCEL, TASKS_GET, TASKS_UPDATE } from '../tasks/operations';
import { TASKS, type Task } from '../tasks/task';
import { REQUEST_OPTIONS, type Line, type RequestOptions } from './client-request';
import { requestCodec } from '../conversations/request-codec';
import type { Subscription } from './subscription';

/** The options of a call of a tool. */
export interface ToolCallOptions extends RequestOptions {
  /**
   * Lets the server answer with a task, which the client follows to its end: called with the task at first, and each time it has changed. Its
   * questions go to the handlers of the client. If left out, the call is never a task.
   */
  readonly onTask?: (task: Task) => void;
}

/** The options of `TaskHandle.result`. */
export interface ResultOptions extends Pick<RequestOptions, 'timeout'> {
  /** Called with the task at first, and each time it has changed; nobody is if left out. */
  readonly onTask?: (task: Task) => void;
  /** Ends the following, not the task: the promise is rejected with `SIGIL_CLIENT_CANCELLED`. Never if left out. */
  readonly signal?: AbortSignal;
}

const RESULT_MEMBERS: Readonly<Record<keyof ResultOptions, OptionRule>> = {
  signal: REQUEST_OPTIONS.signal,
  timeout: REQUEST_OPTIONS.timeout,
  onTask: REQUEST_OPTIONS.onTask,
};
const RESULT_OPTIONS = withOthers(RESULT_MEMBERS);

/** What a task needs of its client. */
export interface TaskClient {
  request<P extends object, R extends object>(
    operation: Operation<string, P, R>,
    params: P,
    options: RequestOptions,
  ): Promise<R>;
  request(
    method: 'tools/call',
    params: { readonly name: string; readonly arguments: JsonObject },
    options: RequestOptions & { readonly resultTypes: readonly ResultType<Task>[] },
  ): Promise<CallToolResult | TypedResult<Task>>;
  subscribe(
    filter: SubscriptionFilter & JsonObject,
    onChange: () => void,
    options: RequestOptions,
  ): Promise<Subscription>;
  on<P extends object>(notification: NotificationOperation<string, P>, listener: (params: P) => void): () => void;
}

/** The parts of a task's client. */
export interface TaskParts {
  readonly client: TaskClient;
  readonly line: Line;
  readonly revision: Revision;
}

/** A task, by its id. Get one with `client.task(taskId)`; the id outlives the client. All methods throw an `RpcError` if the server does not know the task. */
export class TaskHandle {
  readonly #line: TaskLine;

  /** Use `client.task`. */
  constructor(
    readonly taskId: string,
    private readonly parts: TaskParts,
  ) {
    this.#line = taskLine(parts);
  }

  /** The task, as it is now. */
  get(options: RequestOptions = {}): Promise<Task> {
    return this.parts.client.request(TASKS_GET, { taskId: this.taskId }, declaring(this.parts, options));
  }

  /**
   * Answers questions of the task, by their keys; all of them need not be answered at once. `result` answers with the handlers of the client.
   * @example await task.answer({ approve: { action: 'accept', content: { ok: true } } });
   */
  async answer(inputResponses: JsonObject, options: RequestOptions = {}): Promise<void> {
    const params = { taskId: this.taskId, inputResponses };
    await this.parts.client.request(TASKS_UPDATE, params, declaring(this.parts, options));
  }

  /** Asks the server to end the task. It may end in another way before that: `get` says how. */
  async cancel(options: RequestOptions = {}): Promise<void> {
    await this.parts.client.request(TASKS_CANCEL, { taskId: this.taskId }, declaring(this.parts, options));
  }

  /**
   * Follows the task to its end, as often and for as long as you like.
   * @returns the result of the tool
   * @throws RpcError if the task has failed; SigilError `SIGIL_CLIENT_TASK_CANCELLED`, or `SIGIL_CLIENT_TASK_UNFOLLOWED` if the server cannot be
   * asked any more
   * @example const { content } = await client.task(taskId).result({ onTask: ({ statusMessage }) => show(statusMessage) });
   */
  async result(options: ResultOptions = {}): Promise<CallToolResult> {
    requireOptions('result', options, RESULT_OPTIONS);
    const { signal, timeout } = options;
    const first = await this.get({ ...(signal && { signal }), ...(timeout !== undefined && { timeout }) });
    return this.resultFrom(first, options, () => false);
  }

  /** As `result`, from what is known. @param cancelsAfter whether an error of a handler ends the task, too */
  async resultFrom(
    first: Task,
    options: ResultOptions,
    cancelsAfter: (error: unknown) => boolean,
  ): Promise<CallToolResult> {
    const { line, revision } = this.parts;
    const signal = options.signal ?? new AbortController().signal;
    const onTask = options.onTask ?? (() => undefined);
    let refusal: unknown;
    try {
      const answer: Line['answer'] = async (question) => {
        try {
          return await line.answer(question);
        } catch (error) {
          refusal = error;
          throw error;
        }
      };
      const ended = await followTask(first, this.#line, { answer, onTask, signal, clock: line.clock });
      return resultOf(ended, revision);
    } catch (error) {
      if (signal.aborted || error === refusal) {
        if (cancelsAfter(error)) await this.cancel().catch(() => undefined);
        throw signal.aborted ? clientError('SIGIL_CLIENT_CANCELLED', { id: this.taskId }, { cause: error }) : error;
      }
      throw this.#explained(error);
    }
  }

  #explained(error: unknown): unknown {
    const isOutcome = error instanceof Error && 'code' in error && error.code === 'SIGIL_CLIENT_TASK_CANCELLED';
    if (error instanceof RpcError || isOutcome) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return clientError('SIGIL_CLIENT_TASK_UNFOLLOWED', { task: this.taskId, reason }, { cause: error });
  }
}

/** Calls a tool whose answer may be a task, which is followed; its call can be cancelled like any other. */
export async function callAsTask(
  parts: TaskParts,
  params: { readonly name: string; readonly arguments: JsonObject },
  options: ToolCallOptions,
): Promise<CallToolResult> {
  const request = { ...declaring(parts, options), resultTypes: [TASK] };
  const answer = await parts.client.request('tools/call', params, request);
  if (!(answer instanceof TypedResult)) return answer;
  const { value } = answer;
  return new TaskHandle(value.taskId, parts).resultFrom(value, options, () => true);
}

function resultOf({ taskId, status, statusMessage, result, error }: Task, revision: Revision): CallToolResult {
  if (error) throw new RpcError(error);
  if (status === 'cancelled') {
    const said = statusMessage === undefined ? '' : `: ${statusMessage}`;
    throw clientError('SIGIL_CLIENT_TASK_CANCELLED', { task: taskId, said });
  }
  // Only results of `tools/call` can be tasks.
  return requestCodec('tools/call', revision).read({ resultType: 'complete', ...result }) as CallToolResult;
}

function taskLine(parts: TaskParts): TaskLine {
  const { client, line } = parts;
  return {
    get: (taskId, signal) => client.request(TASKS_GET, { taskId }, declaring(parts, { signal })),
    update: (taskId, inputResponses, signal) =>
      client.request(TASKS_UPDATE, { taskId, inputResponses }, declaring(parts, { signal })),
    retryAfter: (error) => (error instanceof RpcError || error instanceof HttpError ? error.retryAfter : undefined),
    watch: (taskId, changed, signal) => watch(parts, taskId, { changed, signal }),
    isFinal: (error) =>
      line.connection.over !== undefined ||
      (error instanceof RpcError && error.code !== ERROR_CODES['internal-error'] && !isPassing(error.status)),
  };
}

async function watch(
  parts: TaskParts,
  taskId: string,
  { changed, signal }: { readonly changed: (task: Task) => void; readonly signal: AbortSignal },
): Promise<Watch | undefined> {
  const { client } = parts;
  const stop = client.on(TASK_CHANGED, (task) => {
    if (task.taskId === taskId) changed(task);
  });
  signal.addEventListener('abort', stop, { once: true });
  const options = declaring(parts, { signal });
  const subscription = await client.subscribe({ taskIds: [taskId] }, () => undefined, options);
  const { taskIds } = subscription.filter as JsonObject;
  if (Array.isArray(taskIds) && taskIds.includes(taskId)) return subscription;
  await subscription.close();
  return undefined;
}

function declaring({ line }: TaskParts, options: RequestOptions): RequestOptions {
  return { ...options, meta: { ...line.conversation.declare(TASKS), ...options.meta } };
}
