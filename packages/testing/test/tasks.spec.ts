/** Tests of tools that become tasks. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createServer, Feature, McpContext, Tool, tool, type Server } from '@sigil-mcp/core';
import { connect, eachRevision } from '@sigil-mcp/testing';
import { tasks } from '@sigil-mcp/tasks';
import { IsBoolean, IsString } from 'class-validator';
import { HttpApp } from '../../../test/programs/e2e/http-app';

class Name {
  @IsString()
  name!: string;
}

class Approval {
  @IsBoolean()
  ok!: boolean;
}

@Feature()
class ReportFeature {
  @Tool('Writes a report', { task: 'optional', asks: [Approval] })
  async report({ name }: Name, context: McpContext): Promise<string> {
    await context.progress(1, 2, 'Half of it is written');
    const answer = await context.elicit(Approval, 'Publish?');
    return `${name}: ${answer.action === 'accept' && answer.content.ok ? 'published' : 'kept'}`;
  }

  @Tool('Says hello')
  hello(): string {
    return 'Hello';
  }

  @Tool('Waits for its end', { task: 'required' })
  wait(context: McpContext): Promise<never> {
    return new Promise((_, reject) => context.signal.addEventListener('abort', () => reject(context.signal.reason)));
  }
}

const serve = (): Server =>
  createServer({ name: 'reports', version: '1.0.0', features: [ReportFeature], extensions: [tasks()] });

describe('a task of a test', () => {
  const capabilities = { elicitation: { form: {} } };

  it('is looked at, answered and waited for', async () => {
    const client = await connect(serve(), { capabilities });
    const task = await client.startTask('report', { name: 'May' });
    const [question] = await task.questions();
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Publish?' } });
    expect(await task.status()).toMatchObject({ status: 'input_required', statusMessage: 'Half of it is written' });
    await expect(task.result()).rejects.toMatchObject({ code: 'SIGIL_TEST_TASK_ASKS' });
    await task.answer(question, { action: 'accept', content: { ok: true } });
    expect(await task.result()).toMatchObject({ content: [{ text: 'May: published' }], isError: false });
    await expect(task.questions()).rejects.toMatchObject({ code: 'SIGIL_TEST_TASK_ENDED' });
    await expect(task.answer(undefined, {})).rejects.toMatchObject({ code: 'SIGIL_TEST_TASK_QUESTION' });
    await client.close();
  });

  it('lets timers run, also for a test that looks at it in a loop', async () => {
    // Runs with the timers of a turn.
    const slow = tool('slow', { description: 'Waits for a turn', task: 'required' }, () => nextTurn('done'));
    const client = await connect(createServer({ name: 'slow', version: '1', features: [slow], extensions: [tasks()] }));
    const task = await client.startTask('slow');
    for (let status = 'working'; status === 'working';) ({ status } = await task.status());
    expect(await task.result()).toMatchObject({ content: [{ text: 'done' }] });
    await client.close();
  });

  it('is answered by the answers of its client', async () => {
    const client = await connect(serve(), { answers: () => ({ action: 'decline' }) });
    const task = await client.startTask('report', { name: 'May' });
    expect(await task.result()).toMatchObject({ content: [{ text: 'May: kept' }] });
    expect(client.questions).toMatchObject([{ method: 'elicitation/create', params: { message: 'Publish?' } }]);
    await client.close();
  });

  it('is cancelled', async () => {
    const client = await connect(serve());
    const task = await client.startTask('wait');
    await task.cancel();
    expect(await task.status()).toMatchObject({ status: 'cancelled' });
    await expect(task.result()).rejects.toMatchObject({ code: 'SIGIL_CLIENT_TASK_CANCELLED' });
    await client.close();
  });

  it('is none if the tool answers at once', async () => {
    const client = await connect(serve());
    await expect(client.startTask('hello')).rejects.toMatchObject({ code: 'SIGIL_TEST_NO_TASK' });
    await client.close();
  });

  eachRevision(
    'is none where there are no tasks',
    async ({ connect: open }) => {
      const client = await open(serve(), { answers: () => ({ action: 'decline' }) });
      await expect(client.startTask('report', { name: 'May' })).rejects.toMatchObject({ code: 'SIGIL_TEST_NO_TASK' });
    },
    { since: '2025-06-18', until: '2025-11-25' },
  );

  it('works over HTTP, and has the error of a task that fails', async () => {
    const app = await HttpApp.start('everything');
    const client = await connect(app.url);
    const failed = await client.startTask('protocol_error_job');
    await expect(failed.result()).rejects.toMatchObject({ code: -32603, message: 'This job is refused.' });
    const slow = await client.startTask('slow_compute', { seconds: 1 });
    expect(await slow.result()).toMatchObject({ content: [{ text: 'Computed nothing for 1 s.' }] });
    await client.close();
    await app.stop();
  });
});
