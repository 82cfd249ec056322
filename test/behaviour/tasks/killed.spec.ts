/** One machine whose process is killed in each state of a task: the file remembers, and nothing is done twice. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { compileFixtures } from '../../support/compile-fixture';
import { BETTER_SQLITE } from '../../support/supplies/sqlite';
import { describeWith } from '../../support/supplies/supply';
import { accept, answer, CAPABILITIES, get, reach, start, textOf, WITH_TASKS } from './task-client';

describeWith('sqlite', 'a server whose tasks are in a file, killed', () => {
  let folder: string;
  let client: TestClient;
  const program = join(compileFixtures(join(__dirname, 'bakery')), 'durable.js');
  const marks = (): string[] => {
    try {
      return readFileSync(join(folder, 'marks'), 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  };

  async function open(): Promise<void> {
    const args = [program, join(folder, 'tasks.db'), join(folder, 'marks'), BETTER_SQLITE];
    client = await connect({ command: process.execPath, args }, { revision: WITH_TASKS, capabilities: CAPABILITIES });
  }

  async function killAndOpen(): Promise<void> {
    await expect(client.request('tools/call', { name: 'die', arguments: {} })).rejects.toThrow();
    await client.close();
    await open();
  }

  async function untilMarked(mark: string): Promise<void> {
    while (!marks().includes(mark)) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sigil-killed-'));
    await open();
  });
  afterEach(async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('while a task waits for an answer: it goes on when the answer comes, and orders once', async () => {
    const task = await start(client, 'approve', { name: 'rye' });
    await reach(client, task, 'input_required');
    await killAndOpen();
    expect(await get(client, task)).toMatchObject({ status: 'input_required', inputRequests: { approval: {} } });
    await killAndOpen();
    await answer(client, task, { approval: accept() });
    expect(textOf(await reach(client, task, 'completed'))).toBe('rye: accept');
    expect(marks()).toEqual(['ordered rye', 'answered rye']);
  });

  it('while a task works: it has failed, and is not done again', async () => {
    const task = await start(client, 'forever', { name: 'rye' });
    await untilMarked('began rye');
    await killAndOpen();
    expect(await reach(client, task, 'failed')).toMatchObject({
      error: { message: expect.stringContaining('was lost while it worked') as unknown },
    });
    expect(marks()).toEqual(['began rye']);
  });

  it('while a task works that may be done again: another process does it, with what it has kept', async () => {
    const task = await start(client, 'again', { name: 'rye' });
    await untilMarked('began rye');
    await killAndOpen();
    expect(textOf(await reach(client, task, 'completed'))).toBe('done by another process');
    expect(marks()).toEqual(['began rye', 'began rye']);
  });

  it('after its end: the result is there, and so is a cancellation', async () => {
    const done = await start(client, 'approve', { name: 'rye' });
    await reach(client, done, 'input_required');
    await answer(client, done, { approval: accept() });
    await reach(client, done, 'completed');
    const cancelled = await start(client, 'forever', { name: 'bun' });
    await untilMarked('began bun');
    await client.request('tasks/cancel', { taskId: cancelled.taskId });
    await killAndOpen();
    expect(textOf(await get(client, done))).toBe('rye: accept');
    expect(await get(client, cancelled)).toMatchObject({ status: 'cancelled' });
    expect(marks().filter((mark) => mark.includes('rye'))).toEqual(['ordered rye', 'answered rye']);
  });
});
