/** No span of one caller is below the trace of another, also where the work of one is woken by the other. */
import { trace } from '@opentelemetry/api';
import { createServer, Feature, McpContext, Tool } from '@sigil-mcp/core';
import { telemetry } from '@sigil-mcp/otel';
import { MemoryTaskStore, tasks, type StoredTask, type TextRoom } from '@sigil-mcp/tasks';
import { connect } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { parentOf, Recorded } from '../../support/recorded-telemetry';
import { until } from '../../support/until';
import { Approval } from '../tasks/bakery/bakery';
import { accept, answer, CAPABILITIES, reach, start } from '../tasks/task-client';

class Named {
  @IsString() name!: string;
}

@Feature()
class Desk {
  @Tool('Asks', { task: 'optional' })
  async ask({ name }: Named, context: McpContext): Promise<string> {
    // As an instrumented library does.
    trace.getTracer('library').startSpan(`before ${name}`).end();
    await context.elicit(Approval, 'Go on?', { key: 'go' });
    trace.getTracer('library').startSpan(`after ${name}`).end();
    return name;
  }
}

/** An instrumented store: each claim is a span below what is active. */
class TracedStore extends MemoryTaskStore {
  override replace(task: StoredTask, room?: TextRoom): ReturnType<MemoryTaskStore['replace']> {
    const { run } = JSON.parse(task.text) as { run: { until: number | null } | null };
    // Not an answer, which is written in its own request.
    if (run && run.until !== null) trace.getTracer('library').startSpan('claim').end();
    return super.replace(task, room);
  }
}

const recorded = new Recorded();
afterAll(() => recorded.close());

it.each([0, 1000])('the spans of a task are in its own trace, with %i handlers that wait', async (waiting) => {
  const options = { features: [Desk], observers: [telemetry()], logger: false } as const;
  const extension = tasks({ store: new TracedStore(), concurrency: 1, waiting });
  const server = createServer({ name: 'desk', version: '1.0.0', ...options, extensions: [extension] });
  const client = await connect(server, { capabilities: CAPABILITIES });
  const before = recorded.spans.length;
  const [one, two] = [await start(client, 'ask', { name: 'one' }), await start(client, 'ask', { name: 'two' })];
  for (const task of [one, two]) await reach(client, task, 'input_required');
  for (const task of [two, one]) await answer(client, task, { go: accept() });
  for (const task of [one, two]) await reach(client, task, 'completed');
  const spans = (): typeof recorded.spans => recorded.spans.slice(before);
  const works = (): typeof recorded.spans => spans().filter(({ attributes }) => attributes['sigil.task'] === true);
  await until(() => works().length >= 2);
  const own = new Set(works().map((span) => span.spanContext().traceId));
  for (const name of ['before one', 'after one', 'before two', 'after two'])
    for (const span of spans().filter((each) => each.name === name)) expect(own).toContain(span.spanContext().traceId);
  const tracesOf = (name: string): Set<string> =>
    new Set(spans().flatMap((span) => (span.name.endsWith(name) ? [span.spanContext().traceId] : [])));
  for (const id of tracesOf('one')) expect([...tracesOf('two')]).not.toContain(id);
  const claims = spans().filter(({ name }) => name === 'claim');
  expect(claims.length).toBeGreaterThanOrEqual(2);
  for (const claim of claims) expect(parentOf(claim).parent).toBeUndefined();
  await client.close();
  await server.close();
});
