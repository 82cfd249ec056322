/** The time limit of a tool that a method of an extension runs. */
import { McpContext, createServer, tool } from '@sigil-mcp/core';
import { ManualClock, connect } from '@sigil-mcp/testing';
import { IsBoolean } from 'class-validator';
import { JOBS, jobs } from './jobs/jobs';

class Approval {
  @IsBoolean() ok!: boolean;
}

const approve = tool(
  'approve',
  { description: 'Asks the user twice', timeout: 1000 },
  async (_input: unknown, context: McpContext) => {
    const first = await context.elicit(Approval, 'Really?');
    const second = await context.elicit(Approval, 'Really?');
    return `${first.action}, ${second.action}`;
  },
);

const slow = tool(
  'slow',
  { description: 'Takes too long without asking', timeout: 1000 },
  (_input: unknown, { signal }: McpContext) => {
    return new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  },
);

it.each(['2025-06-18', '2025-11-25'] as const)(
  'stands still while the user is asked, and runs on afterwards (%s)',
  async (revision) => {
    const clock = new ManualClock();
    const server = createServer({
      name: 'shop',
      version: '1.0.0',
      features: [approve, slow],
      extensions: [jobs()],
      logger: false,
      clock,
    });
    const answers = async (): Promise<{ action: 'decline' }> => {
      await clock.advance(5000);
      return { action: 'decline' };
    };
    const capabilities = { extensions: { [JOBS]: {} }, elicitation: { form: {} } };
    const client = await connect(server, { revision, capabilities, answers });
    const run = await client.request('jobs/run', { tool: 'approve', arguments: {} });
    expect(run).toMatchObject({ text: 'decline, decline (priority 0)', isError: false });
    const reached = async (job: string, status: string): Promise<unknown> => {
      for (;;) {
        const view = await client.request('jobs/get', { job });
        if ([status, 'done', 'failed'].includes(view['status'] as string)) return view;
      }
    };
    const { job } = await client.request('jobs/start', { tool: 'approve', arguments: {} });
    const name = job as string;
    for (let times = 0; times < 2; times++) {
      expect(await reached(name, 'asking')).toMatchObject({ status: 'asking' });
      await clock.advance(5000);
      await client.request('jobs/answer', { job: name, answer: { action: 'decline' } });
    }
    expect(await reached(name, 'done')).toMatchObject({ status: 'done', text: 'decline, decline' });
    const late = client.request('jobs/run', { tool: 'slow', arguments: {} });
    await client.request('ping', {});
    await clock.advance(1001);
    expect(await late).toMatchObject({ text: expect.stringContaining('timed out'), isError: true });
    await server.close();
  },
);
