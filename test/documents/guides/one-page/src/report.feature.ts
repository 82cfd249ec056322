// #region task
import { Describe, Feature, McpContext, Title, Tool } from '@sigil-mcp/core';
import '@sigil-mcp/tasks'; // without it, TypeScript does not know the option `task`
import { IsBoolean, IsInt } from 'class-validator';
import { Shop } from './shop';

class Year {
  @Describe('A year, such as 2026') @IsInt() year!: number;
}

class Approval {
  @Title('Publish the report?') @IsBoolean() publish: boolean = false;
}

@Feature()
export class ReportFeature {
  constructor(private readonly shop: Shop) {}

  @Tool('Writes the report of a year, and publishes it if the user agrees', { task: 'optional', asks: [Approval] })
  async yearlyReport({ year }: Year, context: McpContext): Promise<string> {
    const { size } = this.shop.orders;
    for (let read = 0; read < size; read += 1) {
      context.signal.throwIfAborted(); // the task was cancelled, or its time is over
      await context.progress(read + 1, size, 'Reads orders'); // the status message of the task
    }
    // `input_required` until there is an answer.
    const answer = await context.elicit(Approval, `Publish the report of ${year}?`);
    if (answer.action !== 'accept' || !answer.content.publish) return 'It is not published.';
    // Once, also if the process ends and another one runs the handler again from its beginning.
    return context.once('publish', () => `Published ${size} orders of ${year}.`);
  }
}
// #endregion task
