/** Measures one server in a process of its own: `measure.ts COUNT memory|URL WAITING`. The client is in the same process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { createServer, tool } from '@sigil-mcp/core';
import { MemoryTaskStore, tasks, TASKS, type TaskStore } from '@sigil-mcp/tasks';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { z } from 'zod';

const [count = '', where = '', waiting = ''] = process.argv.slice(2);
const CAPABILITIES = { elicitation: { form: {} }, extensions: { [TASKS]: {} } };
/** Requests at the same time, and answers whose time is taken. */
const [AT_ONCE, ANSWERS] = [50, 200];
/** Seconds in which nothing happens: more than a quarter of a lease. */
const IDLE = 16;

async function openStore(): Promise<{ store: TaskStore; close: () => void }> {
  if (where === 'memory') return { store: new MemoryTaskStore(), close: () => undefined };
  const client = await createClient({ url: where }).connect();
  return {
    store: redisTasks(client, { prefix: `measure:${waiting}`, commandTimeout: 20_000 }),
    close: () => client.destroy(),
  };
}

let asked = 0;
const approve = tool(
  'approve',
  { description: 'Waits for an answer', task: 'optional', timeout: Infinity },
  async (_, context) => {
    asked += 1;
    const { action } = await context.elicit(z.object({ ok: z.boolean() }), 'Really?');
    return action;
  },
);

async function start(client: TestClient): Promise<string> {
  const { taskId } = await client.request('tools/call', { name: 'approve', arguments: {} });
  if (typeof taskId !== 'string') throw new Error('The call did not become a task.');
  return taskId;
}

async function until(client: TestClient, taskId: string, status: string): Promise<void> {
  for (;;) {
    const task = await client.request('tasks/get', { taskId });
    if (task['status'] === status) return;
    if (task['status'] === 'failed') throw new Error(JSON.stringify(task));
    await new Promise(setImmediate);
  }
}

/** Starts tasks, some at a time, and waits until all of them wait. */
async function startAll(client: TestClient, number: number): Promise<string[]> {
  const ids: string[] = [];
  const one = async (): Promise<void> => {
    while (ids.length < number) {
      const index = ids.push('') - 1;
      ids[index] = await start(client);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  for (const id of ids) await until(client, id, 'input_required');
  return ids;
}

function heap(): number {
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function main(): Promise<void> {
  const { store, close } = await openStore();
  const server = createServer({
    ...{ name: 'measured', version: '1.0.0', logger: false, features: [approve] },
    requestState: { secrets: ['a secret of more than thirty-two characters'] },
    extensions: [
      tasks({
        store,
        waiting: Number(waiting),
        limits: { tasks: Infinity, tasksPerClient: Infinity, kept: Infinity, keptPerClient: Infinity },
      }),
    ],
  });
  const client = await connect(server, { revision: '2026-07-28', capabilities: CAPABILITIES });
  await startAll(client, 50);
  const before = heap();
  const began = performance.now();
  const ids = await startAll(client, Number(count));
  const created = performance.now() - began;
  await sleep(1000);
  const each = (heap() - before) / ids.length;
  const { user, system } = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  await sleep(IDLE * 1000);
  const idle = process.cpuUsage({ user, system });
  const { active } = performance.eventLoopUtilization(loop);
  const times: number[] = [];
  for (let answer = 0; answer < ANSWERS; answer += 1) {
    const taskId = ids[Math.floor((answer * ids.length) / ANSWERS)] ?? '';
    const key = Object.keys((await client.request('tasks/get', { taskId }))['inputRequests'] as object)[0] ?? '';
    const sent = performance.now();
    await client.request('tasks/update', {
      taskId,
      inputResponses: { [key]: { action: 'accept', content: { ok: true } } },
    });
    await until(client, taskId, 'completed');
    times.push(performance.now() - sent);
  }
  times.sort((one, other) => one - other);
  const [median = 0, late = 0] = [times[ANSWERS / 2], times[Math.floor(ANSWERS * 0.95)]];
  const cells = [
    `${(each / 1024).toFixed(1)} KiB of heap a task`,
    `${(created / 1000).toFixed(1)} s to create all`,
    `an idle second takes ${(active / IDLE).toFixed(1)} ms of the event loop`,
    `${((idle.user + idle.system) / 1000 / IDLE).toFixed(1)} ms CPU of all threads`,
    `answer to end ${median.toFixed(1)} ms, 95 % ${late.toFixed(1)} ms`,
    `${asked} runs`,
  ];
  process.stdout.write(`${cells.join('; ')}\n`);
  await client.close();
  await server.close();
  close();
}

void main().then(() => process.exit(0));
