/** The code of docs/limits.md. */
import { Feature, RateLimit, Tool, UseGuards } from '@sigil-mcp/core';
import { IsString } from 'class-validator';

export class ReportQuery {
  @IsString() about!: string;
}

// #region rates
@Feature()
export class Reports {
  /** One person gets ten a minute; the machine makes two at a time. */
  @UseGuards(RateLimit({ calls: 10, per: 'minute' }))
  @Tool('Makes a report', { concurrency: 2, timeout: 60_000 })
  async report({ about }: ReportQuery): Promise<string> {
    return `All about ${about}`;
  }
}
// #endregion rates
