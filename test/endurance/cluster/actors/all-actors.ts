/** Everybody who uses the cluster of a run. */
import { client2, sdk1 } from '../clients/official-client';
import { type Actor, rest } from './actor';
import { asker } from './asker';
import { canceller, expectAborted, Waiting } from './canceller';
import { listener, Hearing, aloneCaller, callAlone } from './listener';
import { officialCaller } from './official-caller';
import { sseCaller } from './sse-caller';
import { subscriber } from './subscriber';
import { RawClient } from '../clients/raw-client';
import { textOf } from '../clients/exchange';
import type { World } from '../world';
import { randomUUID } from 'node:crypto';
import { TaskClient, type SeenTask } from '../clients/task-client';
import type { Message } from '../../../support/transcript';
import { until } from '../until';
import type { Random } from '../../../support/random';
import { StandingStream } from '../clients/standing-stream';

/** Milliseconds that a mark of work that was done may take to be read. */
const ON_ITS_WAY = 5000;

/** Tasks that work by themselves. */
const taskCaller: Actor = async (world, random) => {
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
interface ExpectedTask {
  readonly label: string;
  readonly since: number;
  readonly expected: string;
}

const LEVELS = ['debug', 'error'] as const;

/** Turns the details of the log on and off. */
const levelSetter: Actor = async (world, random) => {
  const client = new RawClient(world, { name: 'level setter' });
  while (!world.over.aborted) {
    if ((await client.ready()) === undefined) break;
    const level = random.pick(LEVELS) ?? 'debug';
    const set = await client.request('logging/setLevel', { level });
    if (set.kind === 'result')
      for (let call = 0; call < world.processes; call++) await speak(client, world, { level, random });
    // A process that was held still may do later what it has not answered.
    else await client.end();
    await rest(random);
  }
  await client.end();
};

/** Answers each question with the number that follows; what is said after that does not count. */
const taskAsker: Actor = async (world, random) => {
  const client = new TaskClient(world);
  while (!world.over.aborted) {
    await askOnce(client, world, random);
    await rest(random);
  }
};

const CHANGE = 'notifications/tools/list_changed';

/**
 * Changes the list, and waits to hear of it.
 *
 * Hears that the list of tools has changed, at whichever process it did: also of what changed after it had opened its session and
 * before it had opened its stream.
 */
const listWatcher: Actor = async (world, random) => {
  const client = new RawClient(world, { name: 'list watcher' });
  while (!world.over.aborted) {
    if ((await client.ready()) === undefined) break;
    const hearing = new Hearing();
    const stream = new StandingStream(client, ({ method }) => hearing.hear(String(method)));
    while (client.isOpen && !world.over.aborted) {
      await expectHeard(client, hearing, world);
      await rest(random);
    }
    await stream.stop();
  }
  await client.end();
};

/** Opens, and ends. */
const deleter: Actor = async (world, random) => {
  while (!world.over.aborted) {
    const client = new RawClient(world, { name: 'deleter' });
    if ((await client.ready()) === undefined) return;
    await endOnce(client, world);
    await rest(random, 300);
  }
};

const STEPS = 100;

/** Walks again and again. */
const streamer: Actor = async (world, random) => {
  const client = new RawClient(world, { name: 'streamer' });
  while (!world.over.aborted) {
    if ((await client.ready()) === undefined) break;
    await walkOnce(client, world, random.between(1, 12));
    await rest(random);
  }
  await client.end();
};

/** Milliseconds in which a task begins, if its worker lives. */
const BEGINS = 3000;

/** Starts, and cancels. */
const taskCanceller: Actor = async (world, random) => {
  const client = new TaskClient(world);
  while (!world.over.aborted) {
    await cancelOnce(client, world);
    await rest(random);
  }
};

/** Clients of every revision, each on its own, by their names. */
export const ACTORS: readonly (readonly [string, Actor])[] = [
  ['caller of 2025-11-25', caller('2025-11-25')],
  ['caller of 2025-06-18', caller('2025-06-18')],
  ['caller of 2025-03-26', caller('2025-03-26')],
  ['caller of 2024-11-05', sseCaller],
  ['caller of 2026-07-28', aloneCaller],
  ['sdk 1', officialCaller('sdk 1', sdk1)],
  ['client 2, with a handshake', officialCaller('client 2, with a handshake', client2('legacy'))],
  ['client 2, alone', officialCaller('client 2, alone', client2({ pin: '2026-07-28' }))],
  ['asker', asker],
  ['asker', asker],
  ['streamer', streamer],
  ['streamer', streamer],
  ['streamer', streamer],
  ['subscriber', subscriber],
  ['list watcher', listWatcher],
  ['listener', listener],
  ['canceller', canceller],
  ['deleter', deleter],
  ['level setter', levelSetter],
  ['task caller', taskCaller],
  ['task asker', taskAsker],
  ['task asker', taskAsker],
  ['task canceller', taskCanceller],
];

/** @param revision one that shakes hands */
function caller(revision: string): Actor {
  return async (world, random) => {
    const client = new RawClient(world, { name: `caller of ${revision}`, revision });
    while (!world.over.aborted) {
      if ((await client.ready()) === undefined) break;
      await callOnce(client, world, random);
      await rest(random);
    }
    await client.end();
  };
}

async function callOnce(client: RawClient, { ledger }: World, random: Random): Promise<void> {
  const number = random.between(0, 1_000_000);
  const outcome = await client.call('echo', { number });
  if (outcome.kind !== 'result') return;
  const text = textOf(outcome.result);
  if (text !== `echo ${number}`) ledger.break('wrong answers', `echo of ${number} was answered with "${text}"`);
}

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

async function walkOnce(client: RawClient, { ledger }: World, pause: number): Promise<void> {
  let last = 0;
  const onMessage = ({ method, params }: Message): void => {
    if (method !== 'notifications/progress') return;
    const { progress } = params as { readonly progress: number };
    if (progress <= last) ledger.break('duplicates on a stream', `step ${progress} after step ${last}`);
    if (progress > last + 1) ledger.break('gaps on a stream', `step ${progress} after step ${last}`);
    last = Math.max(last, progress);
  };
  const outcome = await client.call('walk', { steps: STEPS, pause }, { onMessage });
  if (outcome.kind !== 'result') return;
  if (last !== STEPS) ledger.break('gaps on a stream', `the result came after step ${last}`);
  const text = textOf(outcome.result);
  if (text !== `walked ${STEPS}`) ledger.break('wrong answers', `a walk was answered with "${text}"`);
}

async function endOnce(client: RawClient, world: World): Promise<void> {
  const { session } = client;
  const waiting = new Waiting(client);
  const begun = await waiting.begun();
  waiting.isUnwanted = true;
  const hasEnded = client.isOpen && (await client.end());
  if (hasEnded) {
    for (let process = 0; process < world.processes; process++) await expectUnknown(client, world, session);
    if (begun) await expectAborted(world, begun, 'in a session that was ended');
  }
  await waiting.abandon();
  await client.end();
}

async function expectUnknown(client: RawClient, world: World, session: string): Promise<void> {
  const message = { jsonrpc: '2.0', id: 'late', method: 'ping' };
  const arrival = await client.sendInSession({ message, signal: until(world.patience) }, session);
  if (arrival.kind !== 'response') return;
  await arrival.response.body?.cancel();
  if (arrival.response.ok)
    world.ledger.break('ended sessions served', `process ${arrival.lane} answered in a session that was ended`);
}

async function expectHeard(client: RawClient, hearing: Hearing, world: World): Promise<void> {
  const { ledger, patience, timeline } = world;
  const [since, at] = [performance.now(), timeline.now];
  const changed = await callAlone(world, 'change', {});
  if (changed.kind !== 'result') return;
  if (await hearing.wait(CHANGE, since, until(patience))) ledger.count('changes heard');
  else if (client.isOpen && !timeline.redisAway(at) && !timeline.killed(changed.lane, at))
    ledger.break('changes not heard', `of the list of tools, changed at process ${changed.lane}`);
}

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

async function speak(
  client: RawClient,
  world: World,
  { level, random }: { level: string; random: Random },
): Promise<void> {
  const number = random.between(0, 1_000_000);
  const { session } = client;
  let heard = 0;
  const onMessage = ({ method, params }: Message): void => {
    const { data } = (params ?? {}) as { readonly data?: unknown };
    if (method === 'notifications/message' && JSON.stringify(data).includes(`spoken ${number}`)) heard++;
  };
  const outcome = await client.call('speak', { number }, { onMessage });
  const expected = level === 'debug' ? 1 : 0;
  // A session that had to be opened anew begins with a level of its own.
  if (outcome.kind !== 'result' || client.session !== session || heard === expected) return;
  world.ledger.break('wrong answers', `at level ${level}, ${heard} details came from process ${outcome.lane}`);
}

/** Writes the end of a task into the book, and what is wrong with it. */
async function enterTask(world: World, { label, since, expected }: ExpectedTask, task: SeenTask): Promise<void> {
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
