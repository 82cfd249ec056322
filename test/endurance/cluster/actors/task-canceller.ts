/** Cancels tasks that would work for ever, wherever they run. */
import { randomUUID } from 'node:crypto';
import { TaskClient } from '../clients/task-client';
import type { World } from '../world';
import { expectAborted } from './canceller';
import { rest, type Actor } from './actor';

/** Milliseconds in which a task begins, if its worker lives. */
const BEGINS = 3000;

/** Starts, and cancels. */
export const taskCanceller: Actor = async (world, random) => {
  const client = new TaskClient(world);
  while (!world.over.aborted) {
    await cancelOnce(client, world);
    await rest(random);
  }
};

async function cancelOnce(client: TaskClient, world: World): Promise<void> {
  const [label, since] = [randomUUID(), world.timeline.now];
  const task = await client.start('drudge', { label });
  if (!task) return;
  const begun = await world.marks.find('begun', label, BEGINS);
  if (!(await client.cancel(task.taskId, since))) return;
  const ended = await client.get(task.taskId, since);
  if (!ended) return;
  if (ended.status === 'cancelled') world.ledger.count('tasks cancelled');
  else if (ended.status !== 'failed' || !world.timeline.anything(since))
    world.ledger.break('tasks lost', `a task that was cancelled is ${ended.status}`);
  if (begun) await expectAborted(world, begun, 'a task that was cancelled');
}
