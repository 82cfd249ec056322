/** The spans of a task: that of its request, and that of its work, which is a trace of its own with a link to the request. */
import { createServer, Feature, McpContext, Tool } from '@sigil-mcp/core';
import { telemetry } from '@sigil-mcp/otel';
import { tasks } from '@sigil-mcp/tasks';
import { connect } from '@sigil-mcp/testing';
import { IsBoolean } from 'class-validator';
import { parentOf, Recorded } from '../../support/recorded-telemetry';
import { until } from '../../support/until';

class Sure {
  @IsBoolean() sure!: boolean;
}

@Feature()
class Oven {
  @Tool('Bakes', { task: 'optional' })
  async bake(context: McpContext): Promise<string> {
    const { action } = await context.elicit(Sure, 'Is it hot?');
    return action;
  }
}

const recorded = new Recorded();
afterAll(() => recorded.close());

it('links the work of a task with the request that made it, also after a question', async () => {
  const options = { features: [Oven], extensions: [tasks()], observers: [telemetry()], logger: false } as const;
  const server = createServer({ name: 'oven', version: '1.0.0', ...options });
  const client = await connect(server, { answers: () => ({ action: 'accept', content: { sure: true } }) });
  const task = await client.startTask('bake');
  expect(await task.result()).toMatchObject({ content: [{ text: 'accept' }] });
  const worked = (): boolean => recorded.spans.some(({ attributes }) => attributes['sigil.task'] === true);
  await until(worked);
  const spans = recorded.spans.filter(({ name }) => name === 'tools/call bake');
  const request = spans.find(({ attributes }) => attributes['sigil.task'] === undefined);
  const work = spans.filter(({ attributes }) => attributes['sigil.task'] === true);
  for (const span of work) {
    expect(span.links.map(({ context }) => context.spanId)).toEqual([request?.spanContext().spanId]);
    expect(parentOf(span).parent).toBeUndefined();
    expect(parentOf(span).traceId).not.toBe(request?.spanContext().traceId);
  }
  await client.close();
  await server.close();
});
