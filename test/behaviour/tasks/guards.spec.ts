/** Guards of tools whose calls become tasks: who may know a task is asked with every request, what a call may do once. */
import { createServer, Feature, McpContext, RateLimit, Tool, UseGuards, type Call, type Guard } from '@sigil-mcp/core';
import { connect, ManualClock, type TestClient } from '@sigil-mcp/testing';
import { tasks } from '@sigil-mcp/tasks';
import { Approval, Bread } from './bakery/bakery';
import { accept, answer, call, CAPABILITIES, get, reach, start, textOf, WITH_TASKS } from './task-client';

/** What guards have seen of calls. */
const seen: unknown[] = [];

/** Looks at the arguments, as a guard does that protects customers from each other. */
class RyeOnly implements Guard {
  allows(): true {
    return true;
  }
  allowsCall({ arguments: args, isBackground }: Call): boolean {
    seen.push([args, isBackground]);
    return (args as Bread).name === 'rye';
  }
}

@Feature()
class Bakery {
  @Tool('Bakes once a minute', { task: 'optional' })
  @UseGuards(RateLimit({ calls: 1, per: 'minute' }))
  async bake({ name }: Bread, context: McpContext): Promise<string> {
    const { action } = await context.elicit(Approval, `Bake ${name}?`, { key: 'approval' });
    return `${action} ${name}`;
  }

  @Tool('Bakes rye', { task: 'optional' })
  @UseGuards(new RyeOnly())
  rye({ name }: Bread): string {
    return name;
  }
}

async function opened(): Promise<{ client: TestClient; clock: ManualClock; close: () => Promise<void> }> {
  const clock = new ManualClock();
  const definition = { name: 'bakery', version: '1.0.0', logger: false, features: [Bakery], clock } as const;
  // Handlers that wait are ended at once, so that they run again for each answer.
  const server = createServer({ ...definition, extensions: [tasks({ waiting: 0 })] });
  const client = await connect(server, { revision: WITH_TASKS, capabilities: CAPABILITIES });
  const close = async (): Promise<void> => {
    await client.close();
    await server.close();
  };
  return { client, clock, close };
}

it('are counted once by a rate limit: neither their runs count, nor what is asked about them', async () => {
  const { client, clock, close } = await opened();
  const task = await start(client, 'bake', { name: 'rye' });
  for (let poll = 0; poll < 3; poll += 1) await get(client, task);
  await reach(client, task, 'input_required');
  await answer(client, task, { approval: accept() });
  expect(textOf(await reach(client, task, 'completed'))).toBe('accept rye');
  const refused = { data: { retryAfter: 60 } };
  await expect(call(client, 'bake', { name: 'rye' })).rejects.toMatchObject(refused);
  await clock.advance(60_000);
  await start(client, 'bake', { name: 'rye' });
  await close();
});

it('show guards of calls their own arguments, and not those of requests about them', async () => {
  const { client, close } = await opened();
  const task = await start(client, 'rye', { name: 'rye' });
  expect(textOf(await reach(client, task, 'completed'))).toBe('rye');
  expect(seen).toEqual([
    [{ name: 'rye' }, false],
    [{ name: 'rye' }, true],
  ]);
  await expect(call(client, 'rye', { name: 'wheat' })).rejects.toThrow();
  await close();
});
