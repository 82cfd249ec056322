/** Is asked by tasks, and answers at whichever process is next: the task goes on once, wherever it waited. */
import { randomUUID } from 'node:crypto';
import { TaskClient } from '../clients/task-client';
import type { Random } from '../random';
import type { World } from '../world';
import { rest, type Actor } from './actor';
import { enterTask } from './task-caller';

/** Answers each question with the number that follows; what is said after that does not count. */
export const taskAsker: Actor = async (world, random) => {
  const client = new TaskClient(world);
  while (!world.over.aborted) {
    await askOnce(client, world, random);
    await rest(random);
  }
};

async function askOnce(client: TaskClient, world: World, random: Random): Promise<void> {
  const [label, number, since] = [randomUUID(), random.between(0, 1_000_000), world.timeline.now];
  const task = await client.start('riddle', { label, number });
  if (!task) return;
  const { taskId } = task;
  const asking = await client.reach(taskId, since, 'input_required', 'failed');
  if (!asking) return;
  if (asking.status === 'input_required') {
    const keys = Object.keys(asking.inputRequests ?? {});
    if (keys.join() !== 'number') world.ledger.break('wrong answers', `a task asks for ${keys.join() || 'nothing'}`);
    // Sometimes the process that waits is killed before it hears of the answer.
    await rest(random, 500);
    if (!(await client.answer(taskId, reply(number + 1), since))) return;
    world.ledger.count('questions of tasks answered');
    await client.answer(taskId, reply(number + 2), since);
  }
  const ended = await client.reach(taskId, since, 'completed', 'failed', 'cancelled');
  const expected = JSON.stringify({ number, answer: number + 1 });
  if (ended) await enterTask(world, { label, since, expected }, ended);
}

function reply(number: number): object {
  return { number: { action: 'accept', content: { number, sentAt: 0 } } };
}
