/** What `docs/tasks.md` says and shows. */
import { createServer, Feature, McpContext, Tool, type Server } from '@sigil-mcp/core';
import { MemoryTaskStore, startTask, tasks, type CurrentRights } from '@sigil-mcp/tasks';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { IsBoolean, IsInt, IsString } from 'class-validator';

class Year {
  @IsInt() year!: number;
}
class Approval {
  @IsBoolean() publish!: boolean;
}
class Budget {
  @IsString() budget!: string;
}

const MONTHS = ['January', 'February'];
const published: string[] = [];

/** The service behind the tools. */
class Archive {
  async read(year: number, month: string, _signal: AbortSignal): Promise<string> {
    return `${month} ${year}`;
  }

  async publish(text: string, id: string): Promise<string> {
    published.push(`${text} (${id.length > 0 ? 'once' : 'again'})`);
    return `https://reports.example.com/${published.length}`;
  }
}
const archive = new Archive();

// #region feature
@Feature()
class ReportFeature {
  @Tool('Writes the report of a year, and publishes it if the user agrees', { task: 'optional', asks: [Approval] })
  async yearlyReport({ year }: Year, context: McpContext): Promise<string> {
    const parts: string[] = [];
    for (const [index, month] of MONTHS.entries()) {
      await context.progress(index, MONTHS.length, `Reads ${month}`);
      parts.push(await archive.read(year, month, context.signal));
    }
    const answer = await context.elicit(Approval, `Publish the report of ${year}?`);
    if (answer.action !== 'accept' || !answer.content.publish) return 'It is not published.';
    const text = parts.join(', ');
    const url = await context.once('publish', () => archive.publish(text, context.onceId('publish')));
    return `Published at ${url}`;
  }
}
// #endregion feature

// #region server
const server = createServer({
  name: 'reports',
  version: '1.0.0',
  features: [ReportFeature],
  extensions: [tasks()],
});
// #endregion server

// #region starting
@Feature()
class OrderFeature {
  @Tool('Orders a study', { task: { support: 'optional', starts: 'in-handler' }, asks: [Budget] })
  async orderStudy(context: McpContext): Promise<string> {
    const answer = await context.elicit(Budget, 'What may it cost?');
    if (answer.action !== 'accept') return 'Nothing was ordered.';
    await startTask(context);
    return `Studied for ${answer.content.budget}.`;
  }
}
// #endregion starting

const opened: Server[] = [server];
afterAll(() => Promise.all(opened.map((one) => one.close())));

// #region test
it('publishes a report once the user agrees', async () => {
  const client = await connect(server, { capabilities: { elicitation: { form: {} } } });
  const task = await client.startTask('yearlyReport', { year: 2026 });
  const [question] = await task.questions();
  expect(question?.params).toMatchObject({ message: 'Publish the report of 2026?' });
  await task.answer(question, { action: 'accept', content: { publish: true } });
  expect(await task.result()).toHaveText('Published at https://reports.example.com/1');
  await client.close();
});
// #endregion test

it('is a call as ever for clients that do not know tasks', async () => {
  const client = await connect(server, { answers: () => ({ action: 'decline' }) });
  expect(await client.callTool('yearlyReport', { year: 2026 })).toHaveText('It is not published.');
  await client.close();
});

it('has published once', () => {
  expect(published).toEqual(['January 2026, February 2026 (once)']);
});

it('asks with the call, and becomes a task then', async () => {
  const orders = createServer({ name: 'orders', version: '1.0.0', features: [OrderFeature], extensions: [tasks()] });
  opened.push(orders);
  const client = await connect(orders, { answers: () => ({ action: 'accept', content: { budget: '10 EUR' } }) });
  const { result } = client.start('tools/call', {
    name: 'orderStudy',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/clientCapabilities': {
        elicitation: { form: {} },
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
    },
  });
  const { resultType, taskId } = await result;
  expect([resultType, client.questions.length]).toEqual(['task', 1]);
  expect(taskId).toHaveLength(22);
  await client.close();
});

it('starts with all of its options', async () => {
  const directory = { rightsOf: async (_id: string): Promise<CurrentRights> => ({ scopes: ['reports'] }) };
  // #region options
  const extension = tasks({
    store: new MemoryTaskStore(),
    concurrency: 8,
    ttl: 3_600_000,
    pollInterval: 2000,
    limits: { tasks: 1000, tasksPerClient: 10, polls: { calls: 60, per: 'minute' } },
    rights: ({ id }) => directory.rightsOf(id),
  });
  // #endregion options
  const limited = createServer({
    name: 'limited',
    version: '1.0.0',
    features: [ReportFeature],
    extensions: [extension],
  });
  opened.push(limited);
  const client = await connect(limited, { answers: () => ({ action: 'decline' }) });
  const task = await client.startTask('yearlyReport', { year: 2026 });
  expect(await task.status()).toMatchObject({ ttlMs: 3_600_000, pollIntervalMs: 2000 });
  expect(await task.result()).toHaveText('It is not published.');
  await client.close();
});
