/** What `docs/limits.md` shows. */
import { createServer, Feature, RateLimit, Tool, UseGuards } from '@sigil-mcp/core';
import { eachRevision, matchers } from '@sigil-mcp/testing';
import { IsInt } from 'class-validator';

expect.extend(matchers);

class ReportQuery {
  @IsInt() year!: number;
}

// #region report
@Feature()
export class Reports {
  /** One person gets ten a minute; the machine makes two at a time. */
  @UseGuards(RateLimit({ calls: 10, per: 'minute' }))
  @Tool('Makes a report', { concurrency: 2, timeout: 60_000 })
  async report({ year }: ReportQuery): Promise<string> {
    return `The year ${year} was a good one.`;
  }
}
// #endregion report

eachRevision('the eleventh report of a minute is refused', async ({ connect }) => {
  const server = createServer({ name: 'reports', version: '1.0.0', features: [Reports], logger: false });
  const client = await connect(server, { as: { id: 'ada', kind: 'user' } });
  const report = (): Promise<unknown> => client.callTool('report', { year: 2025 });
  for (let count = 0; count < 10; count += 1) expect(await report()).toHaveText(/good one/);
  await expect(report()).rejects.toBeRpcError();
});
