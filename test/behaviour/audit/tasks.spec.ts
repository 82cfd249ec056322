/** The records of a task: that of its request, and that of its work, which names the first. */
import { createServer, Feature, Tool } from '@sigil-mcp/core';
import { tasks } from '@sigil-mcp/tasks';
import { connect } from '@sigil-mcp/testing';
import { until } from '../../support/until';
import { RecordedAudit } from './recorded-audit';

@Feature()
class Oven {
  @Tool('Bakes', { task: 'optional' }) bake(): string {
    return 'Done.';
  }
}

it('links the work of a task with the request that made it', async () => {
  const audit = new RecordedAudit();
  const options = { features: [Oven], extensions: [tasks()], observers: [audit.observer], logger: false } as const;
  const server = createServer({ name: 'oven', version: '1.0.0', ...options });
  const client = await connect(server, { as: 'ada' });
  const task = await client.startTask('bake');
  expect(await task.result()).toMatchObject({ content: [{ text: 'Done.' }] });
  const isWorked = (): boolean => audit.of('tools/call').some(({ transport }) => transport === 'background');
  await until(isWorked);
  const [work] = audit.of('tools/call').filter(({ transport }) => transport === 'background');
  const [request] = audit.of('tools/call').filter(({ transport }) => transport === 'memory');
  expect(work).toMatchObject({ first: request?.id, caller: { id: 'ada' }, entry: { key: 'bake' }, outcome: 'result' });
  expect(work?.arguments).toBe(request?.arguments);
  expect(audit.of('tasks/get').length).toBeGreaterThan(0);
  await client.close();
  await server.close();
});
