/** Starts tasks, and follows them to their end at whichever process is next. */
import { randomUUID } from 'node:crypto';
import { textOf } from '../clients/outcome';
import { TaskClient, type SeenTask } from '../clients/task-client';
import type { World } from '../world';
import { rest, type Actor } from './actor';

/** Milliseconds that a mark of work that was done may take to be read. */
const ON_ITS_WAY = 5000;

/** Tasks that work by themselves. */
export const taskCaller: Actor = async (world, random) => {
  const client = new TaskClient(world);
  while (!world.over.aborted) {
    const label = randomUUID();
    const since = world.timeline.now;
    const task = await client.start('errand', { label, milliseconds: random.between(0, 400) });
    const ended = task && (await client.reach(task.taskId, since, 'completed', 'failed', 'cancelled'));
    if (ended) await enterTask(world, { label, since, expected: `done ${label}` }, ended);
    await rest(random);
  }
};

/** What a task was to do. */
export interface ExpectedTask {
  readonly label: string;
  readonly since: number;
  readonly expected: string;
}

/** Writes the end of a task into the book, and what is wrong with it. */
export async function enterTask(world: World, { label, since, expected }: ExpectedTask, task: SeenTask): Promise<void> {
  const { ledger, marks, timeline } = world;
  if (task.status === 'completed') {
    const text = textOf(task.result ?? {});
    if (text !== expected) ledger.break('wrong answers', `a task ended with "${text}", and not with "${expected}"`);
    if (!(await marks.find('worked', label, ON_ITS_WAY)))
      ledger.break('tasks lost', 'a task is completed that nobody has worked on');
    ledger.count('tasks completed');
  } else if (task.status === 'failed' && timeline.anything(since)) ledger.count('tasks that failed with their worker');
  else ledger.break('tasks lost', `a task is ${task.status} without a cause: ${task.error?.message ?? ''}`);
  const times = marks.count('worked', label);
  if (times > 1) ledger.break('tasks run twice', `a task has done its work ${times} times`);
}
