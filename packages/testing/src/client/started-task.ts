/** A call that has become a task: a test looks at it, answers it, cancels it, or waits for its result. */
import { RpcError, type ClientConversation } from '@sigil-mcp/client/wire';
import {
  clientError,
  followTask,
  hasEnded,
  objectOf,
  readTask,
  TASKS,
  type Task,
  type TaskLine,
} from '@sigil-mcp/client/internal';
import { systemClock } from '@sigil-mcp/base';
import { META_KEYS, type JsonObject, type RequestId } from '@sigil-mcp/protocol';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { testingError } from '../errors';
import type { CallToolAnswer } from '../results';
import { saidMessages, type TrafficLog } from './notifications';
import type { AnswerQuestion, Question } from './call-options';
import type { StartedRequest } from './started-request';

/** What a task needs of its client. */
export interface TaskTester {
  readonly log: TrafficLog;
  readonly conversation: ClientConversation;
  /** Answers the questions of the task; undefined if the test answers them itself. */
  readonly answers: AnswerQuestion | undefined;
  readonly client: {
    start(method: string, params: JsonObject): StartedRequest;
    cancel(requestId: RequestId): void;
  };
}

/** A question of a task. Its `key` says which. */
export interface KeyedQuestion extends Question {
  readonly key: string;
}

/** A task that a test has started. Its methods throw an `RpcError` if the server answers with an error. */
export class StartedTask {
  constructor(
    readonly id: string,
    private readonly tester: TaskTester,
  ) {}

  /** The task, as it is now: `tasks/get`. To wait for its end, use `result`. */
  async status(): Promise<Task> {
    // Answers over memory arrive without a turn of the event loop: a test that asks in a loop would keep every timer of the server from running.
    await nextTurn();
    return readTask(await this.#ask('tasks/get'));
  }

  /**
   * Waits until the task asks.
   * @returns all questions that have no answer
   * @throws SigilError `SIGIL_TEST_TASK_ENDED` if it ends before
   */
  async questions(): Promise<readonly KeyedQuestion[]> {
    const asking = await this.#until(({ status }) => status === 'input_required');
    const { status } = asking;
    if (hasEnded(asking)) throw testingError('SIGIL_TEST_TASK_ENDED', { task: this.id, status });
    return Object.entries(asking.inputRequests).map(([key, question]) => ({ ...question, key }));
  }

  /**
   * Answers one question: `tasks/update`.
   * @example
   * const [question] = await task.questions();
   * await task.answer(question, { action: 'accept', content: { confirm: true } });
   */
  async answer(question: Pick<KeyedQuestion, 'key'> | undefined, response: JsonObject): Promise<void> {
    if (!question) throw testingError('SIGIL_TEST_TASK_QUESTION', { task: this.id });
    await this.#ask('tasks/update', { inputResponses: { [question.key]: response } });
  }

  /** Asks the server to end the task: `tasks/cancel`. */
  async cancel(): Promise<void> {
    await this.#ask('tasks/cancel');
  }

  /**
   * Waits for the end of the task; questions go to the `answers` of the client.
   * @returns the result of the tool
   * @throws RpcError if the task has failed; SigilError `SIGIL_CLIENT_TASK_CANCELLED`, or `SIGIL_TEST_TASK_ASKS` if it asks and the client has no
   * `answers`
   */
  async result(): Promise<CallToolAnswer> {
    const { statusMessage, status, result, error } = await this.#until(
      () => false,
      this.tester.answers ?? this.#refuse,
    );
    if (error) throw new RpcError(error);
    const said = statusMessage === undefined ? '' : `: ${statusMessage}`;
    if (status === 'cancelled') throw clientError('SIGIL_CLIENT_TASK_CANCELLED', { task: this.id, said });
    // The type declares what the result should be: a test checks it itself.
    return result as CallToolAnswer;
  }

  readonly #refuse: AnswerQuestion = () => {
    throw testingError('SIGIL_TEST_TASK_ASKS', { task: this.id });
  };

  /** Follows the task until it has ended, or is as wanted. */
  async #until(
    isWanted: (task: Task) => boolean,
    answer: AnswerQuestion = () => new Promise(() => undefined),
  ): Promise<Task> {
    const stop = new AbortController();
    let found: Task | undefined;
    const onTask = (task: Task): void => {
      if (!isWanted(task)) return;
      found = task;
      stop.abort();
    };
    try {
      return await followTask(await this.status(), this.#line(), {
        answer,
        onTask,
        signal: stop.signal,
        clock: systemClock,
      });
    } catch (error) {
      if (found) return found;
      throw error;
    }
  }

  #line(): TaskLine {
    return {
      get: () => this.status(),
      update: (_id, inputResponses) => this.#ask('tasks/update', { inputResponses }),
      watch: (_id, changed) => this.#watch(changed),
      isFinal: () => true,
    };
  }

  /** The server says what changes, so that a test does not wait for the next poll. */
  async #watch(changed: (task: Task) => void): ReturnType<TaskLine['watch']> {
    const { log } = this.tester;
    const notifications = { taskIds: [this.id] };
    const subscription = this.tester.client.start('subscriptions/listen', {
      notifications,
      _meta: declared(this.tester),
    });
    let seen = log.entries.length;
    const stop = log.watch(() => {
      const news = saidMessages(log.entries.slice(seen), 'notifications/tasks');
      seen = log.entries.length;
      for (const { params } of news)
        if (objectOf(params?.['_meta'])[META_KEYS.subscriptionId] === subscription.id) changed(readTask(params ?? {}));
    });
    const close = async (): Promise<void> => {
      stop();
      this.tester.client.cancel(subscription.id);
    };
    return { ended: subscription.result.catch(() => undefined), close };
  }

  #ask(method: string, params: JsonObject = {}): Promise<JsonObject> {
    return this.tester.client.start(method, { taskId: this.id, ...params, _meta: declared(this.tester) }).result;
  }
}

/** Calls a tool as a client that knows tasks. @throws SigilError `SIGIL_TEST_NO_TASK` if the server answers at once */
export async function startTask(
  call: { name: string; arguments: JsonObject },
  tester: TaskTester,
): Promise<StartedTask> {
  const answer = await tester.client.start('tools/call', { ...call, _meta: declared(tester) }).result;
  if (answer['resultType'] !== 'task') throw testingError('SIGIL_TEST_NO_TASK', { tool: call.name, extension: TASKS });
  return new StartedTask(readTask(answer).taskId, tester);
}

/** The metadata of requests whose client knows tasks. */
function declared({ conversation }: TaskTester): JsonObject {
  return conversation.declare(TASKS);
}
